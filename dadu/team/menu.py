"""What an agent can do with a thing, a piece of furniture or a place: by the table of skills, its own capabilities and
what it knows; for people who choose by pointing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from dadu.house.states import affordances_of
from dadu.planner.model.feasible import SkillVariant, feasible
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.table import SKILLS
from dadu.world.graph import WorldGraph

_DRIVE = "go_to"


def menu(id: str, graph: WorldGraph, capabilities: Sequence[str]) -> list[SkillCall]:
    """Calls about what is called `id`, in the table's order; without it (empty) those about nothing in particular.
    As if all were in reach: `approached` adds the way there."""
    return [call for variant in feasible(graph, capabilities) for call in _calls(variant, id, graph)]


def approached(call: SkillCall, graph: WorldGraph, capabilities: Sequence[str], situation: Situation
               ) -> list[SkillCall]:
    """The call, after the way to where it can be carried out, if that is elsewhere."""
    spec = SKILLS[call.skill]
    at, named = spec.at, spec.named(call.arguments)
    target = named.get(at.name, "") if at is not None else ""
    held = graph.held()
    if target not in graph or (held is not None and held.id == target):
        return [call]
    here = any(call in _calls(variant, target, graph) for variant in feasible(graph, capabilities, situation))
    return [call] if here else [SkillCall(_DRIVE, (target,)), call]


def _calls(variant: SkillVariant, id: str, graph: WorldGraph) -> Iterator[SkillCall]:
    spec = SKILLS[variant.skill]
    if not variant.arguments and not id and variant.skill != "done":
        yield SkillCall(variant.skill)
    names = list(variant.arguments)
    # Beside a thing is said of that thing: what both of them stand on does not matter to who points at it.
    about = names[-1:] if "reference" in names else names
    for name in about:
        if id not in variant.arguments[name]:
            continue
        affordance = next(a.affordance for a in spec.arguments if a.name == name)
        if affordance and affordance not in affordances_of(graph[id].category):
            continue
        others: Collection[tuple[str, ...]] = [(id,) if other == name else variant.arguments[other] for other in names]
        for values in product(*others):
            call = variant.call(dict(zip(names, values)))
            if call is not None:
                yield call
