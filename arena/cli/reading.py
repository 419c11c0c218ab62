"""Which ladder a user means, and where its results are read: what leaderboard, matches and recompute share."""

from dataclasses import dataclass

from rich.text import Text

from arena import games
from arena.cli import orders, screen
from arena.engine.options import Value, brief
from arena.errors import UserError
from arena.limits import Limits
from arena.match import TimeControl
from ladder import report
from ladder.store import Ladder, Views


@dataclass(frozen=True)
class Choice:
    """A ladder as a command line names it: by what is played, or by its number here."""

    game: str | None
    variant: str
    option_texts: tuple[str, ...] = ()
    seats: int | None = None
    seed: int | None = None
    number: int | None = None


def chosen(views: Views, choice: Choice) -> Ladder:
    """The ladder that is meant; of those that differ in their terms alone, the one played last."""
    if choice.number is not None:
        return _numbered(views, choice)
    game = games.load(named(choice.game))
    options = orders.options_of(game, choice.variant, choice.option_texts)
    known = views.ladders(game.name)
    fitting = [one for one in known if _fits(one, options, choice)]
    if not fitting:
        raise UserError(_missing(known, game.name))
    return max(fitting, key=lambda one: (views.last_played(one), one.id))


def named(game: str | None) -> str:
    """The name of the game that has to be said."""
    if game is None:
        raise UserError("--game: expected the name of a game, got none; `arena games` lists them")
    return game


def beside(views: Views, ladder: Ladder) -> list[Ladder]:
    """The ladders here on which the same is played, on other terms."""
    return [one for one in views.ladders(ladder.spec.game) if one != ladder and _played(one) == _played(ladder)]


def terms(ladder: Ladder, other: Ladder) -> str:
    """In what a ladder differs from another one on which the same is played: sandbox, clock, limits, deals."""
    own, others = _terms(ladder), _terms(other)
    return ", ".join(f"{name} {own[name]}" for name in own if own[name] != others[name])


def title(ladder: Ladder) -> Text:
    """What is played on a ladder, and on which terms, in a line."""
    game, options = ladder.spec.game, dict(ladder.spec.options)
    variant = _variant(game, options) or " ".join(_differences(game, options))
    return report.title(ladder, variant, settings(ladder))


def words(ladder: Ladder) -> str:
    """The options that choose this ladder on a command line."""
    spec, options = ladder.spec, dict(ladder.spec.options)
    variant = _variant(spec.game, options)
    parts = [f"--game {spec.game}"]
    if variant is None:
        parts += [f"--option {pair}" for pair in _differences(spec.game, options)]
    elif variant != "base":
        parts.append(f"--variant {variant}")
    parts += [f"--seats {spec.seats}"] if spec.seats is not None else []
    parts += [f"--seed {spec.seed}"] if spec.seed is not None else []
    return " ".join(parts)


def settings(ladder: Ladder) -> str:
    """The words for a clock, limits and deals that are not the usual ones; empty if they are."""
    time, usual, limits = ladder.spec.time, TimeControl(), Limits().plain()
    clock = {"allowance": (time.allowance_ms, usual.allowance_ms), "bank": (time.bank_ms, usual.bank_ms)}
    parts = [f"--{name} {own / 1e3:g}" for name, (own, other) in clock.items() if own != other]
    parts += [f"--limit {name}={own}" for name, own in ladder.spec.limits.plain().items() if own != limits[name]]
    parts += ["--own-deals"] if ladder.spec.own_deals else []
    return " ".join(parts)


def _numbered(views: Views, choice: Choice) -> Ladder:
    if choice.game is not None:
        raise UserError("--ladder and --game: expected one of them, got both")
    known = {one.id: one for one in views.ladders()}
    if choice.number not in known:
        numbers = ", ".join(map(str, known)) or "none"
        raise UserError(f"--ladder: expected the number of a ladder here ({numbers}), got {choice.number}")
    return known[choice.number]


def _played(ladder: Ladder) -> tuple[object, ...]:
    spec = ladder.spec
    return spec.game, dict(spec.options), spec.seats, spec.seed


def _terms(ladder: Ladder) -> dict[str, str]:
    spec = ladder.spec
    own, usual = spec.limits.plain(), Limits().plain()
    return {
        "sandbox": spec.level,
        "clock": f"{spec.time.allowance_ms / 1e3:g} s + {spec.time.bank_ms / 1e3:g} s",
        "limits": " ".join(f"{name}={own[name]}" for name in own if own[name] != usual[name]) or "as usual",
        "deals": "one for each match" if spec.own_deals else "one for all rotations",
    }


def _variant(game_name: str, options: dict[str, Value]) -> str | None:
    game = games.load(game_name)
    named = {name: game.plain_options(variant) for name, variant in game.variants().items()}
    return next((name for name, plain in named.items() if plain == options), None)


def _differences(game_name: str, options: dict[str, Value]) -> list[str]:
    """What differs from the default; a long text is cut, so that people can read it."""
    game = games.load(game_name)
    usual = game.plain_options(game.options({}))
    return [f"{name}={brief(value)}" for name, value in options.items() if value != usual.get(name)]


def _fits(ladder: Ladder, options: dict[str, Value], choice: Choice) -> bool:
    return _played(ladder)[1:] == (options, choice.seats, choice.seed)


def _missing(known: list[Ladder], game: str) -> str:
    if not known:
        play = screen.command(f"ladder --game {game}")
        return f"expected a ladder of {game}, got none: play one with `{play}`"
    there = "; ".join(dict.fromkeys(words(one) for one in known))
    return f"expected a ladder of {game} with these options, got none; there are: {there}"
