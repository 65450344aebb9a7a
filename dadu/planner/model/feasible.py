"""Which skills are possible now, with which arguments: what the schema allows.

Source: PARTNR's generation constrained to observed entities, narrowed further by the logic errors of EMMOE. What each
skill takes and needs is read from the table of skills.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dadu.planner.model.reach import Now, closed_around
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.specification import Argument, Hand, MovesPart, Puts, SkillSpec
from dadu.skills.table import BASE_CAPABILITIES, SKILLS
from dadu.world.graph import ROBOT, Entity, Kind, Relation, WorldGraph


@dataclass(frozen=True)
class SkillVariant:
    """One form of a skill: the values that each of its arguments may have."""

    skill: str
    arguments: Mapping[str, tuple[str, ...]]

    def call(self, arguments: Mapping[str, str]) -> SkillCall | None:
        """The call with these arguments, or None where they do not fit."""
        if arguments.keys() != self.arguments.keys() or any(v not in self.arguments[k] for k, v in arguments.items()):
            return None
        return SkillCall(self.skill, SKILLS[self.skill].ordered(arguments))


def feasible(graph: WorldGraph, capabilities: Sequence[str] = BASE_CAPABILITIES,
             situation: Situation | None = None) -> list[SkillVariant]:
    """Every form that is possible now; forms without a possible argument are left out. Without `situation`, as if all
    were in reach."""
    now = Now.of(graph, situation)
    variants = [v for name, spec in SKILLS.items() if name in capabilities for v in _variants(spec, now)]
    return [v for v in variants if all(v.arguments.values())]


def plan_items(graph: WorldGraph, capabilities: Sequence[str] = BASE_CAPABILITIES) -> tuple[str, ...]:
    """Every step that a plan may hold, as words: of what exists, whatever is possible at the moment."""
    specs = [spec for name, spec in SKILLS.items() if name in capabilities]
    items = [f"{spec.name} {value}" for spec in specs if len(spec.arguments) == 1
             for value in _of_kind(spec, spec.arguments[0], graph)]
    if any(spec.does(Puts) for spec in specs):
        items += [f"place {relation} {e.id}" for e in graph.of(Kind.FURNITURE)
                  for relation, inside in (("on", False), ("in", True)) if any(s.inside is inside for s in e.surfaces)]
    return (*sorted(items), *(spec.name for spec in specs if not spec.arguments))


def _variants(spec: SkillSpec, now: Now) -> list[SkillVariant]:
    """The forms of one skill; an argument may be left without a value."""
    if (spec.hand is Hand.EMPTY and now.held is not None) or (spec.hand is Hand.FULL and now.held is None):
        return []
    if spec.does(Puts):
        return _placings(spec, now)
    return [SkillVariant(spec.name, {a.name: _possible(spec, a, now) for a in spec.arguments if not a.optional})]


def _possible(spec: SkillSpec, argument: Argument, now: Now) -> tuple[str, ...]:
    """The values that an argument may have now."""
    return tuple(v for v in _of_kind(spec, argument, now.graph) if v not in now.graph or _fits(spec, argument, v, now))


def _of_kind(spec: SkillSpec, argument: Argument, graph: WorldGraph) -> tuple[str, ...]:
    """The values that an argument may have at all, the words last."""
    any_piece = not spec.does(MovesPart)
    ids = (e.id for e in graph if e.kind in argument.kinds and (any_piece or e.is_container) and e.id != ROBOT)
    return (*sorted(ids), *argument.words)


def _fits(spec: SkillSpec, argument: Argument, id: str, now: Now) -> bool:
    """True if an entity of the right kind may be the argument now."""
    if argument.held or now.holds(id):
        alone = not any(other.held for other in spec.arguments)  # else that one is what the hand holds
        return now.holds(id) and (argument.held or bool(argument.stand) and alone)
    if argument.stand and (not now.near(id) or closed_around(now.graph, id)):
        return False
    return all(any(not (part.surely_open if effect.open else part.surely_closed) for part in now.graph[id].parts)
               for effect in spec.effects if isinstance(effect, MovesPart))


def _placings(spec: SkillSpec, now: Now) -> list[SkillVariant]:
    """On what is in reach, in what is open, and beside each thing that stands there."""
    pieces = [e for e in now.graph.of(Kind.FURNITURE) if now.near(e.id)]
    on = tuple(sorted(e.id for e in pieces if any(not s.inside for s in e.surfaces)))
    inside = tuple(sorted(e.id for e in pieces if _accessible(e)))
    variants = [SkillVariant(spec.name, {"relation": ("on",), "receptacle": on}),
                SkillVariant(spec.name, {"relation": ("in",), "receptacle": inside})]
    for receptacle in on:
        references = tuple(sorted(id for id in _standing_on(receptacle, now.graph) if not now.holds(id)))
        if references:
            variants.append(SkillVariant(spec.name, {"relation": ("on",), "receptacle": (receptacle,),
                                                     "reference": references}))
    return variants


def _standing_on(receptacle: str, graph: WorldGraph) -> Iterator[str]:
    for thing in graph.of(Kind.OBJECT):
        edge = graph.support(thing.id)
        if edge is not None and edge.relation is Relation.ON and edge.object == receptacle:
            yield thing.id


def _accessible(piece: Entity) -> bool:
    """True if something can be put in it as it is now."""
    return any(s.inside and ((part := piece.part_of(s)) is None or part.open) for s in piece.surfaces)
