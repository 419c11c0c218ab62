"""The conversation between agent and referee, as messages: everything in v1 is generated from proto/."""
