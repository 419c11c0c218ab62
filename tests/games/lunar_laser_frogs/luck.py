"""The luck of Lunar Laser Frogs as it showed itself: who began, every die of every turn, how cards would land."""

from typing import Any

from arena.games.lunar_laser_frogs import codes
from arena.games.lunar_laser_frogs.rules_codes import EVENT_EXTRA_TURN, EVENT_ROLLED, EVENT_TURN


def drawn(dump: dict[str, Any]) -> dict[str, list[Any]]:
    """Dice by turn and number, whatever the order in which they were rolled; the current round's whole luck too."""
    ended = dump["phase"] == "over"
    number = (dump["turn"] - ended) // dump["seats"]
    luck: dict[str, list[Any]] = {f"round {number}, dice": dump["rolls"], f"round {number}, orders": dump["orders"]}
    turn = -1
    for code in dump["log"]:
        kind, player, value = codes.event_parts(code)
        if kind in (EVENT_TURN, EVENT_EXTRA_TURN):
            turn += 1
            luck.setdefault("rollers", []).append(player)
        elif kind == EVENT_ROLLED:
            faces = {die: value >> 4 * die & 15 for die in range(6)}
            luck |= {f"turn {turn}, die {die}": [face] for die, face in faces.items() if face}
    return luck
