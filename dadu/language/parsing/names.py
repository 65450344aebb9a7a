"""What things are called, as far as the grammar needs it: which words together are one name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from dadu.knowledge.lexicon import Words, default_lexicon
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.world.graph import Kind, WorldGraph


class Names:
    """Names as normalised words, ``(coffee, table)``, and ids as they are written, ``red_mug_0``."""

    def __init__(self, names: Iterable[Words], ids: Iterable[str] = (), here: Iterable[Words] = (),
                 objects: Iterable[Words] = (), general: Names | None = None) -> None:
        """`general`: names beside these, of a house of which nothing is known."""
        self._names = frozenset(filter(None, names))
        self.objects = frozenset(objects)
        """names of what can be carried"""
        self.here = frozenset(word for name in here for word in name)
        """words of the names of what is known to be in the house"""
        self.ids = frozenset(ids)
        self.longest = max(map(len, self._names), default=1)
        self.words = frozenset(word for name in self._names for word in name)
        """every word of every name"""
        if general is not None:
            self._names |= general._names
            self.objects |= general.objects
            self.longest = max(self.longest, general.longest)
            self.words |= general.words

    def __contains__(self, words: Words) -> bool:
        return words in self._names or len(words) == 2 and ("".join(words),) in self._names  # news papers


def names_of(vocabulary: Vocabulary, graph: WorldGraph | None = None) -> Names:
    """What `vocabulary` has words for, and what the things of `graph` are called there."""
    general = _general(vocabulary)
    if graph is None:
        return general
    normal = default_lexicon().normal
    carried = {normal(alias) for e in graph.of(Kind.OBJECT) for alias in (e.category, e.id, *e.aliases)}
    own = {normal(alias) for e in graph for alias in (e.category, e.id, e.id.rstrip("_0123456789"), *e.aliases)}
    return Names(own, (e.id for e in graph), own, carried, general)


@lru_cache(maxsize=16)
def _general(vocabulary: Vocabulary) -> Names:
    called = {category: vocabulary.called(category) for category in vocabulary.entries}
    return Names((name for names in called.values() for name in names), objects=(
        name for category in vocabulary.categories_of_kind(Kind.OBJECT) for name in called[category]))


def catalogue_names() -> Names:
    """Names of the catalogue's things, where no house is known."""
    return names_of(default_vocabulary())


@cache
def room_names() -> frozenset[Words]:
    """What rooms are called."""
    lexicon = default_lexicon()
    return frozenset(lexicon.normal(name) for room, others in lexicon.rooms.items() for name in (room, *others))
