"""The exception base. Every message says what was wrong and lists the valid choices."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher


class DaduError(Exception):
    """Base of all errors raised on purpose by this project; its text is meant for the user, without a trace."""


class ConfigError(DaduError):
    """A configuration, house, suite or robot file that cannot be used. Names file, field and valid choices."""


class MissingExtra(DaduError):
    """An optional part is not installed; the text names the extra that brings it."""


class NotUsable(DaduError):
    """Something that came in, from a topic or a bag, and cannot be used; the text says what is wrong with it."""


def choices(names: Iterable[str], limit: int = 12, meant: str = "") -> str:
    """``"a, b, c"`` for an error text, sorted, cut after `limit` names; of many those spelt most like `meant` first."""
    names = sorted(names)
    if meant and len(names) > limit:
        names.sort(key=lambda name: -SequenceMatcher(None, meant, name).ratio())
    shown = ", ".join(names[:limit])
    return f"{shown} and {len(names) - limit} more" if len(names) > limit else shown or "none"
