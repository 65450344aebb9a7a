"""Places and rooms that are told by what is there: ``the table where the candle is``, ``the room with the bed``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.refusal import Refusal
from dadu.language.understanding.things.nouns import Meaning, Nouns
from dadu.world.graph import Kind


def with_on_it(nouns: Nouns, meaning: Meaning, words: tuple[str, ...], held: str, ids: set[str]) -> Meaning:
    """``the table where the candle is``: of what `meaning` may be, that where one of `ids`, called `held`, is.
    Errors: Refusal."""
    graph = nouns.graph
    if meaning.description.kind is Kind.ROOM:
        rooms = tuple(sorted({r.id for id in ids if (r := graph.room_of(id)) is not None}))
        if not rooms:
            raise Refusal(f"I do not know a room with {held!r}", [held])
        return replace(meaning, description=replace(meaning.description, ids=rooms, categories=()))
    places = {edge.object for id in ids if (edge := graph.support(id)) is not None}
    found = tuple(e.id for e in meaning.found if e.id in places) or tuple(sorted(
        id for id in places if meaning.description.kind is Kind.FURNITURE
        and nouns.vocabulary.is_a(graph[id].category, nouns.plain(words)[-1])))
    if not found:
        raise Refusal(f"I do not know {meaning.description.words!r} with {held!r} on it", [held])
    return replace(meaning, description=replace(meaning.description, ids=found, categories=()))
