"""From the words of a noun phrase to the categories and entities that they may mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dadu.errors import choices
from dadu.memory.graph import Entity, Kind, Relation, WorldGraph
from dadu.planner.goal import Description, Where
from dadu.planner.language.lexicon import Lexicon, Words
from dadu.planner.language.refusal import Refusal
from dadu.planner.predicates import NEXT_TO, gap
from dadu.planner.vocabulary import Vocabulary

_TOO_GENERAL = {("furniture",), ("receptacle",), ("household",)}


@dataclass(frozen=True)
class Meaning:
    """One way to read a noun phrase."""

    description: Description
    found: tuple[Entity, ...]
    tier: int
    """0: named so; 1: an alias; 2: a more general word; 3: the nearest relative"""
    superlative: str = ""


class Nouns:
    """Looks nouns up in a vocabulary and a world graph."""

    def __init__(self, graph: WorldGraph, vocabulary: Vocabulary) -> None:
        self.graph = graph
        self.vocabulary = vocabulary.extended(graph)
        self.lexicon: Lexicon = vocabulary.lexicon

    def meaning(self, words: Words, text: str, kinds: tuple[Kind, ...] = ()) -> Meaning:
        """The best reading. `kinds` narrows what it may be. Errors: Refusal naming the words that are not known."""
        readings = [m for variant in self._variants(words) for m in self._split(variant, text)]
        fitting = [m for m in readings if not kinds or m.description.kind in kinds]
        if not fitting:
            raise self._unknown(words, text, kinds, readings)
        # A reading that finds something wins; then the most literal one; then the first that was thought of.
        return min(fitting, key=lambda m: (not m.found, m.tier))

    def _variants(self, words: Words) -> Iterator[Words]:
        yield words
        if "of" in words:
            i = words.index("of")
            yield words[i + 1:] + words[:i]
            if all(w in self.lexicon.vessels for w in words[:i]):
                yield words[i + 1:]
            if words[i - 1] in self.lexicon.parts:
                yield words[i + 1:]
        if len(words) > 1 and words[-1] in self.lexicon.parts:
            yield words[:-1]

    def _split(self, words: Words, text: str) -> Iterator[Meaning]:
        """Readings of ``adjectives + name``, for every split whose adjectives are known."""
        splits = range(len(words))
        if len(words) > 1 and self._is_noun(words[:1]):  # orange juice: a flavour rather than a colour
            order = list(splits)
        else:
            order = sorted(splits, key=lambda i: (not self._attribute(words[0]) or i == 0, i))
        for i in order:
            modifiers = self._modifiers(words[:i])
            if modifiers is None:
                continue
            attributes, where, superlative = modifiers
            for kind, categories, ids, tier in self._named(words[i:]):
                description = Description(text, kind, categories, attributes, where, ids)
                found = superlatives(candidates(description, self.graph), superlative)
                yield Meaning(description, tuple(found), tier, superlative)

    def _modifiers(self, words: Words) -> tuple[tuple[str, ...], tuple[Where, ...], str] | None:
        """Attributes, places and superlative of the words before a name; None where one is not known."""
        attributes, where, superlative, i = [], [], "", 0
        while i < len(words):
            room = next((n for n in (2, 1) if i + n <= len(words) and self._rooms(words[i:i + n])), 0)
            if words[i] in self.lexicon.superlatives:
                superlative, i = self.lexicon.superlatives[words[i]], i + 1
            elif words[i] in self.lexicon.adjectives_ignored:
                i += 1
            elif self._attribute(words[i]):
                attributes.append(self.lexicon.same_value.get(words[i], words[i]))
                i += 1
            elif room:
                where.append(Where(Relation.IN_ROOM, self._rooms(words[i:i + room])))
                i += room
            else:
                return None
        return tuple(attributes), tuple(where), superlative

    def _attribute(self, word: str) -> bool:
        known = (*self.lexicon.colors, *self.lexicon.materials, *self.lexicon.same_value)
        return word in known or any(word in values(e) for e in self.graph)

    def _is_noun(self, words: Words) -> bool:
        return any(entry.tier(words) == 0 for entry in self.vocabulary.entries.values())

    def _rooms(self, words: Words) -> tuple[str, ...]:
        return tuple(sorted(e.id for e in self.graph.of(Kind.ROOM) if self._tier(e, words) in (0, 1)))

    def _named(self, words: Words) -> Iterator[tuple[Kind, tuple[str, ...], tuple[str, ...], int]]:
        """Kind, categories, ids and tier for every tier in which `words` name something."""
        if len(words) == 1 and words[0] in self.lexicon.plain_nouns:
            yield Kind.OBJECT, self._categories(Kind.OBJECT), (), 0
        for tier in range(3):
            for kind in (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM):
                ids = tuple(e.id for e in self.graph.of(kind) if self._own(e, words)) if tier == 0 else ()
                categories = tuple(sorted(e.category for e in self.vocabulary.entries.values()
                                          if e.kind is kind and e.tier(words) == tier))
                if (ids or categories) and not (tier == 2 and words in _TOO_GENERAL):
                    yield kind, categories, ids, tier
        yield from self._relatives(words)

    def _categories(self, kind: Kind) -> tuple[str, ...]:
        return tuple(sorted(e.category for e in self.vocabulary.entries.values() if e.kind is kind))

    def _relatives(self, words: Words) -> Iterator[tuple[Kind, tuple[str, ...], tuple[str, ...], int]]:
        """Furniture of the same sort, for a piece that this house lacks: a dining table where a desk was asked for."""
        for entry in self.vocabulary.entries.values():
            if entry.kind is Kind.FURNITURE and entry.tier(words) in (0, 1):
                wanted = (entry.hypernyms | {entry.name}) - _TOO_GENERAL - {("container",), ("appliance",)}
                alike = tuple(sorted(e.category for e in self.vocabulary.entries.values()
                                     if e.kind is Kind.FURNITURE and self.vocabulary.parents(e.category) & wanted))
                if alike:
                    yield Kind.FURNITURE, alike, (), 3

    def _own(self, entity: Entity, words: Words) -> bool:
        entry = self.vocabulary.entries.get(entity.category)
        common = entry.aliases | entry.hypernyms if entry else frozenset()
        names = {self.lexicon.normal(entity.id), *(set(map(self.lexicon.normal, entity.aliases)) - common)}
        stem = self.lexicon.normal(entity.id)
        if stem and stem[-1].isdigit():
            names.add(stem[:-1])
        for part in entity.parts:
            words_of_part = self.lexicon.normal(part.name)
            names |= {words_of_part, *((w,) for w in words_of_part if w in self.lexicon.parts)}
        return words in names

    def _tier(self, entity: Entity, words: Words) -> int | None:
        entry = self.vocabulary.entries.get(entity.category)
        return 0 if self._own(entity, words) else entry.tier(words) if entry else None

    def _unknown(self, words: Words, text: str, kinds: tuple[Kind, ...], readings: list[Meaning]) -> Refusal:
        if readings:
            is_, wanted = readings[0].description.kind.value, " or ".join(k.value for k in kinds)
            return Refusal(f"{text!r} is {_article(is_)}, where {_article(wanted)} is needed; "
                           f"known: {self.alternatives(kinds)}", [text])
        unknown = next((w for w in words if w != "of" and not self._recognised(w)), " ".join(words))
        return Refusal(f"I know no {unknown!r} ({text}); known: {self.alternatives(kinds)}", [unknown])

    def _recognised(self, word: str) -> bool:
        return self._attribute(word) or word in self.lexicon.superlatives or any(self._named((word,)))

    def alternatives(self, kinds: tuple[Kind, ...]) -> str:
        """What the graph holds of these kinds, for an error text."""
        shown = kinds or (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM)
        return choices((e.id for e in self.graph if e.kind in shown), 20)


def candidates(description: Description, graph: WorldGraph) -> list[Entity]:
    """What the graph holds that fits, by id."""
    fitting = (e for e in graph.of(description.kind)
               if e.id in description.ids or e.category in description.categories)
    return sorted((e for e in fitting if set(description.attributes) <= values(e)
                   and all(located(graph, e, where) for where in description.where)), key=lambda e: e.id)


def values(entity: Entity) -> set[str]:
    """Attribute values, as an instruction would say them."""
    return {v.lower() for v in entity.attributes.values()} | \
        {w for v in entity.attributes.values() for w in v.lower().replace("_", " ").split()}


def located(graph: WorldGraph, entity: Entity, where: Where) -> bool:
    """Whether an entity is where a description says."""
    if where.relation is Relation.IN_ROOM:
        room = graph.room_of(entity.id)
        return room is not None and room.id in where.ids
    if where.relation is Relation.NEXT_TO:
        return any(id in graph and gap(entity, graph[id]) <= NEXT_TO for id in where.ids)
    edge = graph.support(entity.id)
    return edge is not None and edge.object in where.ids


def superlatives(found: list[Entity], superlative: str) -> list[Entity]:
    """The one that is biggest, smallest, tallest or shortest; all of them where nothing was said."""
    if not superlative or not found:
        return found
    measure = (lambda e: e.size[2]) if superlative in ("tall", "short") else \
        (lambda e: e.size[0] * e.size[1] * e.size[2])
    return [max(found, key=measure) if superlative in ("big", "tall") else min(found, key=measure)]


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
