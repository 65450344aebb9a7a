"""States of things and furniture: their names in house files, the predicates that speak of them, how they start."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from dadu.house.catalogue import Affordance, furniture_categories, object_categories
from dadu.world.graph import Entity


class State(str, Enum):
    """A state that a house file may give to an object or a piece of furniture."""

    CLEAN = "clean"
    FILLED = "filled"
    POWERED = "powered"
    SLICED = "sliced"
    HOT = "hot"
    COLD = "cold"
    OPEN = "open"


PREDICATES: Mapping[State, str] = {
    State.CLEAN: "is_clean", State.FILLED: "is_filled", State.POWERED: "is_powered_on", State.SLICED: "is_sliced",
    State.HOT: "is_hot", State.COLD: "is_cold", State.OPEN: "is_open",
}
"""State of a house file to the predicate of goals and of the world graph."""
CHANGED_BY: Mapping[Affordance, State] = {
    Affordance.CLEAN: State.CLEAN, Affordance.FILL: State.FILLED, Affordance.SLICE: State.SLICED,
    Affordance.POWER_ON: State.POWERED,
}
"""Affordance to the state that it changes."""


def affordances_of(category: str) -> frozenset[str]:
    """As the catalogue has them; a thing of a category of one's own can be picked up."""
    entry = object_categories().get(category) or furniture_categories().get(category)
    return frozenset(entry.affordances) if entry is not None else frozenset(("pick",))


def content_states(piece: Entity) -> dict[str, bool]:
    """What a piece of furniture makes of its contents as it stands now, by predicate: shut, a fridge cools them, and
    what is on heats or washes them."""
    affordances, on = affordances_of(piece.category), piece.states.get("is_powered_on", False)
    if piece.parts and not piece.closed:
        return {}
    if "cool" in affordances:
        return {"is_cold": True, "is_hot": False}
    if "heat" in affordances and on:
        return {"is_hot": True, "is_cold": False}
    return {"is_clean": True} if "wash" in affordances and on else {}


def start_states(category: str, given: Mapping[State, bool]) -> dict[str, bool]:
    """By predicate. What can be changed starts unchanged (empty, off, whole), what can be poured but not filled is
    full, whether it is clean is not known; `given`, from the house file, wins. ``is_open`` is left to the parts."""
    affordances = affordances_of(category)
    states = {PREDICATES[state]: False for affordance, state in CHANGED_BY.items()
              if affordance.value in affordances and state is not State.CLEAN}
    if "pour" in affordances and "fill" not in affordances:
        states[PREDICATES[State.FILLED]] = True
    return states | {PREDICATES[State(state)]: value for state, value in given.items() if state != State.OPEN}
