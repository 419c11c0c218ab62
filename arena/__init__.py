"""Arena: tournaments for game AIs. The referee, the games, the bots' SDK and the command line."""

__version__ = "0.1.0"
