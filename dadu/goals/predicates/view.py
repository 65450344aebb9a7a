"""What a test of a predicate may ask of a world, whether that is the true one or what the robot believes of it.

Answers are three-valued (Kleene's logic): True, False, or None where it is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from dadu.world.boxes import OrientedBox
from dadu.world.graph import Articulation, Edge, Kind

Answer = bool | None
"""None: not known"""


class WorldView(Protocol):
    """The primitives that every test is made of. Things are named by id, parts as ``FURNITURE/PART``."""

    unheard: Answer
    """the answer to anything about a thing that the view holds nothing of"""
    exact: bool
    """whether what it holds was not measured, and is so to the last digit"""

    def kind(self, id: str) -> Kind | None:
        """Of a thing or part; None where the view holds nothing of it."""

    def category(self, id: str) -> str:
        """As in the catalogue; empty where it has none."""

    def held(self, id: str) -> Answer:
        """True if it is in somebody's hand."""

    def held_by(self, id: str, agent: str) -> Answer:
        """True if it is in this agent's hand."""

    def supports(self, id: str) -> tuple[Edge, ...] | None:
        """What it rests on or in, with nothing between; empty for what is held, moves or stands by itself."""

    def lies_on_floor(self, id: str) -> Answer:
        """True if it lies on the floor itself."""

    def rooms(self, id: str) -> frozenset[str] | None:
        """The rooms that it is in; two where it lies across a threshold."""

    def box(self, id: str) -> OrientedBox | None:
        """The space that it takes up, map [m]."""

    def state(self, id: str, name: str, opposite: str = "") -> Answer:
        """True if it is so, as is said of this state or of its opposite."""

    def parts(self, id: str) -> tuple[Articulation, ...] | None:
        """Doors and drawers, as far as each is open now; of ``FURNITURE/PART`` that one."""


def any_of(answers: Iterable[Answer]) -> Answer:
    """True where one is; else None where one is not known."""
    unknown = False
    for answer in answers:
        if answer:
            return True
        unknown = unknown or answer is None
    return None if unknown else False


def all_of(answers: Iterable[Answer]) -> Answer:
    """False where one is; else None where one is not known."""
    return negated(any_of(map(negated, answers)))


def negated(answer: Answer) -> Answer:
    """What is not known stays so."""
    return None if answer is None else not answer


def told(states: Mapping[str, bool], name: str, opposite: str) -> Answer:
    """A state, by its own name or by that of its opposite."""
    if name in states:
        return states[name]
    return not states[opposite] if opposite in states else None
