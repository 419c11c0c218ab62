"""`arena games`: which games are here, with how many seats, which variants and options."""

from typing import Any

from rich.text import Text

from arena import games as registry
from arena.cli import screen
from arena.cli.arguments import JsonOption
from arena.engine.contract import Game
from arena.engine.options import Option, written


def games(*, as_json: JsonOption = False) -> None:
    """List the games with their seats, variants and options.

    A variant is a named set of options. Choose one with --variant, single options with --option.

    \b
    Example:
      arena match --game party-bugs --bots random,greedy --option hidden_card=true
    """  # noqa: D301 - the mark keeps the lines below it as they are
    known = [registry.load(name) for name in registry.names()]
    if as_json:
        screen.print_json([_plain(game) for game in known])
        return
    for game in known:
        _show(game)


def _show(game: Game[Any, Any, Any]) -> None:
    console, counts = screen.out(), game.seat_counts()
    title = Text(game.name, style="bold").append(f"  {game.title}, {counts[0]} to {counts[-1]} seats", style="not bold")
    options = screen.table("option", "values", "meaning")
    for option in game.option_list():
        options.add_row(option.name, _values(option), option.meaning)
    console.print(title)
    console.print()
    console.print(options)
    console.print()
    console.print(Text("variants ", style="bold").append(", ".join(game.variants()), style="not bold"))
    console.print()


def _values(option: Option) -> Text:
    """All values, the default first and standing out."""
    values = [written(value) for value in option.values] + (["@FILE"] if option.text else [])
    return Text(values[0], style="bold").append("".join(f", {value}" for value in values[1:]), style="not bold")


def _plain(game: Game[Any, Any, Any]) -> dict[str, object]:
    options = [
        {"name": option.name, "values": option.values, "default": option.default, "meaning": option.meaning}
        for option in game.option_list()
    ]
    variants = {name: game.plain_options(chosen) for name, chosen in game.variants().items()}
    seats = list(game.seat_counts())
    return {"name": game.name, "title": game.title, "seats": seats, "options": options, "variants": variants}
