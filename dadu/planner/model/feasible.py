"""Which skills are possible now, with which arguments: what the schema allows and a reply is checked against.

Source: PARTNR's generation constrained to observed entities, narrowed further by the logic errors of EMMOE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dadu.core.errors import choices
from dadu.knowledge.nouns import ground
from dadu.planner.model.reach import reach
from dadu.planner.situation import Situation
from dadu.skills.call import BASE_CAPABILITIES, SKILLS, SkillCall
from dadu.skills.effects import ROBOT
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Entity, Kind, Relation, WorldGraph

_SWITCHES = ("power_on", "power_off")
_STATES = ("clean", "fill", "slice", *_SWITCHES)
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
        values = [arguments[name] for name in SKILLS[self.skill].arguments if name in arguments]
        if "reference" in arguments:
            values.insert(2, "next_to")
        return SkillCall(self.skill, tuple(values))


def feasible(graph: WorldGraph, capabilities: Sequence[str] = BASE_CAPABILITIES,
             situation: Situation | None = None) -> list[Variant]:
    """Every form that is possible now; forms without a possible argument are left out. Without `situation`, as if all
    were in reach."""
    held, near = graph.held(ROBOT), reach(graph, situation)
    variants = [Variant("go_to", {"target": _targets(graph)}), Variant("explore", {"room": _rooms(graph)}),
                Variant("wait", {}), Variant("done", {})]
    variants += _with_full_hand(graph, held, near) if held is not None else _with_empty_hand(graph, near)
    variants += _on_states(graph, held, near)
    return [v for v in variants if v.skill in capabilities and all(v.arguments.values())]


def infeasible(skill: str, arguments: Mapping[str, str], graph: WorldGraph, variants: Sequence[Variant],
               situation: Situation | None = None) -> SkillResult:
    """Why a reply that fits none of `variants` cannot be carried out, with what can be instead."""
    possible = [v for v in variants if v.skill == skill]
    skills = choices({v.skill for v in variants})
    if skill not in SKILLS or (skill not in BASE_CAPABILITIES and not possible):
        return SkillResult(Code.UNKNOWN_ACTION, f"there is no action {skill[:_SHOWN]!r}; possible now: {skills}")
    possible = possible or feasible(graph, (skill,))  # were it in reach
    held, target = graph.held(ROBOT), _target(skill, arguments)
    if skill in ("pick", "open", "close") and held is not None:
        return SkillResult(Code.HAND_FULL, f"{held.id} is in the hand; place it first", target=held.id)
    if skill == "go_to" and held is not None and target == held.id:
        return SkillResult(Code.HAND_FULL, f"{held.id} is in the hand; go to where it is to be put", target=held.id)
    if skill == "place" and held is None:
        return SkillResult(Code.HAND_EMPTY, f"nothing is in the hand; pick something first. Possible now: {skills}")
    if target in graph:
        container = _closed_around(graph, target) if skill == "pick" else target
        into = skill == "pick" or (skill == "place" and arguments.get("relation") == "in")
        if container and graph[container].closed and into:
            return SkillResult(Code.CONTAINER_CLOSED, f"{container} is closed; open it first", target=container)
        if skill in ("open", "close") and not graph[target].is_container:
            return SkillResult(Code.NOT_INTERACTIVE, f"{target} cannot be opened or closed; possible: "
                               f"{_values(possible)}", target=target)
        if skill not in ("go_to", "explore") and not reach(graph, situation)(target):
            return SkillResult(Code.TOO_FAR, f"{target} is out of reach; go_to {target} first", target=target)
    if not possible:
        return SkillResult(Code.UNKNOWN_ACTION, f"{skill} is not possible now; possible: {skills}")
    given = ", ".join(f"{k}={v[:_SHOWN]}" for k, v in arguments.items()) or "no arguments"
    return SkillResult(Code.UNKNOWN_TARGET, f"{skill} cannot take {given}{_nearest(target, graph, possible)}; it takes "
                       f"{_values(possible)}")


def plan_items(graph: WorldGraph, capabilities: Sequence[str] = BASE_CAPABILITIES) -> tuple[str, ...]:
    """Every step that a plan may hold, as words: of what exists, whatever is possible at the moment."""
    objects, pieces = graph.of(Kind.OBJECT), graph.of(Kind.FURNITURE)
    containers = [e for e in pieces if e.is_container]
    things = {"go_to": [*graph.of(Kind.ROOM), *pieces, *objects], "pick": objects, "open": containers,
              "close": containers, **{skill: objects for skill in _STATES}}
    items = [f"{skill} {e.id}" for skill, entities in things.items() if skill in capabilities for e in entities]
    if "place" in capabilities:
        items += [f"place {relation} {e.id}" for e in pieces for relation, inside in (("on", False), ("in", True))
                  if any(s.inside is inside for s in e.surfaces)]
    if "explore" in capabilities:
        items += [f"explore {room}" for room in _rooms(graph)]
    return (*sorted(items), *(skill for skill in ("wait", "done") if skill in capabilities))


def _with_full_hand(graph: WorldGraph, held: Entity, near: Callable[[str], bool]) -> list[Variant]:
    pieces = [e for e in graph.of(Kind.FURNITURE) if near(e.id)]
    on = tuple(sorted(e.id for e in pieces if any(not s.inside for s in e.surfaces)))
    inside = tuple(sorted(e.id for e in pieces if _accessible(e)))
    beside = [(o.id, edge.object) for o in graph.of(Kind.OBJECT) if o.id != held.id
              and (edge := graph.support(o.id)) is not None and edge.relation is Relation.ON and edge.object in on]
    variants = [Variant("place", {"relation": ("on",), "receptacle": on}),
                Variant("place", {"relation": ("in",), "receptacle": inside})]
    for receptacle in sorted({r for _, r in beside}):
        references = tuple(sorted(o for o, r in beside if r == receptacle))
        variants.append(Variant("place", {"relation": ("on",), "receptacle": (receptacle,), "reference": references}))
    return variants


def _with_empty_hand(graph: WorldGraph, near: Callable[[str], bool]) -> list[Variant]:
    containers = [e for e in graph.of(Kind.FURNITURE) if e.is_container and near(e.id)]
    objects = tuple(sorted(e.id for e in graph.of(Kind.OBJECT) if near(e.id) and not _closed_around(graph, e.id)))
    to_open = tuple(sorted(e.id for e in containers if not all(p.open for p in e.parts)))
    to_close = tuple(sorted(e.id for e in containers if not all(p.closed for p in e.parts)))
    return [Variant("pick", {"object": objects}), Variant("open", {"receptacle": to_open}),
            Variant("close", {"receptacle": to_close})]


def _on_states(graph: WorldGraph, held: Entity | None, near: Callable[[str], bool]) -> list[Variant]:
    """What changes the state of a thing in reach or in the hand."""
    objects = tuple(sorted(e.id for e in graph.of(Kind.OBJECT) if e == held or near(e.id)))
    switched = tuple(sorted((*objects, *(e.id for e in graph.of(Kind.FURNITURE) if near(e.id)))))
    variants = [Variant(skill, {"object": switched if skill in _SWITCHES else objects}) for skill in _STATES]
    others = tuple(o for o in objects if held is not None and o != held.id)
    return [*variants, Variant("pour", {"object": (held.id,) if held is not None else (), "receptacle": others})]


def _targets(graph: WorldGraph) -> tuple[str, ...]:
    return tuple(sorted(e.id for e in graph if e.kind in (Kind.ROOM, Kind.FURNITURE)
                        or (e.kind is Kind.OBJECT and e.id != getattr(graph.held(ROBOT), "id", ""))))


def _rooms(graph: WorldGraph) -> tuple[str, ...]:
    return (*sorted(e.id for e in graph.of(Kind.ROOM)), "unknown")


def _accessible(piece: Entity) -> bool:
    """Whether something can be put in it as it is now."""
    return any(s.inside and ((part := piece.part_of(s)) is None or part.open) for s in piece.surfaces)


def _closed_around(graph: WorldGraph, id: str) -> str:
    """The closed container that an object is in, or empty."""
    edge = graph.support(id)
    shut = edge is not None and edge.relation is Relation.IN and edge.object in graph and graph[edge.object].closed
    return edge.object if shut else ""


def _nearest(target: str, graph: WorldGraph, possible: Sequence[Variant]) -> str:
    """What the graph holds that may be meant by a name that it lacks, of what is possible."""
    values = {value for variant in possible for choices in variant.arguments.values() for value in choices}
    found = [m.id for m in ground(target, graph) if m.id in values] if target and target not in graph else []
    return f" (nearest: {', '.join(found[:3])})" if found else ""


def _target(skill: str, arguments: Mapping[str, str]) -> str:
    names = SKILLS[skill].arguments
    name = "receptacle" if "receptacle" in names else names[0] if names else ""
    return str(arguments.get(name, ""))


def _values(variants: Sequence[Variant]) -> str:
    return " or ".join("; ".join(f"{k}: {choices(v, 15)}" for k, v in variant.arguments.items()) or "no arguments"
                       for variant in variants[:3])
