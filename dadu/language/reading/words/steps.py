"""Numbers and bullets before steps: ``1. Open the fridge. 2. Take out the milk``, ``Step 1: ...``, ``- the cup``."""

from __future__ import annotations

import re

from dadu.knowledge.lexicon import Lexicon

_NUMBER = re.compile(r"""
    (?<![^\s.;:,!?])
    (?: step \s+ (?:\d{1,2}|[a-z]+) \s* [:.,)-]          # step 1: open ..., step one: open ...
      | \( (?:\d{1,2}|[a-h]) \)                          # (1) open ..., (a) open ...
      | \d{1,2} \s? [.)] (?=\s) )                        # 1. open ..., 1) open ...
    \s* (?=[a-z])""", re.IGNORECASE | re.VERBOSE)
_BULLET = re.compile(r"(?:^|(?<=\n))\s*[-*•–]\s+(?=[A-Za-z])")
_THINGS = ("determiners", "indefinite", "every", "number")


def without_numbers(instruction: str, lexicon: Lexicon) -> str:
    """The steps as sentences, those that are numbered one after the other; what only names things as a list."""
    first, *more = _NUMBER.split(instruction)
    if len(more) > 1 and re.search(r"(^|[.:;!?\n,])\s*$", first):  # put the cup on table 1. Open fridge 2. Then ...
        instruction = _joined(first, more, lexicon, ". then ")
    first, *more = _BULLET.split(instruction)
    return _joined(first, more, lexicon, ". ")


def _joined(text: str, parts: list[str], lexicon: Lexicon, joint: str) -> str:
    for part in parts:
        part = part[:1].lower() + part[1:]  # no further sentence begins here
        before = re.sub(r"([\s.,;]|\band\b)+$", "", text, flags=re.IGNORECASE)
        text = before + _between(before, part, lexicon, joint) + part
    return text


def _between(before: str, part: str, lexicon: Lexicon, joint: str) -> str:
    word = re.match(r"[a-z]*", part.lower())
    tags = lexicon.tags.get((word[0],), {}) if word else {}
    if not before or before.endswith(":"):
        return " " if before else ""
    return ", " if tags.keys() & set(_THINGS) and "verb" not in tags else joint
