"""What runs inside: a hostile bot that makes one attack after another and tells what came of each.

The folder is copied and started as any bot is, so it uses the standard library alone and knows nothing of arena.
"""
