"""What people in a home call its things."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dadu.knowledge.vocabulary import Vocabulary
from dadu.learning.sentences.held_out import kept_out, may_be_taught
from dadu.world.graph import Entity, Kind, WorldGraph

_STATES = frozenset({"dirty", "clean"})
"""one of these among some adjectives: they are of states, which nobody need know beforehand"""
_ALIAS, _GENERAL = 0.3, 0.06
"""share of things called by another of their names, and by a more general word"""


class HomeNames:
    """For one instruction: each thing is drawn once, as long as there are others; and words that say which, or where it
    is, are true."""

    def __init__(self, graph: WorldGraph, vocabulary: Vocabulary, held_out: bool = False) -> None:
        """`graph`: all that there is; `held_out`: with the names that training never sees, and rather with those."""
        self._graph, self._vocabulary, self._held_out = graph, vocabulary, held_out
        self._used: set[str] = set()
        self._meant: Entity | None = None
        self._newest: Entity | None = None
        self._follows = False
        self.guessed = False
        """whether something was said of a thing that is not known to be so"""

    def adjective(self, kind: Kind, options: Sequence[str], rng: random.Random) -> str:
        """One that is true of something, where one of them is; else another that is, unless they are of states."""
        known = [(word, e) for e in self._graph.of(kind) for word in e.attributes.values() if word.isalpha()]
        true = [(word, e) for word, e in known if word in options]
        if not true and set(options) & _STATES:
            return rng.choice(options)
        true = true or known
        if not true:
            self.guessed = True
            return rng.choice(options)
        word, self._meant = rng.choice(true)
        return word

    def follow(self) -> None:
        """The next place is where the newest thing is."""
        self._follows = True

    def draw(self, kind: Kind, rng: random.Random) -> str:
        """A name of something in the home, in the singular."""
        entity = self._chosen(kind, rng)
        self._meant, self._follows, self._newest = None, False, entity
        self._used.add(entity.id)
        return rng.choice(self._called(entity, rng))

    def _chosen(self, kind: Kind, rng: random.Random) -> Entity:
        if self._meant is not None and self._meant.kind is kind:
            return self._meant
        there = self._place(kind) if self._follows else None
        if there is not None:
            return there
        every = list(self._graph.of(kind))
        if kind is Kind.OBJECT and self._held_out and rng.random() < 0.5:
            every = [e for e in every if kept_out(e.category)] or every
        return rng.choice([e for e in every if e.id not in self._used] or every)

    def _place(self, kind: Kind) -> Entity | None:
        """Where the newest thing is."""
        if self._newest is None:
            return None
        if kind is Kind.ROOM:
            return self._graph.room_of(self._newest.id)
        edge = self._graph.support(self._newest.id)
        holder = self._graph.entities.get(edge.object) if edge is not None else None
        return holder if holder is not None and holder.kind is kind else None

    def _called(self, entity: Entity, rng: random.Random) -> list[str]:
        """Names of one sort: its own, others, or more general ones."""
        own, entry = [entity.category.replace("_", " ")], self._vocabulary.entries.get(entity.category)
        if entry is None or rng.random() >= _ALIAS + _GENERAL:
            return own
        general = entity.kind is Kind.OBJECT and rng.random() < _GENERAL / (_ALIAS + _GENERAL)
        others = sorted(" ".join(words) for words in (entry.hypernyms if general else entry.aliases))
        free = self._held_out or entity.kind is not Kind.OBJECT
        return [name for name in others if name.replace(" ", "").isalpha() and (free or may_be_taught(name))] or own
