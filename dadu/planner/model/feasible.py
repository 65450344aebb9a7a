"""Which skills are possible now, with which arguments: what the schema allows and a reply is checked against.

Source: PARTNR's generation constrained to observed entities, narrowed further by the logic errors of EMMOE. What each
skill takes and needs is read from the table of skills.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dadu.core.errors import choices
from dadu.knowledge.nouns import ground
from dadu.planner.model.reach import reach
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.effects import ROBOT
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import Argument, Hand, MovesPart, Puts, SkillSpec
from dadu.skills.table import BASE_CAPABILITIES, SKILLS
from dadu.world.graph import Entity, Kind, Relation, WorldGraph

_SHOWN = 60
"""characters of a name that there is not, as it is quoted"""


@dataclass(frozen=True)
class Variant:
    """One form of a skill: the values that each of its arguments may have."""

    skill: str
    arguments: Mapping[str, tuple[str, ...]]

    def call(self, arguments: Mapping[str, str]) -> SkillCall | None:
        """The call with these arguments, or None where they do not fit."""
        if arguments.keys() != self.arguments.keys() or any(v not in self.arguments[k] for k, v in arguments.items()):
            return None
        return SkillCall(self.skill, SKILLS[self.skill].ordered(arguments))


@dataclass(frozen=True)
class _Now:
    """What is possible depends on."""

    graph: WorldGraph
    held: Entity | None
    near: Callable[[str], bool]

    @classmethod
    def of(cls, graph: WorldGraph, situation: Situation | None) -> _Now:
        return cls(graph, graph.held(ROBOT), reach(graph, situation))


def feasible(graph: WorldGraph, capabilities: Sequence[str] = BASE_CAPABILITIES,
             situation: Situation | None = None) -> list[Variant]:
    """Every form that is possible now; forms without a possible argument are left out. Without `situation`, as if all
    were in reach."""
    now = _Now.of(graph, situation)
    variants = [v for name, spec in SKILLS.items() if name in capabilities for v in _variants(spec, now)]
    return [v for v in variants if all(v.arguments.values())]


def infeasible(skill: str, arguments: Mapping[str, str], graph: WorldGraph, variants: Sequence[Variant],
               situation: Situation | None = None) -> SkillResult:
    """Why a reply that fits none of `variants` cannot be carried out, with what can be instead."""
    possible = [v for v in variants if v.skill == skill]
    skills = choices({v.skill for v in variants})
    if skill not in SKILLS or (not SKILLS[skill].base and not possible):
        return SkillResult(Code.UNKNOWN_ACTION, f"there is no action {skill[:_SHOWN]!r}; possible now: {skills}")
    possible = possible or feasible(graph, (skill,))  # were it in reach
    spec, now = SKILLS[skill], _Now.of(graph, situation)
    target = _target(spec, arguments)
    refused = _wrong_hand(spec, target, now, skills)
    if refused is None and target in graph:
        refused = _out_of_hand(spec, target, arguments, now, possible)
    if refused is not None:
        return refused
    if not possible:
        return SkillResult(Code.UNKNOWN_ACTION, f"{skill} is not possible now; possible: {skills}")
    given = ", ".join(f"{k}={v[:_SHOWN]}" for k, v in arguments.items()) or "no arguments"
    return SkillResult(Code.UNKNOWN_TARGET, f"{skill} cannot take {given}{_nearest(target, graph, possible)}; it takes "
                       f"{_values(possible)}")


def plan_items(graph: WorldGraph, capabilities: Sequence[str] = BASE_CAPABILITIES) -> tuple[str, ...]:
    """Every step that a plan may hold, as words: of what exists, whatever is possible at the moment."""
    specs = [spec for name, spec in SKILLS.items() if name in capabilities]
    items = [f"{spec.name} {value}" for spec in specs if len(spec.arguments) == 1
             for value in _of_kind(spec, spec.arguments[0], graph)]
    if any(spec.does(Puts) for spec in specs):
        items += [f"place {relation} {e.id}" for e in graph.of(Kind.FURNITURE)
                  for relation, inside in (("on", False), ("in", True)) if any(s.inside is inside for s in e.surfaces)]
    return (*sorted(items), *(spec.name for spec in specs if not spec.arguments))


def _variants(spec: SkillSpec, now: _Now) -> list[Variant]:
    """The forms of one skill; an argument may be left without a value."""
    if (spec.hand is Hand.EMPTY and now.held is not None) or (spec.hand is Hand.FULL and now.held is None):
        return []
    if spec.does(Puts):
        return _placings(spec, now)
    return [Variant(spec.name, {a.name: _possible(spec, a, now) for a in spec.arguments if not a.optional})]


def _possible(spec: SkillSpec, argument: Argument, now: _Now) -> tuple[str, ...]:
    """The values that an argument may have now."""
    return tuple(v for v in _of_kind(spec, argument, now.graph) if v not in now.graph or _fits(spec, argument, v, now))


def _of_kind(spec: SkillSpec, argument: Argument, graph: WorldGraph) -> tuple[str, ...]:
    """The values that an argument may have at all, the words last."""
    ids = (e.id for e in graph if e.kind in argument.kinds and (e.is_container or not spec.does(MovesPart)))
    return (*sorted(ids), *argument.words)


def _fits(spec: SkillSpec, argument: Argument, id: str, now: _Now) -> bool:
    if argument.held or (now.held is not None and id == now.held.id):
        alone = not any(a.held for a in spec.arguments)  # else that one is what the hand holds
        return now.held is not None and id == now.held.id and (argument.held or bool(argument.stand) and alone)
    if argument.stand and (not now.near(id) or _closed_around(now.graph, id)):
        return False
    moved = [effect.open for effect in spec.effects if isinstance(effect, MovesPart)]
    return all(not all(p.open if open else p.closed for p in now.graph[id].parts) for open in moved)


def _placings(spec: SkillSpec, now: _Now) -> list[Variant]:
    """On what is in reach, in what is open, and beside each thing that stands there."""
    graph = now.graph
    pieces = [e for e in graph.of(Kind.FURNITURE) if now.near(e.id)]
    on = tuple(sorted(e.id for e in pieces if any(not s.inside for s in e.surfaces)))
    inside = tuple(sorted(e.id for e in pieces if _accessible(e)))
    beside = [(o.id, edge.object) for o in graph.of(Kind.OBJECT) if now.held is not None and o.id != now.held.id
              and (edge := graph.support(o.id)) is not None and edge.relation is Relation.ON and edge.object in on]
    variants = [Variant(spec.name, {"relation": ("on",), "receptacle": on}),
                Variant(spec.name, {"relation": ("in",), "receptacle": inside})]
    for receptacle in sorted({r for _, r in beside}):
        references = tuple(sorted(o for o, r in beside if r == receptacle))
        variants.append(Variant(spec.name, {"relation": ("on",), "receptacle": (receptacle,),
                                            "reference": references}))
    return variants


def _wrong_hand(spec: SkillSpec, target: str, now: _Now, skills: str) -> SkillResult | None:
    """What speaks against a skill with what the hand holds."""
    held = now.held
    if spec.hand is Hand.EMPTY and held is not None:
        return SkillResult(Code.HAND_FULL, f"{held.id} is in the hand; place it first", target=held.id)
    if spec.at is None and held is not None and target == held.id:
        return SkillResult(Code.HAND_FULL, f"{held.id} is in the hand; go to where it is to be put", target=held.id)
    if spec.hand is Hand.FULL and held is None:
        return SkillResult(Code.HAND_EMPTY, f"nothing is in the hand; pick something first. Possible now: {skills}")
    return None


def _out_of_hand(spec: SkillSpec, target: str, arguments: Mapping[str, str], now: _Now, possible: Sequence[Variant]
                 ) -> SkillResult | None:
    """What keeps the hand from the target of a skill: a door, or the way to it."""
    if spec.at is None:
        return None
    container = _closed_around(now.graph, target)
    if spec.does(Puts) and arguments.get("relation") == "in" and now.graph[target].closed:
        container = target
    if container:
        return SkillResult(Code.CONTAINER_CLOSED, f"{container} is closed; open it first", target=container)
    if spec.does(MovesPart) and not now.graph[target].is_container:
        return SkillResult(Code.NOT_INTERACTIVE, f"{target} cannot be opened or closed; possible: "
                           f"{_values(possible)}", target=target)
    if not now.near(target):
        return SkillResult(Code.TOO_FAR, f"{target} is out of reach; go_to {target} first", target=target)
    return None


def _accessible(piece: Entity) -> bool:
    """Whether something can be put in it as it is now."""
    return any(s.inside and ((part := piece.part_of(s)) is None or part.open) for s in piece.surfaces)


def _closed_around(graph: WorldGraph, id: str) -> str:
    """The closed container that an object is in, or empty."""
    edge = graph.support(id)
    inside = edge is not None and edge.relation is Relation.IN and edge.object in graph
    return edge.object if edge is not None and inside and graph[edge.object].closed else ""


def _nearest(target: str, graph: WorldGraph, possible: Sequence[Variant]) -> str:
    """What the graph holds that may be meant by a name that it lacks, of what is possible."""
    values = {value for variant in possible for choices in variant.arguments.values() for value in choices}
    found = [m.id for m in ground(target, graph) if m.id in values] if target and target not in graph else []
    return f" (nearest: {', '.join(found[:3])})" if found else ""


def _target(spec: SkillSpec, arguments: Mapping[str, str]) -> str:
    """What a call is about: where it asks the robot to stand, else its first argument."""
    about = spec.at or next(iter(spec.arguments), None)
    return str(arguments.get(about.name, "")) if about is not None else ""


def _values(variants: Sequence[Variant]) -> str:
    return " or ".join("; ".join(f"{k}: {choices(v, 15)}" for k, v in variant.arguments.items()) or "no arguments"
                       for variant in variants[:3])
