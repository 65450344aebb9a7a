"""What can be done with a category, and the states in which a thing starts."""

from __future__ import annotations

from dadu.sim.house_format import Furniture, Object
from dadu.sim.states import affordances_of, start_states

__all__ = ["affordances_of", "initial_states"]


def initial_states(item: Object | Furniture, affordances: frozenset[str]) -> dict[str, bool]:
    """By predicate, as `dadu.sim.states.start_states`."""
    return start_states(item.category, item.states)
