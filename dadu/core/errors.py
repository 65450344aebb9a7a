"""The exception base. Every message says what was wrong and lists the valid choices."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from enum import IntEnum

QUOTED = 120
"""characters of others' words that a message quotes"""
LISTED = 12
"""names that a message lists, where there is room"""
NAMED = 4
"""...and in a sentence"""


class DaduError(Exception):
    """Base of all errors raised on purpose by this project; its text is meant for the user, without a trace."""


class ConfigError(DaduError):
    """A configuration, house, suite or robot file that cannot be used. Names file, field and valid choices."""


class MissingExtra(DaduError):
    """An optional part is not installed; the text names the extra that brings it."""


class ExitStatus(IntEnum):
    """Of the command ``dadu``, beside those of what was carried out."""

    NO = 1
    """what was asked about is not in order: damaged, broken, different"""
    ERROR = 2
    """a `DaduError`: wrong input, or something that is missing"""
    NOT_JUDGED = 4
    """there is no ground truth, or no goal that it can be held against"""
    REFUSED = 5
    """what was asked for cannot be done"""
    INTERRUPTED = 130
    """Ctrl-C"""


class NotUsable(DaduError):
    """Something that came in, from a topic or a bag, and cannot be used; the text says what is wrong with it."""


def choices(names: Iterable[str], limit: int = LISTED, meant: str = "") -> str:
    """``"a, b, c"`` for an error text, sorted, cut after `limit` names; of many those spelt most like `meant` first."""
    names = sorted(names)
    if meant and len(names) > limit:
        names.sort(key=lambda name: -SequenceMatcher(None, meant, name).ratio())
    shown = ", ".join(names[:limit])
    return f"{shown} and {len(names) - limit} more" if len(names) > limit else shown or "none"
