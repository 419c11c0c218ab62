"""Attacks on the sandbox of this machine and on the referee's socket: what is promised is tried, not believed."""
