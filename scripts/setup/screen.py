"""What stands on the terminal while a step of the set-up runs."""

from __future__ import annotations

import os
import shutil
import sys


class Line:
    """One line: what is done, behind it what is going on (on a terminal only), at the end how it went."""

    def __init__(self, what: str) -> None:
        self._what = f"{what} ..."
        self._live = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        print(self._what, end="", flush=True)

    def show(self, text: str) -> None:
        """Puts `text`, cut to what has room, in the place of what was shown before."""
        plain = " ".join(text.encode("ascii", "ignore").decode().split())
        if self._live and plain:
            room = max(shutil.get_terminal_size().columns - len(self._what) - 2, 0)
            print(f"\r{self._what} {plain[:room]}\x1b[K", end="", flush=True)

    def end(self, text: str) -> None:
        print(f"\r{self._what} {text}\x1b[K" if self._live else f" {text}", flush=True)
