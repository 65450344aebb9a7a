"""The world in which words are said, as far as it is known, with the questions that grounding asks of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from dadu.core.errors import choices
from dadu.goals.candidates import candidates
from dadu.goals.goal import Description, Term
from dadu.knowledge.lexicon import Lexicon, Words
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.discourse import Referent
from dadu.language.frames.noun import NounPhrase
from dadu.world.graph import ROBOT, Entity, Kind, Relation, WorldGraph

ALL_KINDS = (Kind.OBJECT, Kind.FURNITURE, Kind.ROOM)


@dataclass(frozen=True, eq=False)
class Setting:
    """Nothing here changes while an instruction is grounded."""

    graph: WorldGraph
    vocabulary: Vocabulary
    """extended by the graph's own categories: `scene_of`"""
    complete: bool = False
    """what the graph lacks does not exist"""
    looked: Collection[str] = ()
    """rooms and furniture where everything has been seen"""

    @property
    def lexicon(self) -> Lexicon:
        return self.vocabulary.lexicon

    def room(self, id: str) -> str:
        """Id of the room that an entity is in, or empty."""
        room = self.graph.room_of(id)
        return room.id if room is not None else ""

    def within(self, ids: Iterable[str], rooms: Collection[str]) -> tuple[str, ...]:
        """Those that are in one of these rooms."""
        return tuple(id for id in ids if self.room(id) in rooms)

    def holder(self, id: str) -> str:
        """Id of what an object is on or in, or empty."""
        edge = self.graph.support(id) if id in self.graph else None
        return edge.object if edge is not None and edge.relation in (Relation.ON, Relation.IN) else ""

    def here(self) -> str:
        """The room that the robot is in, or empty."""
        return self.room(ROBOT) if ROBOT in self.graph else ""

    def is_a(self, categories: Iterable[str], *words: str) -> bool:
        """True if all of these categories, of which there is one, are called by one of the words."""
        categories = tuple(categories)
        return bool(categories) and all(any(self.vocabulary.is_a(c, w) for w in words) for c in categories)

    def can(self, categories: Iterable[str], *affordances: str) -> bool:
        """True if with each of these categories, of which there is one, one of these can be done."""
        categories = tuple(categories)
        return bool(categories) and all(self.vocabulary.has_affordance(c, *affordances) for c in categories)

    def categories(self, ids: Iterable[str], told: Description | None = None) -> tuple[str, ...]:
        """Of the entities that are known; of what was not seen yet, what it may be."""
        known = tuple(dict.fromkeys(self.graph[id].category for id in ids if id in self.graph))
        return known or (told.categories if told is not None else ())

    def furniture(self, ids: Iterable[str]) -> list[Entity]:
        return [e for id in ids if id in self.graph and (e := self.graph[id]).kind is Kind.FURNITURE]

    def not_there(self, told: Description | None) -> bool:
        """True if its place was looked at, so that what was not seen there is elsewhere."""
        places = [id for w in told.where for id in w.ids] if told is not None else []
        return bool(places) and all(id in self.looked for id in places)

    def entity(self, id: str, phrase: NounPhrase | None = None) -> Referent:
        """Just this one."""
        kind = self.graph[id].kind
        return Referent(Term(id, (id,), Description(id, kind, (), ids=(id,))), kind, phrase=phrase or NounPhrase())

    def ids(self, told: Description) -> tuple[str, ...]:
        return tuple(e.id for e in candidates(told, self.graph))

    def known(self, kinds: tuple[Kind, ...]) -> str:
        """What the graph holds of these kinds, for an error text."""
        return choices((e.id for kind in kinds or ALL_KINDS
                        for e in sorted(self.graph.of(kind), key=lambda e: e.id)), 60)

    @cached_property
    def named_before(self) -> dict[Words, tuple[tuple[Kind, tuple[str, ...], tuple[str, ...], int], ...]]:
        """What words name, which are tried again and again: `dadu.language.grounding.nouns.naming`."""
        return {}

    @cached_property
    def all_categories(self) -> dict[Kind, tuple[str, ...]]:
        return {kind: tuple(sorted(e.category for e in self.vocabulary.entries.values() if e.kind is kind))
                for kind in ALL_KINDS}

    def named(self, name: str) -> bool:
        """True if something here, or all of a category, is called just so."""
        words = self.lexicon.normal(name)
        listed = any(tier < 2 for _, tier in self.vocabulary.named(words))
        return listed or any(self.called(e, words) for e in self.graph)

    def tier(self, entity: Entity, words: Words) -> int | None:
        """How well `words` name an entity (`VocabularyEntry.tier`)."""
        entry = self.vocabulary.entries.get(entity.category)
        return 0 if self.called(entity, words) else entry.tier(words) if entry else None

    def called(self, entity: Entity, words: Words) -> bool:
        """True if it is called so by its own name, rather than all of its category; a part stands for the whole."""
        return words in self.vocabulary.own_names(entity)


def scene_of(graph: WorldGraph, vocabulary: Vocabulary, complete: bool, looked: Collection[str]) -> Setting:
    return Setting(graph, vocabulary.extended(graph), complete, looked)
