"""What a model may name: what is here, and what the robot could look for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dadu.knowledge.lexicon import Words, default_lexicon
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.frames.noun import NounPhrase
from dadu.language.frames.within import iter_parts
from dadu.world.graph import WorldGraph


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
                  if not is_here(name, graph, vocabulary) and not vocabulary.named(default_lexicon().normal(name)))


@lru_cache(maxsize=16384)
def _called(id: str, category: str, aliases: tuple[str, ...]) -> frozenset[Words]:
    return frozenset(map(default_lexicon().normal, (id, category, *aliases)))


def nouns(value: Any) -> Iterator[NounPhrase]:
    """Every noun phrase in frames, however deep."""
    return iter_parts(value, NounPhrase)
