"""What things are called, as far as the grammar needs it: which words together are one name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from dadu.knowledge.lexicon import Words, default_lexicon
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.world.graph import WorldGraph


class Names:
    """Names as normalised words, ``(coffee, table)``, and ids as they are written, ``red_mug_0``."""

    def __init__(self, names: Iterable[Words], ids: Iterable[str] = ()) -> None:
        self._names = frozenset(name for name in names if name)
        self.ids = frozenset(ids)
        self.longest = max(map(len, self._names), default=1)

    def __contains__(self, words: Words) -> bool:
        return words in self._names

    def last_words(self) -> frozenset[str]:
        """The nouns that names end in."""
        return frozenset(name[-1] for name in self._names)

    def known_words(self) -> frozenset[str]:
        """Every word of every name."""
        return frozenset(word for name in self._names for word in name)


def names_of(vocabulary: Vocabulary, graph: WorldGraph | None = None) -> Names:
    """What `vocabulary` has words for, and what the things of `graph` are called there."""
    normal = default_lexicon().normal
    names = {name for entry in vocabulary.entries.values() for name in (entry.name, *entry.aliases, *entry.hypernyms)}
    if graph is None:
        return Names(names)
    own = {normal(alias) for e in graph for alias in (e.category, *e.aliases)}
    return Names(names | own, (e.id for e in graph))


@cache
def catalogue_names() -> Names:
    """Names of the catalogue's things, where no house is known."""
    return names_of(default_vocabulary())


@cache
def room_names() -> frozenset[Words]:
    """What rooms are called."""
    lexicon = default_lexicon()
    return frozenset(lexicon.normal(name) for room, others in lexicon.rooms.items() for name in (room, *others))
