"""Bugs on Rugs in words, for terminals, logs and language models: observations, actions and events."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from arena.games.bugs_on_rugs import rules_codes as codes
from arena.games.bugs_on_rugs.actions import Break, Hatch, decoded
from arena.games.bugs_on_rugs.deck import BELOW_END, RUGS, TYPES
from arena.games.bugs_on_rugs.rules_codes import MOSQUITO, rug_of, type_of
from arena.games.bugs_on_rugs.rules_scores import pairs_of

if TYPE_CHECKING:  # the rules speak through this module, so it cannot wait for them
    from arena.games.bugs_on_rugs.rules_views import Observation

ACTIONS: Final = {
    codes.TAKE: "take {bug}",
    codes.DONE: "hatch nothing",
    codes.SHOW: "show {bug} for its power",
    codes.SHOW_HAND: "show the whole hand, nothing but Butterflies",
    codes.LAY: "place {bug} on the Floor",
    codes.HANG: "place {bug} last on the Wall and take the first bug",
    codes.PASS: "pass {bug}",
    codes.OFFER: "swap {bug}",
    codes.SWAP: "swap with Wall bug number {place}",
    codes.COPY: "count two Mosquitos as one {type}",
    codes.KEEP: "pair no Mosquitos",
}

EVENTS: Final = (  # by kind
    "",
    "{who} was dealt {bug}",
    "{who} drew {bug}",
    "{who} took {bug}",
    "{who} hatched {bug}",
    "{who} took {bug} from the Wall",
    "{who} placed {bug} on the Floor",
    "{who} placed {bug} on the Wall",
    "{who} passed {bug} to the right",
    "{who} passed {bug} to the left",
    "{who} chose {bug} to swap",
    "{who} showed {bug}",
    "{who} proved the hand with {bug}",
    "round {value} begins with {who}",
    "the Floor gets {bug}",
    "the Wall gets {bug}",
    "the End card: round {value} is the last",
    "{bug} flies from the Floor to the Wall",
    "{bug} leaves the Wall",
    "the deck is empty",
    "{bug} is lost with the Floor",
    "{who} counts two Mosquitos as one {type}",
    "{who} breaks a pair that counted as one {type}",
    "{who} scored {value}",
)

TASKS: Final = (  # by phase
    "",
    "take a bug from the Floor",
    "hatch two Larva, or not",
    "show a bug for the Butterfly",
    "place a bug on the Floor for the Firefly",
    "place a bug on the Wall for the Spider",
    "choose a bug to swap for the Mosquito",
    "choose a Wall bug to swap with",
    "every seat passes a bug to the right for the Fly",
    "every seat passes a bug to the left for the Beetle",
    "every seat groups its Mosquitos",
    "seats may break pairs of Mosquitos",
    "the match is over",
)

PLURALS: Final = ("Ant", "Spider", "Fly", "Beetle", "Ladybug")


def bug_text(bug: int) -> str:
    """A bug with its rug: a red Ant."""
    if bug == 0:
        return "a bug"
    return TYPES[-1] if bug == MOSQUITO else f"{RUGS[rug_of(bug)]} {TYPES[type_of(bug)]}"


def action_text(code: int) -> str:
    """An action in words."""
    action = decoded(code)  # refuses what means nothing
    if isinstance(action, Hatch):
        larva = f"{bug_text(action.first)} and {bug_text(action.second)}"
        return f"hatch {larva} for Wall bug number {action.wall + 1}"
    value = code & 0xFFFF
    if isinstance(action, Break):
        return _break_text(action)
    kind = code >> 16
    type_ = TYPES[value] if kind == codes.COPY else ""
    bug = bug_text(value) if kind not in (codes.SWAP, codes.COPY) else ""
    return ACTIONS[kind].format(bug=bug, type=type_, place=value + 1)


def event_text(code: int) -> str:
    """An event in words."""
    kind, seat, value = code >> 16, code >> 12 & 15, code & 0xFFF
    if not codes.EVENT_DEALT <= kind <= codes.EVENT_SCORED:
        raise ValueError(f"bugs-on-rugs: expected the code of an event, got {code}")
    counts = kind in (codes.EVENT_ROUND, codes.EVENT_END, codes.EVENT_SCORED)
    type_ = TYPES[value] if kind in (codes.EVENT_COPIED, codes.EVENT_BROKE) else ""
    bug = "" if counts or type_ else bug_text(value)
    return EVENTS[kind].format(who=f"seat {seat + 1}", bug=bug, value=value, type=type_)


def observation_text(view: "Observation") -> str:
    """An observation in words, one fact a line."""
    return "\n".join([_heading(view), *_own(view), *_table(view), *_players(view), *_memory(view)])


def acting(view: "Observation") -> int:
    """The seat that chooses alone; -1 if several do, or none."""
    if view.phase > codes.PHASE_SWAP:
        return -1
    turn = 0 if view.phase == codes.PHASE_SHOW else min(view.turn, 2 * view.seats - 1 - view.turn)
    return (view.start + turn) % view.seats


def until_end(view: "Observation") -> int:
    """How many bugs lie above the End card; 0 once it was drawn."""
    return 0 if view.last_round else view.deck_size - BELOW_END[view.seats]


def remarks(points: list[list[int]]) -> list[str]:
    """Where equal scores are told apart, and by which points for single types (B40)."""
    said = []
    for score in sorted({sum(row) for row in points}, reverse=True):
        tied = {seat: sorted(row, reverse=True) for seat, row in enumerate(points) if sum(row) == score}
        size = _telling(list(tied.values()))
        if size:
            best = [f"{', '.join(map(str, row[:size]))} of seat {seat + 1}" for seat, row in tied.items()]
            said.append(f"With {score} points each, the best types decide: {'; '.join(best)}.")
    return said


def _telling(rows: list[list[int]]) -> int:
    """How many numbers of each row it takes to tell apart all rows that differ."""
    different = len(set(map(tuple, rows)))
    return next(size for size in range(len(rows[0]) + 1) if len({tuple(row[:size]) for row in rows}) == different)


def _heading(view: "Observation") -> str:
    final = ", the final one" if view.round == view.last_round else ""
    seat, task = acting(view), TASKS[view.phase]
    if seat >= 0:
        task = f"it is for {_who(view, seat)} to {task}"
    return f"Bugs on Rugs, round {view.round}{final}: {task}."


def _own(view: "Observation") -> list[str]:
    lines = [f"You are seat {view.seat + 1}. Your hand: {_listed(view.hand)}."]
    if view.phase == codes.PHASE_GROUP:
        lines.append(f"Your pairs of Mosquitos count as: {group_text(view.groups[view.seat]) or 'nothing yet'}.")
        lines.append(f"Choices of grouping to come: {view.steps}.")
    return lines


def _table(view: "Observation") -> list[str]:
    wall = ", ".join(f"{place}. {bug_text(bug)}" for place, bug in enumerate(view.wall, 1))
    if view.last_round:
        end = f"The End card was drawn: round {view.last_round} is the last."
    else:
        end = f"The End card lies below {until_end(view)} bugs."
    lines = [f"The start marker lies with {_who(view, view.start)}.", f"Floor: {_listed(sorted(view.floor))}."]
    lines += [f"Wall: {wall or 'none'}.", f"Deck: {view.deck_size} bugs. {end}"]
    if view.discards:
        lines.append(f"Out of the game: {_listed(view.discards)}.")
    if view.offered:
        lines.append(f"Offered for the swap: {bug_text(view.offered)}.")
    return lines


def _players(view: "Observation") -> list[str]:
    return [_player(view, seat) for seat in range(view.seats)]


def _player(view: "Observation", seat: int) -> str:
    parts = [f"{view.hand_sizes[seat]} bugs"]
    if view.hands:
        parts.append(f"revealed {_listed(view.hands[seat])}")
        if view.groups[seat]:
            parts.append(f"pairs of Mosquitos count as {group_text(view.groups[seat])}")
    if view.points:
        row = ", ".join(f"{TYPES[index]} {value}" for index, value in enumerate(view.points[seat], 1) if value)
        parts.append(f"{sum(view.points[seat])} points{': ' + row if row else ''}")
    who = "You" if seat == view.seat else f"Seat {seat + 1}"
    return f"{who}: {'; '.join(parts)}."


def _memory(view: "Observation") -> list[str]:
    if not view.history:
        return []
    return [f"What you saw happen to hands: {'; '.join(map(event_text, view.history))}."]


def group_text(group: int) -> str:
    """What pairs of Mosquitos count as."""
    return ", ".join(TYPES[type_] for type_ in range(1, len(TYPES) - 1) for _ in range(pairs_of(group, type_)))


def _break_text(action: Break) -> str:
    numbers = (action.ants, action.spiders, action.flies, action.beetles, action.ladybugs)
    broken = [f"{number} as {name}" for number, name in zip(numbers, PLURALS, strict=True) if number]
    return f"break pairs: {', '.join(broken)}" if broken else "break no pair"


def _who(view: "Observation", seat: int) -> str:
    return "you" if seat == view.seat else f"seat {seat + 1}"


def _listed(bugs: Iterable[int]) -> str:
    return counted_text(list(bugs)) or "none"


def counted_text(bugs: Sequence[int]) -> str:
    """Bugs in words, equal ones with their number."""
    counts = {bug: bugs.count(bug) for bug in bugs}
    return ", ".join(bug_text(bug) + (f" x{number}" if number > 1 else "") for bug, number in counts.items())
