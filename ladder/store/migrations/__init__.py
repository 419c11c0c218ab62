"""How the ladder's database came to be what it is: one file in `versions` for each change, never edited later."""

PREFIX = "ladder_"  # of every revision's name: it tells a newer database of ours from somebody else's
# Oldest first; alembic is imported only where something is to be changed.
REVISIONS = ("ladder_0001", "ladder_0002", "ladder_0003")
