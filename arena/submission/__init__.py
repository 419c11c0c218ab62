"""From an author's folder to a bot that can play: staged, fetched, packed, built in the sandbox."""
