"""Why a skill that was asked for is not possible now, and what is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dadu.core.errors import QUOTED, choices
from dadu.knowledge.nouns import ground
from dadu.planner.model.feasible import SkillVariant, feasible
from dadu.planner.model.reach import Now, closed_around
from dadu.planner.situation import Situation
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import Hand, MovesPart, Puts, SkillSpec
from dadu.skills.table import SKILLS
from dadu.world.graph import WorldGraph


def infeasible(skill: str, arguments: Mapping[str, str], graph: WorldGraph, variants: Sequence[SkillVariant],
               situation: Situation | None = None) -> SkillResult:
    """Why a reply that fits none of `variants` cannot be carried out, with what can be instead."""
    possible = [v for v in variants if v.skill == skill]
    skills = choices({v.skill for v in variants})
    if skill not in SKILLS or (not SKILLS[skill].base and not possible):
        return SkillResult(Code.UNKNOWN_ACTION, f"there is no action {skill[:QUOTED]!r}; possible now: {skills}")
    possible = possible or feasible(graph, (skill,))  # were it in reach
    spec, now = SKILLS[skill], Now.of(graph, situation)
    about = spec.at or next(iter(spec.arguments), None)
    target = str(arguments.get(about.name, "")) if about is not None else ""
    refused = _wrong_hand(spec, target, now, skills)
    if refused is None and target in graph:
        refused = _hand_obstacle(spec, target, arguments, now, possible)
    if refused is not None:
        return refused
    if not possible:
        return SkillResult(Code.UNKNOWN_ACTION, f"{skill} is not possible now; possible: {skills}")
    given = ", ".join(f"{k}={v[:QUOTED]}" for k, v in arguments.items()) or "no arguments"
    return SkillResult(Code.UNKNOWN_TARGET, f"{skill} cannot take {given}{_nearest(target, graph, possible)}; it takes "
                       f"{_values(possible)}")


def _wrong_hand(spec: SkillSpec, target: str, now: Now, skills: str) -> SkillResult | None:
    """What speaks against a skill with what the hand holds."""
    held = now.held
    if spec.hand is Hand.EMPTY and held is not None:
        return SkillResult(Code.HAND_FULL, f"{held.id} is in the hand; place it first", target=held.id)
    if spec.at is None and held is not None and target == held.id:
        return SkillResult(Code.HAND_FULL, f"{held.id} is in the hand; go to where it is to be put", target=held.id)
    if spec.hand is Hand.FULL and held is None:
        return SkillResult(Code.HAND_EMPTY, f"nothing is in the hand; pick something first. Possible now: {skills}")
    return None


def _hand_obstacle(spec: SkillSpec, target: str, arguments: Mapping[str, str], now: Now,
                   possible: Sequence[SkillVariant]) -> SkillResult | None:
    """What keeps the hand from the target of a skill: a door, or the way to it."""
    if spec.at is None:
        return None
    container = closed_around(now.graph, target)
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


def _nearest(target: str, graph: WorldGraph, possible: Sequence[SkillVariant]) -> str:
    """What the graph holds that may be meant by a name that it lacks, of what is possible."""
    values = {value for variant in possible for choices in variant.arguments.values() for value in choices}
    found = [m.id for m in ground(target, graph) if m.id in values] if target and target not in graph else []
    return f" (nearest: {', '.join(found[:3])})" if found else ""


def _values(variants: Sequence[SkillVariant]) -> str:
    return " or ".join("; ".join(f"{k}: {choices(v, 15)}" for k, v in variant.arguments.items()) or "no arguments"
                       for variant in variants[:3])
