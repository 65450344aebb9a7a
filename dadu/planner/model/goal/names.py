"""What a model may name: what is here, and what the robot could look for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dadu.knowledge.lexicon import Words, default_lexicon
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.frames.noun import NounPhrase
from dadu.language.frames.within import iter_parts
from dadu.language.parsing.names import names_of
from dadu.language.parsing.tokens import sentences
from dadu.language.refusal import Refusal
from dadu.world.graph import WorldGraph

_FROM = ("from", "out of", "off", "off of")


def here(graph: WorldGraph) -> list[str]:
    """Ids, kinds and other names of all that is known, sorted."""
    return sorted({name for e in graph for name in (e.id, e.category.replace("_", " "), *e.aliases) if name})


def searchable(graph: WorldGraph, vocabulary: Vocabulary) -> list[str]:
    """What the things, furniture and rooms that the robot would recognise are called, less what is here, sorted."""
    called = {" ".join(words) for entry in vocabulary.entries.values()
              for words in (entry.name, *entry.aliases, *entry.hypernyms)}
    return sorted(called - set(here(graph)) - {""})


def is_here(name: str, graph: WorldGraph, vocabulary: Vocabulary) -> bool:
    """True if something known is called so, or by this more general word."""
    wanted = default_lexicon().normal(name)
    return any(wanted in _called(e.id, e.category, e.aliases) or vocabulary.is_a(e.category, name) for e in graph)


def unknown_names(frames: Any, graph: WorldGraph, vocabulary: Vocabulary) -> list[str]:
    """Names in frames that stand for nothing known and for nothing that the robot would recognise, sorted."""
    return sorted(name for name in {noun.name for noun in nouns(frames) if noun.name}
                  if not name.isprintable() or not is_here(name, graph, vocabulary)
                  and not vocabulary.named(default_lexicon().normal(name)))


def left_out(instruction: str, frames: Any, graph: WorldGraph, vocabulary: Vocabulary) -> list[str]:
    """What the instruction names, things, furniture and rooms, and the frames neither name, in these or other words,
    nor quote; but for what something is taken from, which says no more than where to look first."""
    written = {word for text in iter_parts(frames, str) for word in default_lexicon().normal(text)}
    meant = {category for noun in nouns(frames) for category in vocabulary.of_sort(noun.name)}
    meant |= {graph[noun.name].category for noun in nouns(frames) if noun.name in graph}
    try:
        spoken = sentences(instruction, names_of(vocabulary, graph))
    except Refusal:  # a number that things cannot be counted by
        return []
    said = (word for one in spoken for at, word in enumerate(one.words) if word.known
            and word.classes <= {"NOUN", "WORD"}
            and next((str(w) for w in reversed(one.words[:at]) if w.may_be("PREP", "TO")), "") not in _FROM)
    return [word.said for word in said if (sorts := vocabulary.of_sort(word)) and not sorts & meant
            and written.isdisjoint(default_lexicon().normal(word)[-1:])]


@lru_cache(maxsize=16384)
def _called(id: str, category: str, aliases: tuple[str, ...]) -> frozenset[Words]:
    return frozenset(map(default_lexicon().normal, (id, category, *aliases)))


def nouns(value: Any) -> Iterator[NounPhrase]:
    """Every noun phrase in frames, however deep."""
    return iter_parts(value, NounPhrase)
