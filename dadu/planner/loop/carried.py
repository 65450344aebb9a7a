"""What the robot carried when a skill began, and what it means when the fingers feel it no longer."""

from __future__ import annotations

from dadu.memory.association.furniture import unused_id
from dadu.planner import feedback
from dadu.planner.loop.world import TaskWorld
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import Takes
from dadu.skills.table import SKILLS, does, lets_go
from dadu.world.graph import ROBOT, UNIDENTIFIED, Entity, Kind, WorldGraph

_NEVER_LOSE = ("pick", "wait")
"""skills whose own result says what the hand holds, or that do nothing to it"""


def is_load_of_drive(call: SkillCall, graph: WorldGraph, gripped: bool | None) -> bool:
    """True if the robot drives with something in the hand, by memory and by its fingers: a drive to be given up when
    the thing falls."""
    drives = call.skill in SKILLS and SKILLS[call.skill].drives
    return drives and graph.held(ROBOT) is not None and bool(gripped)


def apply_gripper_feedback(call: SkillCall, result: SkillResult, before: WorldGraph,
                          gripped: bool | None) -> SkillResult:
    """`result`, or OBJECT_LOST where the fingers hold no longer what they held `before`, whatever the skill says."""
    held = before.held(ROBOT)
    may_lose = gripped is False and call.skill not in _NEVER_LOSE
    if held is None or not may_lose or (lets_go(call.skill) and result.ok):
        return result
    return feedback.dropped(held.id, str(call))


class Grip:
    """Remembers what the fingers may hold where memory does not say so: it has not heard of it yet, is starting anew,
    or has given it up for lost too early, and with it the thing itself."""

    def __init__(self) -> None:
        self._held: Entity | None = None

    def believed(self, graph: WorldGraph, world: TaskWorld) -> WorldGraph:
        """`graph`, with what is in the hand as long as the fingers press on something and nothing else was picked."""
        held = graph.held(ROBOT)
        named = held is not None and held.category != UNIDENTIFIED
        if held is not None and (named or self._held is None):
            self._held = held
        elif self._held is not None and world.holding():
            if held is not None:
                graph.remove(held.id)  # memory feels it, too, and was not there when it was taken
            if self._held.id not in graph:
                graph.put(self._held)
            return apply(graph, SkillCall("pick", (self._held.id,)), world.now())
        return graph

    def learn(self, call: SkillCall, result: SkillResult, before: WorldGraph, gripped: bool | None) -> None:
        """`gripped`: what the fingers feel after the skill."""
        if gripped is False or (lets_go(call.skill) and result.ok):  # fingers are felt a little late
            self._held = None
        elif result.code is Code.HAND_FULL and before.held(ROBOT) is None:  # felt, and nobody knows what it is
            self._held = Entity(unused_id(before, UNIDENTIFIED), Kind.OBJECT, UNIDENTIFIED)
        elif does(call.skill, Takes) and result.code is not Code.HAND_FULL and gripped:
            # Also where its server died, or it was interrupted, after the grip.
            self._held = before.entities.get(result.target or call.arguments[0], self._held)
