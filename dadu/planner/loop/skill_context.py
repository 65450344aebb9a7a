"""What a go_to is for, and which stances for it have been tried in vain: what base placement needs to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dadu.core.geometry import Pose2, Vector2, Vector3
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.specification import MovesPart, Puts, Takes
from dadu.skills.table import does
from dadu.world.graph import Kind, Relation, WorldGraph
from dadu.world.sides import side_point


@dataclass
class SkillContext:
    """Arguments of `dadu.navigation.standing.base_placement.place_base` beside target and robot."""

    purpose: str = "look"
    relation: str = ""
    part: str = ""
    next_to: str = ""
    start: Pose2 | None = None
    avoid: tuple[Pose2, ...] = ()
    towards: Vector2 | None = None
    """the side to go to, where somebody has said so: a point of it [m, map]"""
    stance: Pose2 | None = None
    """where base placement sent the robot"""
    work: Vector3 | None = None
    """the point that is worked at from there, where there is one [m, map]"""
    by: str = ""
    """name of one of the skill's ways; empty: the first"""
    nearer: bool = False
    """whether the stance is only nearer, to see more of what is there"""

    def chosen(self, pose: Pose2, work: Vector3 | None = None) -> None:
        self.stance, self.work = pose, work

    def came_nearer(self, result: SkillResult) -> SkillResult:
        """The outcome of the drive, as what it is: no arrival where it led only nearer."""
        if not self.nearer or result.code is not Code.SUCCEEDED:
            return result
        return replace(result, message="came nearer, to see more of it; go_to it again", detail=Detail.NEARER)


@dataclass
class SkillContexts:
    """Remembers, within a task, the stance of every go_to, so that a skill that failed there is tried elsewhere."""

    _base_poses: dict[tuple[str, str], list[Pose2]] = field(default_factory=dict)
    _sides: dict[str, Vector2] = field(default_factory=dict)
    _current: SkillContext | None = None
    _target: str = ""

    def of(self, decision: Decision, graph: WorldGraph, start: Pose2 | None) -> SkillContext:
        """The approach of the decision's call."""
        call, following = decision.call, _following(decision)
        self._note_side(decision, graph, start)
        if call.skill != "go_to" or not call.arguments:
            part = _part(call, decision.plan, graph) if does(call.skill, MovesPart) and call.arguments else ""
            return SkillContext(part=part, start=start)
        purpose = decision.purpose or "look"
        skill_context = SkillContext(purpose, start=start)
        if purpose in ("open", "close"):
            skill_context.part = _part(SkillCall(purpose, call.arguments), decision.plan, graph)
        if purpose == "place" and following is not None and does(following.skill, Puts):
            skill_context.relation, skill_context.next_to = following.arguments[0], "".join(following.arguments[3:4])
        if purpose in ("look", "pick"):
            edge = graph.support(call.arguments[0])
            skill_context.towards = self._sides.get(edge.object if edge is not None else call.arguments[0])
        skill_context.avoid = tuple(self._base_poses.get((call.arguments[0], purpose), ()))
        self._current, self._target = skill_context, call.arguments[0]
        return skill_context

    def _note_side(self, decision: Decision, graph: WorldGraph, start: Pose2 | None) -> None:
        """At which side of a piece of furniture something was seen, from where the robot stands at `start`."""
        piece = graph.entities.get(decision.side[0]) if decision.side is not None else None
        if decision.side is None or piece is None or piece.kind is not Kind.FURNITURE or start is None:
            return
        point = side_point(piece, start, decision.side[1])
        self._sides.pop(piece.id, None)
        if point is not None:
            self._sides[piece.id] = point

    def learn(self, step: Step) -> None:
        """A skill that failed after a go_to makes that stance one to avoid; one that worked clears the list."""
        skill_context = self._current
        if skill_context is None or skill_context.stance is None or step.result is None:
            return
        key = (self._target, skill_context.purpose)
        if step.result.ok and step.call.skill != "go_to":
            self._base_poses.pop(key, None)
        elif not step.result.ok and step.result.code < 50:
            self._base_poses.setdefault(key, []).append(skill_context.stance)
            self._current = None


def _following(decision: Decision) -> SkillCall | None:
    return decision.plan[1] if len(decision.plan) > 1 and decision.plan[0] == decision.call else None


def _part(call: SkillCall, plan: Sequence[SkillCall], graph: WorldGraph) -> str:
    """The part of a container with several that hides what is picked later in the plan, else the only one that is still
    to be moved; "" where any will do: then that one is moved which there is the best place for."""
    piece = graph.entities.get(call.arguments[0])
    if piece is None or len(piece.parts) < 2:
        return ""
    for later in plan:
        edge = graph.support(later.arguments[0]) if does(later.skill, Takes) else None
        if edge is not None and edge.relation is Relation.IN and edge.object == piece.id:
            return next((s.part for s in piece.surfaces if s.name == edge.part), "")
    wanted = call.skill == "close"
    waiting = [p.name for p in piece.parts if p.open == wanted]
    return waiting[0] if len(waiting) == 1 else ""
