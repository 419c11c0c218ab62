"""A bot that attacks the referee over its own socket; it is copied into a bot folder and started as any other is."""
