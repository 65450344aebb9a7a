"""Runs the steps of the set-up: one line each on the terminal, everything else in a log."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from screen import Line

LOG = Path(__file__).resolve().parents[2] / "build" / "setup.log"
_TOLD = re.compile(r"(error|e|fatal error|\w*Error): (?!subprocess)", re.IGNORECASE)
_NO_NETWORK = re.compile(
    r"NewConnectionError|Max retries exceeded|[Cc]onnection (error|refused|timed out)|ConnectTimeout|ReadTimeout|"
    r"Temporary failure|Could not resolve|Network is unreachable"
)


class SetupError(Exception):
    """Why the set-up cannot go on, in a sentence that says what to do."""


def run(what: str, command: Sequence[object], env: Mapping[str, str] | None = None) -> None:
    """Runs `command` into the log. Errors: SetupError with the command's own last error line."""
    words = [str(word) for word in command]
    LOG.parent.mkdir(exist_ok=True)
    start = time.monotonic()
    line = Line(what)
    said: list[str] = []
    try:
        with LOG.open("a") as log, closing(lines(words, env)) as output:
            print(f"\n$ {' '.join(words)}", file=log, flush=True)
            for text in output:
                print(text, file=log, flush=True)
                said.append(text)
                line.show(text)
    except subprocess.CalledProcessError as error:
        line.end("failed")
        raise SetupError(f"{what}: {_reason(said, error.returncode)}\n  details: {LOG}") from None
    except OSError as error:
        line.end("failed")
        raise SetupError(f"{what}: {words[0]}: {error.strerror}") from None
    except KeyboardInterrupt:
        line.end("interrupted")
        raise
    line.end(f"{time.monotonic() - start:.0f} s")


def lines(command: Sequence[str], env: Mapping[str, str] | None = None) -> Generator[str, None, None]:
    """What `command` says, line by line; it is ended when the reader goes away.

    Errors: OSError when there is no such command; subprocess.CalledProcessError at the end, for a status other than 0.
    """
    with subprocess.Popen(command, env=env, text=True, errors="replace", stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:  # fmt: skip
        try:
            yield from (line.rstrip("\n") for line in child.stdout or ())
        except BaseException:  # also when the reader closes this generator
            child.terminate()
            child.wait()
            raise
    if child.returncode != 0:
        raise subprocess.CalledProcessError(child.returncode, command)


def _reason(said: Sequence[str], status: int) -> str:
    if any(map(_NO_NETWORK.search, said)):
        return "the download failed; is there a network connection?"
    told = [line.strip() for line in said if _TOLD.match(line.strip())]
    return told[-1] if told else f"exit status {status}"


def ask(python: str | Path, code: str) -> str | None:
    """What a line of Python prints in another interpreter; None when it fails."""
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout.strip() if done.returncode == 0 else None


def note(text: str) -> None:
    print(text, file=sys.stderr)
