"""Whose room it is: ``her bed``, said of a daughter, is the one in the children's room, ``my bed`` is not."""

from __future__ import annotations

from dadu.knowledge.commonsense import words_of_wishes
from dadu.language.reading.syntax import Noun
from dadu.language.understanding.things.nouns import Nouns
from dadu.world.graph import Kind

_THEIRS = ("her", "his", "their")
_OURS = ("my", "our")


def speaks_of_child(text: str) -> bool:
    """Whether a child is spoken of."""
    return not _children().isdisjoint(text.split())


def rooms_of_whom(noun: Noun, nouns: Nouns, child: bool) -> tuple[str, ...]:
    """Ids of the rooms of those whose furniture it is said to be, `child` having been spoken of before; none where that
    is not told."""
    words = noun.text.split()
    theirs = nouns.rooms(("kid", "room"))
    if not words or not theirs:
        return ()
    if speaks_of_child(noun.text) or child and words[0] in _THEIRS:
        return theirs
    return tuple(e.id for e in nouns.graph.of(Kind.ROOM) if e.id not in theirs) if words[0] in _OURS else ()


def bedrooms_of_whom(noun: Noun, nouns: Nouns, child: bool) -> tuple[str, ...]:
    """Ids of the rooms that are somebody's own; none where that is not told."""
    if noun.text.split()[:1] == ["my"]:
        return nouns.rooms(("bedroom",))
    return rooms_of_whom(noun, nouns, child) if noun.text.split()[:1] != ["our"] else ()


def _children() -> set[str]:
    return {"child", *words_of_wishes().alike["child"]}
