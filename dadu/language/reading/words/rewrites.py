"""Short forms and roundabout ways of saying, put plainly, as ``rewrites.yaml`` lists them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from dadu.core.config import Settings, load


class Rewrite(Settings):
    """One of the file's lines."""

    says: str
    """regular expression, between two ends of words"""
    means: str
    """what stands there instead; \\1 and so on as in `re.sub`"""


class _File(Settings):
    rewrites: list[Rewrite]


def plain(text: str) -> str:
    """A lower-cased instruction in plainer words."""
    for pattern, means in _rewrites():
        text = pattern.sub(means, text)
    return text


def words_of_rewrites() -> list[str]:
    """What the patterns are made of: words that people may say."""
    return [pattern.pattern.replace("\\w", " ").replace("\\s", " ") for pattern, _ in _rewrites()]


@cache
def _rewrites() -> tuple[tuple[re.Pattern[str], str], ...]:
    rows = load(_File, Path(__file__).with_name("rewrites.yaml")).rewrites
    return tuple((re.compile(rf"(?<!\w)(?:{row.says})(?!\w)"), row.means) for row in rows)
