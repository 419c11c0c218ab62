"""Whatever goes wrong, a person reads one sentence and a script reads an exit code; a traceback goes to a log."""

import contextlib
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from arena.cli import screen
from arena.errors import UserError
from arena.home import Home

BAD_INPUT = 2
FAILED = 1
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


class Told(Exception):
    """A command that did not end well and has said all about it."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def told(command: Callable[[], object], arguments: Sequence[str]) -> int:
    """The exit code of a command; what it raises is said in a sentence on standard error."""
    try:
        return _flushed(_carried_out(command))
    except UserError as error:
        return _said(str(error), BAD_INPUT)
    except typer.TyperException as error:
        return _said(_usage(error), BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        return _said("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _silence()
        return FAILED
    except Exception as error:  # noqa: BLE001 - the last resort: nobody is shown a traceback
        return _said(_unexpected(error, arguments), FAILED)


def _carried_out(command: Callable[[], object]) -> int:
    try:
        code = command()
    except Told as ended:
        return ended.code
    if code in (INTERRUPTED, TERMINATED):  # typer turns Ctrl-C into a code
        return _said("interrupted", code)
    return code if isinstance(code, int) else 0


def _usage(error: typer.TyperException) -> str:
    sentence = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{sentence[:1].lower()}{sentence[1:]} (see {context.command_path if context else 'arena'} --help)"


def _flushed(code: int) -> int:
    sys.stdout.flush()
    return code


def _said(sentence: str, code: int) -> int:
    with contextlib.suppress(OSError):  # nobody may be left to read it
        print(f"arena: {screen.clean(sentence)}", file=sys.stderr, flush=True)
    return code


def _silence() -> None:
    """Whoever read our output is gone: let nothing complain of it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unexpected(error: Exception, arguments: Sequence[str]) -> str:
    what = f"something unexpected happened, {type(error).__name__}: {' '.join(str(error).split())[:200]}"
    try:
        return f"{what}; please report it with the details in {_logged(arguments)}"
    except OSError:
        return f"{what}; its details could not be written"


def _logged(arguments: Sequence[str]) -> Path:
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    text = f"arena {' '.join(arguments)}\n\n{traceback.format_exc()}"
    try:
        log = Home.find(_home(arguments)).folder("logs") / name
        log.write_text(text, encoding="utf-8")
    except (UserError, OSError):
        log = Path(tempfile.gettempdir()) / f"arena-{name}"
        log.write_text(text, encoding="utf-8")
    return log


def _home(arguments: Sequence[str]) -> Path | None:
    """The value of --home, found without the parser, which may be what failed."""
    for index, word in enumerate(arguments):
        if word.startswith("--home="):
            return Path(word.removeprefix("--home="))
        if word == "--home" and index + 1 < len(arguments):
            return Path(arguments[index + 1])
    return None
