"""The deck of Bugs on Rugs as data: which cards there are, on which rugs, and where the End card lies.

What the sources do not settle stands in deck.json with its provenance, never in code.
"""

import json
from pathlib import Path
from typing import Any, Final

from arena.games.bugs_on_rugs.rules_codes import LADYBUG, MOSQUITO, MOST_RUGS, bug_of

MOST_COPIES: Final = 15  # of one bug

_DATA: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("deck.json").read_text(encoding="utf-8"))


def read_cards(data: dict[str, Any]) -> tuple[int, ...]:
    """Every card of the deck, ascending; ValueError where the data contradict themselves."""
    rugs, cards = len(data["rugs"]["names"]), list[int]()
    if not 1 <= rugs <= MOST_RUGS:
        raise ValueError(f"deck.json: expected 1 to {MOST_RUGS} rugs, got {rugs}")
    for index, entry in enumerate(data["bugs"], 1):
        copies = entry["by_rug"] if index <= LADYBUG else [entry["cards"]]
        if sum(copies) != entry["cards"] or len(copies) > rugs or max(copies) > MOST_COPIES:
            raise ValueError(f"deck.json: expected {entry['cards']} cards on {rugs} rugs, got {entry}")
        for rug, number in enumerate(copies, 1):
            cards += [bug_of(index, rug)] * number
    return tuple(cards)


CARDS: Final = read_cards(_DATA)
BUGS: Final = tuple(dict.fromkeys(CARDS))  # the distinct ones: 40 on rugs, and the Mosquito (B41)
TYPES: Final = ("", *(str(entry["type"]) for entry in _DATA["bugs"]))  # by number
RUGS: Final = ("", *map(str, _DATA["rugs"]["names"]))  # by number
BELOW_END: Final = tuple(int(_DATA["below_end"]["cards"].get(str(seats), 0)) for seats in range(6))  # by seats
MOSQUITOS: Final = CARDS.count(MOSQUITO)
