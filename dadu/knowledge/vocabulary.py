"""What things are called: categories with their names, aliases and more general words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from dadu.house.catalogue import furniture_categories, object_categories
from dadu.knowledge.commonsense import alike, kinds
from dadu.knowledge.lexicon import Lexicon, Words, default_lexicon
from dadu.world.graph import Entity, Kind, WorldGraph

PACKED = frozenset({("food",), ("drink",), ("medicine",)})
"""what is called by its name alone, whatever it comes in: kimchi for a jar of it"""


@dataclass(frozen=True)
class VocabularyEntry:
    """One category and the normalised words that mean it."""

    category: str
    kind: Kind
    name: Words
    aliases: frozenset[Words] = frozenset()
    hypernyms: frozenset[Words] = frozenset()
    affordances: tuple[str, ...] = ()
    coloured: frozenset[Words] = frozenset()
    """``red apple``: what a detector may be asked for, but no name of all apples"""
    same: frozenset[Words] = frozenset()
    """names of categories that are the same kind: remote and remote control, couch and sofa"""
    others: frozenset[Words] = frozenset()
    """names of kinds that it is no kind of and stands in for: a mug for a cup"""
    broader: frozenset[Words] = frozenset()
    """names of kinds that it is a kind of: an alarm clock is a clock"""

    def tier(self, words: Words) -> int | None:
        """How well `words` name it: 0 its own name, 1 an alias, 2 a more general word, None not at all. Compounds are
        the same in one word and in two: ``night stand``, ``trashcan``."""
        if words == self.name or words in self.same:
            return 0
        if words in self.aliases:
            return 1
        whole = "".join(words)
        if whole == self._whole_name:
            return 0
        if whole in self._whole_aliases:
            return 1
        names = (self.name, *self.aliases) if self.kind is Kind.FURNITURE else (self.name,)
        if words in self.hypernyms | self.others or any(
                len(words) < len(name) and name[-len(words):] == words for name in names):
            return 2
        return None

    def is_told_apart(self, words: Words) -> bool:
        """True if `words` share but their noun with its name, which has more words, too: whoever says ``bath towel``
        means no ``hand towel``."""
        both = len(words) > 1 and len(self.name) > 1 and words[-1] == self.name[-1]
        return both and self.tier(words) is None

    @cached_property
    def ways(self) -> frozenset[Words]:
        """All that it may be named by (`tier`), compounds in one word."""
        names = (self.name, *self.aliases) if self.kind is Kind.FURNITURE else (self.name,)
        ends = (name[i:] for name in names for i in range(1, len(name)))
        wholes = ((whole,) for whole in (self._whole_name, *self._whole_aliases))
        return frozenset((*self.hypernyms, *self.same, *self.others, *ends, *wholes))

    @cached_property
    def _whole_name(self) -> str:
        return "".join(self.name)

    @cached_property
    def _whole_aliases(self) -> frozenset[str]:
        return frozenset(map("".join, self.aliases))


class Vocabulary:
    """Categories by name. Detectors and houses may know more than the catalogue: `extended` adds those."""

    def __init__(self, entries: Iterable[VocabularyEntry], lexicon: Lexicon | None = None) -> None:
        self.lexicon = lexicon or default_lexicon()
        self.entries = {entry.category: entry for entry in entries}
        self.named = lru_cache(maxsize=16384)(self._named)
        self.of_sort = lru_cache(maxsize=16384)(self._categories_named)
        self._with = lru_cache(maxsize=16)(self._extended)
        self._own_names = lru_cache(maxsize=16384)(self._names_of)

    @classmethod
    def from_catalogue(cls, lexicon: Lexicon | None = None) -> Vocabulary:
        """Furniture and objects of the catalogue, and rooms of the lexicon."""
        lexicon = lexicon or default_lexicon()
        entries = [VocabularyEntry(name, Kind.ROOM, lexicon.normal(name), frozenset(map(lexicon.normal, aliases)))
                   for name, aliases in lexicon.rooms.items()]
        for kind, table in ((Kind.FURNITURE, furniture_categories()), (Kind.OBJECT, object_categories())):
            for name, c in table.items():
                words, hypernyms = lexicon.normal(name), frozenset(map(lexicon.normal, c.hypernyms))
                aliases = frozenset(map(lexicon.normal, c.aliases))
                coloured = frozenset(a for a in aliases if a[0] in lexicon.colors and a[1:] in hypernyms | {words})
                entries.append(VocabularyEntry(name, kind, words, aliases - coloured, hypernyms, c.affordances,
                                               coloured))
        named = {kind: {e.name: e for e in entries if e.kind is kind} for kind in Kind}
        return cls((_with_own_names(entry, named[entry.kind], lexicon) for entry in entries), lexicon)

    def extended(self, graph: WorldGraph) -> Vocabulary:
        """With the categories that only the graph knows; the same one for the same categories, since it remembers."""
        own = tuple(dict.fromkeys((e.category, e.kind) for e in graph if e.category not in self.entries
                                  and e.kind in (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM)))
        return self._with(own, frozenset(e.category for e in graph.of(Kind.ROOM))) if own else self

    def _extended(self, own: tuple[tuple[str, Kind], ...], rooms: frozenset[str]) -> Vocabulary:
        return Vocabulary([*self.entries.values(), *(self._own(*one, rooms) for one in own)], self.lexicon)

    def _own(self, category: str, kind: Kind, rooms: Collection[str]) -> VocabularyEntry:
        """A category that only a house with such `rooms` knows: its name, and what things that are called so are."""
        name = self.lexicon.normal(category)
        if kind is not Kind.OBJECT:
            return VocabularyEntry(category, kind, name,
                                   self._also_called(category, rooms) if kind is Kind.ROOM else frozenset())
        ends = frozenset(name[i:] for i in range(1, len(name)))
        inside = self._general(name[:-1]) if name[-1] in self.lexicon.vessels else frozenset()
        if not inside & PACKED:
            return VocabularyEntry(category, kind, name, hypernyms=ends | self._general(name))
        return VocabularyEntry(category, kind, name, frozenset({name[:-1]}),
                               ends | inside | self._general(name))  # a kimchi jar

    def _general(self, name: Words) -> frozenset[Words]:
        """More general words, by the longest end of the name that is known: a ripe papaya is a fruit."""
        starts, ends = self._kinds
        if name[:1] in starts:
            return starts[name[:1]]
        for end in (name[i:] for i in range(len(name))):
            if end in ends:
                return ends[end]
            alike = [entry for entry, tier in self.named(end) if tier < 2 and entry.kind is Kind.OBJECT]
            if alike:
                return alike[0].hypernyms
        return frozenset()

    @cached_property
    def _kinds(self) -> tuple[dict[Words, frozenset[Words]], dict[Words, frozenset[Words]]]:
        """``kinds.yaml`` by the first words of names, and by whole names."""
        tables: tuple[dict[Words, frozenset[Words]], ...] = ({}, {})
        normal = self.lexicon.normal
        for row in kinds():
            for table, names in zip(tables, (row.starts, row.names)):
                for name in names:
                    table.setdefault(normal(name), frozenset(map(normal, row.kinds)))
        return tables[0], tables[1]

    def _also_called(self, category: str, rooms: Collection[str]) -> frozenset[Words]:
        """A house may call a room by any of its names: its hallway is a hall and an entrance as well, unless another of
        its `rooms` is called so."""
        for known in self.entries.values():
            names = known.aliases | {known.name}
            alike = [room for room in rooms if self.lexicon.normal(room) in names]
            if known.kind is Kind.ROOM and alike == [category]:
                return names - {self.lexicon.normal(category)}
        return frozenset()

    def _named(self, words: Words) -> tuple[tuple[VocabularyEntry, int], ...]:
        """The entries that `words` name, each with how well (`VocabularyEntry.tier`)."""
        alike = self._by_way.get(words, set()) | self._by_way.get(("".join(words),), set())
        found = ((entry, entry.tier(words)) for entry in (self.entries[category] for category in sorted(
            alike, key=self._order.__getitem__)))
        return tuple((entry, tier) for entry, tier in found if tier is not None)

    def _categories_named(self, word: str) -> frozenset[str]:
        """The categories that are called `word` or are a kind of it."""
        return frozenset(entry.category for entry, _ in self.named(self.lexicon.normal(word)))

    @cached_property
    def _by_way(self) -> dict[Words, set[str]]:
        """The categories that may be named in each way (`VocabularyEntry.ways`): no need to try all."""
        found: dict[Words, set[str]] = {}
        for entry in self.entries.values():
            for words in entry.ways:
                found.setdefault(words, set()).add(entry.category)
        return found

    @cached_property
    def _order(self) -> dict[str, int]:
        return {category: number for number, category in enumerate(self.entries)}

    def categories_of_kind(self, kind: Kind) -> tuple[str, ...]:
        """The categories of that kind."""
        return tuple(entry.category for entry in self.entries.values() if entry.kind is kind)

    def is_a(self, category: str, word: str) -> bool:
        """True if `category` is called `word` or is a kind of it."""
        return category in self.of_sort(word)

    def called(self, category: str) -> frozenset[Words]:
        """Its names and the more general words for it, less what its name merely ends in: a cereal box is no box."""
        entry = self.entries[category]
        return entry.aliases | entry.hypernyms | entry.same | {entry.name}

    def own_names(self, entity: Entity) -> frozenset[Words]:
        """What it is called by itself, rather than all of its category; a part stands for the whole."""
        return self._own_names(entity.id, entity.category, entity.aliases, tuple(part.name for part in entity.parts))

    def _names_of(self, id: str, category: str, aliases: tuple[str, ...], parts: tuple[str, ...]) -> frozenset[Words]:
        normal, entry = self.lexicon.normal, self.entries.get(category)
        common = entry.aliases | entry.hypernyms | entry.coloured | entry.same | entry.others if entry else frozenset()
        own = normal(id)
        names = {own, *(set(map(normal, aliases)) - common)}
        if own and own[-1].isdigit():
            names.add(own[:-1])
        for part in parts:
            said = normal(part)
            names |= {said, *((w,) for w in said if w in self.lexicon.parts)}
        return frozenset(names)

    def has_affordance(self, category: str, *names: str) -> bool:
        """True if one of these can be done with it, as the catalogue says."""
        entry = self.entries.get(category)
        return entry is not None and bool(set(names) & set(entry.affordances))

    def parents(self, category: str) -> frozenset[Words]:
        entry = self.entries.get(category)
        return entry.hypernyms | {entry.name} if entry else frozenset()


def _with_own_names(entry: VocabularyEntry, named: Mapping[Words, VocabularyEntry], lexicon: Lexicon
                    ) -> VocabularyEntry:
    """One kind, one name: an alias that is another's own name means that both are one kind, where each is called like
    the other, unless they are told apart and only stand in for one another, as a cup and a mug do (``alike.yaml``);
    else, of a thing, that the other's name is a more general word for it: an alarm clock is a clock."""
    others = {alias for alias in entry.aliases if alias in named}
    rows = [frozenset(map(lexicon.normal, row)) for row in alike()] if others else []
    apart = frozenset(alias for alias in others if any({alias, entry.name} <= row for row in rows))
    same = frozenset(alias for alias in others - apart if entry.name in named[alias].aliases)
    if entry.kind is not Kind.OBJECT:  # the table is rather the dining table
        return replace(entry, aliases=entry.aliases - same, same=same)
    broader = frozenset(alias for alias in others - apart - same if entry.name[-len(alias):] == alias
                        or entry.hypernyms & named[alias].hypernyms)  # spectacles are no glass
    return replace(entry, aliases=entry.aliases - same - apart - broader, hypernyms=entry.hypernyms | broader,
                   same=same, others=apart, broader=broader)


@cache
def default_vocabulary() -> Vocabulary:
    return Vocabulary.from_catalogue()
