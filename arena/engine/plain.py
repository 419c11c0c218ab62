"""Strict reading of plain data, for games that load what they dumped: every mistake is a ValueError."""

from collections.abc import Collection, Mapping


def fields(data: Mapping[str, object], names: Collection[str]) -> None:
    """Refuse data that lacks one of these fields or has others."""
    missing = [name for name in names if name not in data]
    surplus = [name for name in data if name not in names]
    if missing or surplus:
        raise ValueError(f"a state: expected the fields {', '.join(names)}, got {', '.join(map(str, data)) or 'none'}")


def number(data: Mapping[str, object], name: str, low: int, high: int) -> int:
    """The whole number of this name, from low to high."""
    return checked(data[name], name, low, high)


def numbers(data: Mapping[str, object], name: str, lengths: Collection[int], low: int, high: int) -> list[int]:
    """The list of this name: so many whole numbers, each from low to high."""
    return [checked(value, name, low, high) for value in sequence(data[name], name, lengths)]


def number_lists(
    data: Mapping[str, object], name: str, lengths: Collection[int], low: int, high: int
) -> list[list[int]]:
    """The list of this name: so many lists of distinct whole numbers, each from low to high."""
    rows = [sequence(row, name, range(high - low + 2)) for row in sequence(data[name], name, lengths)]
    read = [[checked(value, name, low, high) for value in row] for row in rows]
    for row in read:
        if len(set(row)) != len(row):
            raise ValueError(f"{name}: expected no number twice, got {row}")
    return read


def word(data: Mapping[str, object], name: str, words: Collection[str]) -> str:
    """The text of this name, one of these words."""
    value = data[name]
    if not isinstance(value, str) or value not in words:
        raise ValueError(f"{name}: expected one of {', '.join(words)}, got {value!r}")
    return value


def hexadecimal(data: Mapping[str, object], name: str, digits: int) -> int:
    """The number of this name, written in so many hexadecimal digits."""
    value = data[name]
    if not isinstance(value, str) or len(value) != digits or set(value) - set("0123456789abcdef"):
        raise ValueError(f"{name}: expected {digits} hexadecimal digits, got {value!r}")
    return int(value, 16)


def mapping(data: Mapping[str, object], name: str) -> dict[str, object]:
    """The mapping of this name."""
    value = data[name]
    if not isinstance(value, dict):
        raise ValueError(f"{name}: expected a mapping, got {value!r}")  # noqa: TRY004 - one error for all wrong data
    return {str(key): item for key, item in value.items()}


def sequence(value: object, name: str, lengths: Collection[int]) -> list[object]:
    """The value, if it is a list of an allowed length."""
    if not isinstance(value, list) or len(value) not in lengths:
        allowed = " or ".join(str(length) for length in lengths) if len(lengths) < 4 else f"up to {max(lengths)}"
        raise ValueError(f"{name}: expected a list of {allowed}, got {value!r}")
    return list(value)


def checked(value: object, name: str, low: int, high: int) -> int:
    """The value, if it is a whole number from low to high."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
    return value
