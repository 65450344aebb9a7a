"""The table of predicates: every fact about each stands here, and everybody reads it. How to add one:
docs/extending/predicate.md."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dadu.goals.predicates import nearness, parts, states, whereabouts
from dadu.goals.predicates.predicate import Predicate

PREDICATES: Mapping[str, Predicate] = MappingProxyType(
    {row.name: row for family in (whereabouts, nearness, states, parts) for row in family.ROWS})
"""By name, as in a suite."""
BRINGING = tuple(p.name for p in PREDICATES.values() if p.arity == 2)
"""Names of those that put a subject somewhere: they have a target."""
