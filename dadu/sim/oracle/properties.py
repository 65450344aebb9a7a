"""What can be done with a category, and the states in which a thing starts."""

from __future__ import annotations

from functools import cache

from dadu.sim.catalogue import furniture_categories, object_categories
from dadu.sim.house_format import Furniture, Object

STATES = {"clean": "is_clean", "filled": "is_filled", "powered": "is_powered_on", "sliced": "is_sliced",
          "hot": "is_hot", "cold": "is_cold"}
"""State of a house file to the predicate that speaks of it."""
CHANGES = {"clean": "clean", "fill": "filled", "slice": "sliced", "power_on": "powered"}
"""Affordance to the state that it changes."""


@cache
def affordances_of(category: str) -> frozenset[str]:
    """As the catalogue has them; a category of one's own can be picked and cleaned."""
    entry = object_categories().get(category) or furniture_categories().get(category)
    return frozenset(entry.affordances) if entry is not None else frozenset(("pick", "clean"))


def initial_states(item: Object | Furniture, affordances: frozenset[str]) -> dict[str, bool]:
    """By predicate. What can be changed starts unchanged (dirty, empty, off, whole); what can be poured but not filled
    is full."""
    states = {STATES[state]: False for affordance, state in CHANGES.items() if affordance in affordances}
    if "pour" in affordances and "fill" not in affordances:
        states["is_filled"] = True
    return states
