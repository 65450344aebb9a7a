"""Places and rooms that are told by what is there: ``the table where the candle is``, ``the room with the bed``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dadu.goals.refusal import Refusal
from dadu.language.reading.syntax import Noun
from dadu.language.understanding.things.attachment import Placed
from dadu.language.understanding.things.nouns import Meaning
from dadu.world.graph import Kind

if TYPE_CHECKING:
    from dadu.language.understanding.things.things import Things


def with_on_it(things: Things, meaning: Meaning, words: tuple[str, ...], held: Noun) -> Meaning:
    """``the table where the candle is``"""
    room = meaning.description.kind is Kind.ROOM
    kinds = (Kind.OBJECT, Kind.FURNITURE) if room else (Kind.OBJECT,)
    ids = {id for t in things.resolve(Placed(held), kinds, mention=False) for id in t.term.ids}
    if room:
        rooms = tuple(sorted({r.id for id in ids if (r := things.graph.room_of(id)) is not None}))
        if not rooms:
            raise Refusal(f"I do not know a room with {held.text!r}", [held.text])
        return replace(meaning, description=replace(meaning.description, ids=rooms, categories=()))
    places = {edge.object for id in ids if (edge := things.graph.support(id)) is not None}
    found = tuple(e.id for e in meaning.found if e.id in places) or tuple(sorted(
        id for id in places if meaning.description.kind is Kind.FURNITURE
        and things.nouns.vocabulary.is_a(things.graph[id].category, things.nouns.plain(words)[-1])))
    if not found:
        raise Refusal(f"I do not know {meaning.description.words!r} with {held.text!r} on it", [held.text])
    return replace(meaning, description=replace(meaning.description, ids=found, categories=()))
