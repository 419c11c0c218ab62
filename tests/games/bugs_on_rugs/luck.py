"""The luck of Bugs on Rugs: the order of the deck, and who starts."""

from typing import Any

from arena.games.bugs_on_rugs import rules_codes as codes
from tests.games.bugs_on_rugs.conservation import draws


def drawn(dump: dict[str, Any]) -> dict[str, list[Any]]:
    """All cards in the order of the deck, drawn or not; and the first start player."""
    starts = [code >> 12 & 15 for code in dump["log"] if code >> 16 == codes.EVENT_ROUND]
    return {"deck": [bug for _, bug in draws(dump["log"])] + dump["deck"], "start": starts[:1]}
