"""Runs the steps of the set-up: one line each on the terminal, everything else in a log."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

LOG = Path(__file__).resolve().parents[2] / "build" / "setup.log"
_TOLD = re.compile(r"(error|e|fatal error|\w*Error|\w+_msgs|\w+_interfaces): (?!subprocess)", re.IGNORECASE)
_NO_NETWORK = re.compile(
    r"NewConnectionError|Max retries exceeded|[Cc]onnection (error|refused|timed out)|ConnectTimeout|ReadTimeout|"
    r"Temporary failure|Could not resolve|Network is unreachable"
)


class SetupError(Exception):
    """Why the set-up cannot go on, in a sentence that says what to do."""


def run(what: str, command: Sequence[object], env: dict[str, str] | None = None) -> None:
    """Runs `command` into the log. Errors: SetupError with the command's own last error line."""
    words = [str(word) for word in command]
    LOG.parent.mkdir(exist_ok=True)
    start = time.monotonic()
    print(f"{what} ...", end="", flush=True)
    with LOG.open("a+b") as log:
        log.write(f"\n$ {' '.join(words)}\n".encode())
        log.flush()
        begin = log.tell()
        status = _status(words, env, log)
        log.seek(begin)
        output = log.read().decode(errors="replace")
    print(f" {time.monotonic() - start:.0f} s" if status == 0 else " failed", flush=True)
    if status != 0:
        raise SetupError(f"{what}: {_reason(output, status)}\n  details: {LOG}")


def _status(words: list[str], env: dict[str, str] | None, log) -> int | str:
    try:
        return subprocess.run(words, env=env or dict(os.environ), stdin=subprocess.DEVNULL, stdout=log,
                              stderr=subprocess.STDOUT).returncode
    except OSError as error:
        return f"{words[0]}: {error.strerror}"


def _reason(output: str, status: int | str) -> str:
    if isinstance(status, str):
        return status
    if _NO_NETWORK.search(output):
        return "the download failed; is there a network connection?"
    told = [line.strip() for line in output.splitlines() if _TOLD.match(line.strip())]
    return told[-1] if told else f"exit status {status}"


def ask(python: str | Path, code: str) -> str | None:
    """What a line of Python prints in another interpreter; None when it fails."""
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout.strip() if done.returncode == 0 else None


def note(text: str) -> None:
    print(text, file=sys.stderr)
