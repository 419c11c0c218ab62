"""Errors that are sentences for the user: the command line prints them and ends with exit code 2.

Everything a person can get wrong is raised as a UserError, so that no traceback reaches anybody.
"""

import difflib
from collections.abc import Iterable

MOST_NAMED = 12  # names in a sentence that should still be one


class UserError(Exception):
    """One clear sentence about bad input: what was expected, what was got, how to mend it."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was most likely meant to be."""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return close[0] if close else None


def unknown(kind: str, name: str, known: Iterable[str]) -> UserError:
    """The error for a name that nobody knows, with the nearest name or all of them."""
    names = sorted(known)
    article = "an" if kind[:1] in "aeiou" else "a"
    return UserError(f"expected {article} {kind}, got {name!r}: {_hint(name, names)}")


def _hint(name: str, names: list[str]) -> str:
    meant = nearest(name, names)
    if meant is not None:
        return f"did you mean {meant!r}?"
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"known here: {', '.join(names[:MOST_NAMED])}{more}" if names else "none is known here"
