"""Which ladder a user means, and where its results are read: what leaderboard, matches and recompute share."""

from dataclasses import dataclass

from arena import games
from arena.cli import orders, screen
from arena.engine.options import Value, brief
from arena.errors import UserError
from ladder.store import Ladder, Views


@dataclass(frozen=True)
class Choice:
    """A ladder as a command line names it."""

    game: str
    variant: str
    option_texts: tuple[str, ...] = ()
    seats: int | None = None
    seed: int | None = None


def chosen(views: Views, choice: Choice) -> Ladder:
    """The ladder that is meant; of those that differ in clock and sandbox alone, the one played last."""
    game = games.load(choice.game)
    options = orders.options_of(game, choice.variant, choice.option_texts)
    known = views.ladders(game.name)
    fitting = [one for one in known if _fits(one, options, choice)]
    if not fitting:
        raise UserError(_missing(known, choice))
    return max(fitting, key=lambda one: (views.last_played(one), one.id))


def variant_of(game_name: str, options: dict[str, Value]) -> str:
    """What people call these options: the name of a variant, else what differs from the default."""
    return _variant(game_name, options) or " ".join(_differences(game_name, options))


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
    spec = ladder.spec
    return (dict(spec.options), spec.seats, spec.seed) == (options, choice.seats, choice.seed)


def _missing(known: list[Ladder], choice: Choice) -> str:
    if not known:
        play = screen.command(f"ladder --game {choice.game}")
        return f"expected a ladder of {choice.game}, got none: play one with `{play}`"
    there = "; ".join(dict.fromkeys(words(one) for one in known))
    return f"expected a ladder of {choice.game} with these options, got none; there are: {there}"
