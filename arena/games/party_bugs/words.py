"""Party Bugs in words, for terminals, logs and language models: observations, actions and events."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from arena.games.party_bugs.codes import (
    EVENT_DREW,
    EVENT_GAME,
    EVENT_HID,
    EVENT_SCORED,
    PAUL_MARK,
    decoded,
    event_parts,
)

if TYPE_CHECKING:  # the rules speak through this module, so it cannot wait for them
    from arena.games.party_bugs.rules_views import Observation

ACTIONS: Final = (  # by kind
    "",
    "hide {value}",
    "play {value}",
    "take {value}",
    "take {value} and discard it with your hidden card",
    "take the whole dance floor",
    "take the whole dance floor and discard the match with your hidden card",
    "keep the mirror card",
    "discard {value} with the mirror card",
    "discard your hidden card with the mirror card",
)

EVENTS: Final = (  # by kind
    "",
    "game {value} begins",
    "{who} laid out {value}",
    "{who} drew the Party King and shuffled it back",
    "{who} got the Tied card",
    "{who} got the mirror card",
    "{who} drew {value}",
    "{who} hid {value}",
    "{who} played {value}",
    "{who} took {value}",
    "{who} took the whole dance floor",
    "{who} discarded a pair of {value}",
    "{who} discarded {value} with the hidden card",
    "{who} discarded {value} with the mirror card",
    "{who} discarded the hidden card, {value}, with the mirror card",
    "{who} discarded the mirror card unused",
    "{who} revealed the hidden card, {value}",
    "{who} scored {value}",
)

TASKS: Final = (  # by phase
    "",
    "every seat hides a card",
    "every seat plays a card",
    "take a card off the dance floor",
    "take the whole dance floor",
    "use the mirror card, or to keep it",
    "the match is over",
)


def action_text(code: int) -> str:
    """An action in words."""
    decoded(code)  # refuses what means nothing
    return ACTIONS[code >> 4].format(value=code & 15)


def event_text(code: int) -> str:
    """An event in words."""
    kind, player, value = event_parts(code)
    if not EVENT_GAME <= kind <= EVENT_SCORED:
        raise ValueError(f"party-bugs: expected the code of an event, got {code}")
    unseen = kind in (EVENT_DREW, EVENT_HID) and value == 0
    who = "Paul" if code & PAUL_MARK else f"seat {player + 1}"
    return EVENTS[kind].format(who=who, value="a card" if unseen else value)


def observation_text(view: "Observation") -> str:
    """An observation in words, one fact a line."""
    return "\n".join([_heading(view), _own(view), *_table(view), *_players(view)])


def _heading(view: "Observation") -> str:
    games = f"game {view.game + 1} of {view.seats}, " if view.options.mirror_series else ""
    task = TASKS[view.phase]
    if view.waiting:
        task = f"it is for {_who(view, view.waiting[0])} to {task}"
    return f"Party Bugs, {games}round {view.round} of {view.options.final_round}: {task}."


def _own(view: "Observation") -> str:
    hidden = f", hidden card: {view.hidden_value}" if view.hidden_value else ""
    return f"You are seat {view.seat + 1}. Your hand: {_listed(view.hand)}{hidden}."


def _table(view: "Observation") -> list[str]:
    lines = [f"The Tied card lies with {_who(view, view.tied)}."]
    if view.mirror >= 0:
        lines.append(f"The mirror card lies with {_who(view, view.mirror)}.")
    lines.append(f"Dance floor: {_by_player(view, view.floor)}.")
    if view.played:
        lines.append(f"Played this round: {_by_player(view, view.played)}.")
    if len(view.waiting) > 1:
        lines.append(f"Still to take, in order: {', '.join(_who(view, seat) for seat in view.waiting)}.")
    return lines


def _players(view: "Observation") -> list[str]:
    return [_player(view, player) for player in range(len(view.floor))]


def _player(view: "Observation", player: int) -> str:
    display = view.displays[player]
    hidden = " and a hidden card" if display.hidden else ""
    parts = [f"display {_listed(display.values)}{hidden}, {sum(display.values)} points face up"]
    if view.options.mirror_series:
        parts.append(f"{view.totals[player]} points in earlier games")
    if view.unseen[player]:
        parts.append(f"not yet seen {_listed(view.unseen[player])}")
    if view.excluded and player < view.seats and view.excluded[player]:
        parts.append(f"hidden card is none of {_listed(view.excluded[player])}")
    if view.points:
        parts.append(f"{view.points[player]} points in this game")
    return f"{_who(view, player).capitalize() if player != view.seat else 'You'}: {'; '.join(parts)}."


def _who(view: "Observation", player: int) -> str:
    if player == view.seat:
        return "you"
    return "Paul" if player == view.seats else f"seat {player + 1}"


def _by_player(view: "Observation", values: Sequence[int]) -> str:
    """Cards with their owners, those that are there."""
    cards = [f"{value} ({_who(view, player)})" for player, value in enumerate(values) if value]
    return ", ".join(cards) or "empty"


def _listed(values: Sequence[int]) -> str:
    return ", ".join(str(value) for value in values) or "none"


def remarks(scores: list[int], seats: int, tied: int) -> list[str]:
    """What the places cannot say: who went first among equals (P14, P38), and how Paul did (P37)."""
    said = []
    by_distance = [(tied + distance) % seats for distance in range(seats)]
    for score in sorted(set(scores[:seats])):
        equals = [f"seat {seat + 1}" for seat in by_distance if scores[seat] == score]
        if len(equals) > 1:
            said.append(f"With {score} points each, the Tied card decides: {', then '.join(equals)}.")
    return [*said, _paul_remark(scores)] if len(scores) > seats else said


def _paul_remark(scores: list[int]) -> str:
    """Paul's total, and whether he won; he loses ties (P22)."""
    verdict = "the lowest total: Paul won" if scores[2] < min(scores[:2]) else "not the lowest total"
    return f"Paul has {scores[2]} points, {verdict}."
