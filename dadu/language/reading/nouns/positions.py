"""Positions within a place: which of its ends, sides or tiers is meant is not told apart, and said so."""

from __future__ import annotations

from dadu.knowledge.lexicon import Lexicon, Words
from dadu.language.reading.reader import Reader

_TAILS = ("on", "in", "at", "to")


def main_place(words: Words, lexicon: Lexicon) -> Words:
    """``back of the toilet``, ``toilet tank``, ``bottom left drawer``: the words less those that say where in it."""
    regions = {*lexicon.regions, *lexicon.surfaces}
    said = regions | {*lexicon.positions}
    if "of" in words and set(words[:words.index("of")]) <= said:
        words = words[words.index("of") + 1:]
    words = tuple(w for w in words if w not in lexicon.positions)
    while len(words) > 1 and words[-1] in regions:
        words = words[:-1]
    return words


def passed(reader: Reader) -> bool:
    """Passes ``on the right``, ``in the corner``, with no noun behind it, and ``against the wall``; keeps it for the
    user."""
    tokens, at = reader.tokens, reader.at + 1
    walls = not reader.over and tokens[reader.at].tags.get("preposition") == "next_to"
    if reader.over or tokens[reader.at].text not in _TAILS and not walls:
        return False
    while at < len(tokens) and tokens[at].has("determiners"):
        at += 1
    start, said = at, reader.lexicon.walls if walls else (*reader.lexicon.positions, *reader.lexicon.regions)
    while at < len(tokens) and tokens[at].text in said:
        at += 1
    if at == start or at < len(tokens) and not (tokens[at].tags and not tokens[at].has("states", "pronoun")):
        return False
    reader.remarks.append(reader.text(reader.at, at))
    reader.at = at
    return True
