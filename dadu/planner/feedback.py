"""Outcomes as sentences for the next turn: the code, what happened, and what is possible now.

Source: the error taxonomy of EMMOE; DaDu-E, section 3.3.
"""

from __future__ import annotations

from collections.abc import Iterable

from dadu.core.errors import NAMED
from dadu.planner.asking.question import is_question
from dadu.planner.step import Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.specification import MovesPart
from dadu.skills.table import does
from dadu.world.graph import ROBOT, Kind, WorldGraph
from dadu.world.handles import split_handle_path

_WAYS = {
    Code.HAND_EMPTY: "pick something first",
    Code.CONTAINER_CLOSED: "open {target} first",
    Code.TOO_FAR: "go_to {target}, then try again",
    Code.TOO_CLOSE: "go_to {target}, then try again",
    Code.OBJECT_LOST: "look for {target} where it was lost, or explore",
    Code.OPERATOR_OVERRIDE: "wait, then try again",
    Code.SAFETY_STOP: "wait, then try again",
    Code.UNREACHABLE_BACKEND: "wait, then try again",
}
"""what can be done about a failure, whatever the graph holds"""
_WAYS_OUT = {
    Detail.OPEN_IN_THE_WAY: "close {target}, then try again",
    Detail.UNSEEN: "explore unknown, then try again",
}
"""and where the detail says more"""


def line(step: Step) -> str:
    """``3. pick(milk_0) -> EXECUTION_FAILED (no_grasp): ...``; a skill that worked needs no more than its name."""
    return f"{step.index}. {step.call}" + (f" -> {came_of(step)}" if step.result is not None else "")


def came_of(step: Step) -> str:
    """`outcome` of a step that has ended; of a question the answer. Errors: ValueError for one that is under way."""
    answered = is_question(step.call) and step.outcome.ok
    return f"ANSWERED: {step.outcome.message}" if answered else outcome(step.outcome)


def outcome(result: SkillResult) -> str:
    """``EXECUTION_FAILED (no_grasp): what happened``."""
    if result.code is Code.SUCCEEDED and result.detail != Detail.NEARER:
        return "SUCCEEDED"
    return f"{result.code.name}{f' ({result.detail})' if result.detail else ''}: {result.message}"


def possible(call: SkillCall, result: SkillResult, graph: WorldGraph) -> str:
    """What can be done about a failure, naming what there is; empty where the skill's own message says all."""
    target = split_handle_path(result.target)[0] or (call.arguments[-1] if call.arguments else "")
    held, alike = graph.held(ROBOT), _alike(graph, target)
    if result.code is Code.HAND_FULL and held is not None:
        return f"place {held.id} first"
    if result.code is Code.NOT_INTERACTIVE and does(call.skill, MovesPart):
        return _instead("can be opened", (e.id for e in graph.of(Kind.FURNITURE) if e.is_container), target)
    if result.code in (Code.EXECUTION_FAILED, Code.TIMED_OUT):
        return f"go_to {target} and try again" + (f", or take {_some(alike)}" if alike else "")
    if result.detail in _WAYS_OUT:
        return _WAYS_OUT[result.detail].format(target=target)
    if result.code is Code.UNKNOWN_TARGET:
        return f"known: {_some(alike or [room.id for room in graph.of(Kind.ROOM)])}, or explore"
    return _WAYS.get(result.code, "").format(target=target)


def dropped(held: str, call: str) -> SkillResult:
    """What was in the hand is gone."""
    return SkillResult(Code.OBJECT_LOST, f"{held} is no longer in the hand, lost during {call}; find it and pick it up",
                       target=held)


def not_done(missing: str) -> str:
    """The model said done too early."""
    return f"Not done yet, as far as memory knows. {missing}"


def _alike(graph: WorldGraph, id: str) -> list[str]:
    """Other things of the same category."""
    category = graph[id].category if id in graph else ""
    return sorted(e.id for e in graph if e.category == category and e.id != id)


def _instead(words: str, ids: Iterable[str], refused: str) -> str:
    others = sorted(id for id in ids if id != refused)
    return f"{words}: {_some(others)}" if others else ""


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:NAMED]) + (", ..." if len(ids) > NAMED else "")
