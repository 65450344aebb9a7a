"""What is meant and how it is called: a thing or several of them, a piece of furniture, a room of one home."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from dadu.house.catalogue import furniture_categories, object_categories
from dadu.house.objects import object_model
from dadu.house.states import affordances_of
from dadu.knowledge.lexicon import default_lexicon, plural_of, with_article
from dadu.learning.plans.home import PlanHome
from dadu.tasks.generate.homes import HAND
from dadu.world.graph import Entity, Kind, Relation

_ALIAS, _WHERE, _SORT = 0.2, 0.25, 0.15
"""shares: called by another name; with where it is; all of a sort in one place"""
_NUMBERS = {2: "two", 3: "three", 4: "four"}


@dataclass(frozen=True)
class Meant:
    """`number` of `ids`, all of the same sort, and the words for them."""

    ids: tuple[str, ...]
    words: str
    number: int = 1

    @property
    def many(self) -> bool:
        return self.number > 1

    @property
    def it(self) -> str:
        """The pronoun: scissors are *them*."""
        return "them" if self.many or _is_plural(self.words.partition(" that ")[0]) else "it"


class Speech:
    """Words for what is in a home. What several things share is not said with *the*."""

    def __init__(self, home: PlanHome, rng: random.Random) -> None:
        self._home, self._rng = home, rng

    @cached_property
    def _rooms(self) -> list[Entity]:
        """Those that are the only one of their kind: others have no name that people would say."""
        rooms = list(self._home.layout.of(Kind.ROOM))
        return [room for room in rooms if sum(r.category == room.category for r in rooms) == 1]

    def things(self, room: str, used: Collection[str]) -> list[Entity]:
        """What a hand can take in a room (empty: anywhere) and is not `used`."""
        graph, kinds = self._home.truth, Counter(o.category for o in self._home.house.objects)
        models = {o.name: object_model(o) for o in self._home.house.objects}
        return [e for e in graph.of(Kind.OBJECT) if e.id not in used and min(models[e.id].size[:2]) <= HAND
                and not (kinds[e.category] > 1 and _is_plural(_plain(e)))  # there is no "one scissors"
                and (not room or (at := graph.room_of(e.id)) is not None and at.id == room)]

    def thing(self, there: Sequence[Entity], several: bool = True, where: bool = True) -> Meant:
        """One of these; with `several` some of a sort, too, with `where` now and then where it is."""
        one = self._rng.choice(there)
        if several and self._rng.random() < _SORT and (sort := self._sort(one, there)) is not None:
            return sort
        alike = [e.id for e in self._home.truth.of(Kind.OBJECT) if e.category == one.category]
        name = self._name(one)
        if len(alike) == 1:
            at = self._where(one) if where and self._rng.random() < _WHERE else ""
            return Meant((one.id,), _that_is(name, at))
        return self._of_several(one, alike, name, several, where)

    def _of_several(self, one: Entity, alike: Sequence[str], name: str, several: bool, where: bool
                    ) -> Meant:
        """One of things alike: any, all, a number of them, or that which stands in a place of its own."""
        holder, apart = self._holder(one), [i for i in alike if self._holder(self._home.truth[i]) == self._holder(one)]
        choice = self._rng.random()
        if several and choice < 0.3 and len(alike) in _NUMBERS:
            number = f"the {_NUMBERS[len(alike)]}"
            every = self._rng.choice(("both the", "both") if len(alike) == 2 else ("all the", number))
            return Meant(tuple(alike), f"{every} {plural_of(name)}", len(alike))
        if several and choice < 0.5 and len(alike) > 2:
            return Meant(tuple(alike), f"two {plural_of(name)}", 2)
        if (choice < 0.75 or _is_plural(name)) and where and len(apart) == 1 and holder and (at := self._where(one)):
            return Meant((one.id,), _that_is(name, at))
        return Meant(tuple(alike), with_article(name))

    def _sort(self, one: Entity, there: Sequence[Entity]) -> Meant | None:
        """All of a more general sort in its room: ``all the toys in the bedroom``."""
        entry, room = object_categories().get(one.category), self._home.truth.room_of(one.id)
        if entry is None or not entry.hypernyms or room is None or room not in self._rooms:
            return None
        word = self._rng.choice(entry.hypernyms)
        if word.split()[-1] in default_lexicon().mass_nouns or word not in object_categories():
            return None
        is_a = self._home.vocabulary.is_a
        every = [e.id for e in self._home.truth.of(Kind.OBJECT) if is_a(e.category, word)
                 and self._home.truth.room_of(e.id) == room]
        if not 2 <= len(every) <= 4 or not set(every) <= {e.id for e in there}:
            return None
        return Meant(tuple(every), f"all the {plural_of(word.replace('_', ' '))} in the {_plain(room)}", len(every))

    def piece(self, pieces: Sequence[Entity], room: bool = True) -> Meant:
        """One of these pieces of furniture, or any that is called the same; with `room` now and then where it is."""
        one = self._rng.choice(pieces)
        alike = [e for e in self._home.layout.of(Kind.FURNITURE) if e.category == one.category]
        name = self._name(one)
        if len(alike) == 1:
            return Meant((one.id,), f"the {name}{self._room_words(one, _WHERE / 2 * room)}")
        here = self._home.layout.room_of(one.id)
        fellows = [e for e in alike if self._home.layout.room_of(e.id) == here]
        if len(fellows) == 1 and here in self._rooms:
            return Meant((one.id,), f"the {name}{self._room_words(one, 1.0)}")
        words = f"one of the {name}" if _is_plural(name) else with_article(name)
        return Meant(tuple(e.id for e in alike), words)

    def alike(self, pieces: Sequence[Entity]) -> list[Entity] | None:
        """All of some category of which there are several."""
        groups = [[e for e in pieces if e.category == kind] for kind in sorted({e.category for e in pieces})]
        several = [group for group in groups if len(group) > 1]
        return self._rng.choice(several) if several else None

    def called_by_kind(self, pieces: Sequence[Entity], words: str, plural: bool) -> Meant:
        """All of these, called ``the same chair``."""
        name = _plain(pieces[0])
        return Meant(tuple(e.id for e in pieces), f"{words} {plural_of(name) if plural else name}")

    def room(self, used: Collection[str]) -> Meant | None:
        """A room that has a name of its own and is none of `used`."""
        rooms = [r for r in self._rooms if r.id not in used]
        return Meant(((room := self._rng.choice(rooms)).id,), f"the {_plain(room)}") if rooms else None

    def _room_words(self, piece: Entity, share: float) -> str:
        room = self._home.layout.room_of(piece.id)
        named = room is not None and room in self._rooms and self._rng.random() < share
        return f" in the {_plain(room)}" if room is not None and named else ""

    def _where(self, thing: Entity) -> str:
        """``on the desk``, ``in the kitchen``; empty where that has no name of its own."""
        edge, room = self._home.truth.support(thing.id), self._home.truth.room_of(thing.id)
        piece = self._home.layout.entities.get(edge.object) if edge is not None else None
        if piece is not None and edge is not None and sum(
                e.category == piece.category for e in self._home.layout.of(Kind.FURNITURE)) == 1:
            return f"{'in' if edge.relation is Relation.IN else 'on'} the {_plain(piece)}"
        return f"in the {_plain(room)}" if room is not None and room in self._rooms else ""

    def _holder(self, thing: Entity) -> str:
        edge = self._home.truth.support(thing.id)
        return edge.object if edge is not None else ""

    def _name(self, entity: Entity) -> str:
        """Its own, or one that nothing else in the home shares."""
        if entity.kind is Kind.FURNITURE and "power_on" in affordances_of(entity.category):
            return _plain(entity)  # others may be of what is switched on, as a sink's tap, which is no place
        entry = object_categories().get(entity.category) or furniture_categories().get(entity.category)
        free = [name for name in (entry.aliases if entry is not None else ())
                if name.replace(" ", "").isalpha() and _is_plural(name) == _is_plural(_plain(entity))
                and self._is_only(name, entity)]
        return self._rng.choice(free) if free and self._rng.random() < _ALIAS else _plain(entity)

    def _is_only(self, name: str, entity: Entity) -> bool:
        vocabulary = self._home.vocabulary
        meant = {entry.category for entry, _ in vocabulary.named(vocabulary.lexicon.normal(name))}
        return {e.category for e in self._home.truth} & meant == {entity.category}


def _plain(entity: Entity) -> str:
    return entity.category.replace("_", " ").replace("-", " ")


def _that_is(name: str, at: str) -> str:
    return f"the {name} that {'are' if _is_plural(name) else 'is'} {at}" if at else f"the {name}"


def _is_plural(name: str) -> bool:
    """True of scissors, and of headphones."""
    return plural_of(name) == name
