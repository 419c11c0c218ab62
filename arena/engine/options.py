"""A game's options as data: names, values, defaults and meanings, and the strict reading of what a user gave."""

import difflib
from collections.abc import Callable, Mapping, Sequence

Value = str | int | bool
MOST_LETTERS = 40  # of a value that stands in a line with others


class OptionError(ValueError):
    """An option that does not exist, or a value that it cannot take; the message is for the user."""


class Option:
    """One switch of a game; one that takes a text besides its values carries some content, such as a board."""

    def __init__(
        self,
        name: str,
        values: Sequence[Value],
        meaning: str,
        text: Callable[[str], str] | None = None,
        live: Sequence[Value] = (),
    ) -> None:
        self.name = name
        self.values = list(values)  # every value it can take, all of one type; the default is the first
        self.meaning = meaning
        self.text = text  # any other text in its one canonical form; ValueError says what is wrong with it
        self.live = list(live)  # values under which the order of answers counts: for live play, in no variant

    @property
    def default(self) -> Value:
        """The value it has when nobody says otherwise."""
        return self.values[0]

    def read(self, given: object) -> Value:
        """The allowed value that `given` (a value, or its text on a command line) stands for."""
        for value in self.values:
            if type(given) is type(value) and given == value:
                return value
            if isinstance(given, str) and given.strip().lower() == written(value):
                return value
        wanted = ", ".join(written(value) for value in self.values)
        if self.text is None:
            raise OptionError(f"option {self.name}: expected one of {wanted}; got {given!r}")
        if not isinstance(given, str):
            raise OptionError(f"option {self.name}: expected {wanted} or a text; got {given!r}")
        try:
            return self.text(given)
        except ValueError as error:
            raise OptionError(f"option {self.name}: expected {wanted} or a text that fits; {error}") from None


def written(value: Value) -> str:
    """A value as people write it on a command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def brief(value: Value) -> str:
    """A value as it is shown in a line with others: a long text is cut."""
    text = written(value)
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


def resolve(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its value: the given one, strictly read, else its default."""
    known = [option.name for option in options]
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"expected one of {', '.join(known) or 'none at all'}"
            raise OptionError(f"unknown option {name!r}: {hint}")
    return {
        option.name: option.read(given[option.name]) if option.name in given else option.default for option in options
    }


def live_choices(options: Sequence[Option], chosen: Mapping[str, Value]) -> list[str]:
    """What makes the order of answers count, as `option=value`; nothing where luck and choices alone decide."""
    found = [option for option in options if option.name in chosen and chosen[option.name] in option.live]
    return [f"{option.name}={written(chosen[option.name])}" for option in found]
