"""Executes the skills that the planner chooses, each through its action."""

from __future__ import annotations

from collections.abc import Callable

from action_msgs.msg import GoalStatus
from dadu_nodes.support.actions.action_caller import ActionCaller
from dadu_nodes.support.convert.skills import ACTIONS
from dadu_nodes.support.frames import FrameNames
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.waiting import run_in_thread, sleep
from dadu_nodes.support.wall import RESTART
from rclpy.node import Node

from dadu.bringup.naming import relative
from dadu.core.errors import choices
from dadu.core.robot import RobotDescription
from dadu.planner.loop.skill_context import SkillContext
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.specification import MovesBase
from dadu.skills.table import SKILLS, does
from dadu.skills.wait import WAIT
from dadu.stacks.standing import choose_base_pose


class SkillExecutor:
    """`execute` never raises and always ends: what goes wrong is a result."""

    def __init__(self, node: Node, robot: RobotDescription, listener: SceneListener) -> None:
        self._node, self._robot, self._listener = node, robot, listener
        self._actions = {name: ActionCaller(node, action.type, relative(name)) for name, action in ACTIONS.items()}
        self._frames = FrameNames.from_node(node)
        self._orphaned = set(ACTIONS)
        """actions whose servers may still do what an earlier planner asked for"""

    async def execute(self, call: SkillCall, skill_context: SkillContext, cancelled: Callable[[], bool]) -> SkillResult:
        """Carries out `call`; `skill_context` says what a go_to is for."""
        if call.skill == "wait":
            await sleep(self._node, WAIT)
            return SkillResult(Code.SUCCEEDED, "waited")
        name = SKILLS[call.skill].action if call.skill in SKILLS else ""
        if not name:
            served = [skill for skill, spec in SKILLS.items() if spec.action]
            return SkillResult(Code.UNKNOWN_ACTION, f"this robot cannot {call.skill}; it can: "
                               f"{choices([*served, 'wait'])}")
        if does(call.skill, MovesBase):  # choosing where to stand takes a while
            scene = self._listener.refresh()
            ready = await run_in_thread(
                self._node, lambda: choose_base_pose(self._robot, scene, call, skill_context), cancelled)
            if not isinstance(ready, SkillContext):
                return ready or _gone(call.skill, True)
        self._orphaned.discard(name)  # a server leaves off what it does for a newer goal
        action = ACTIONS[name]
        goal = action.goal(call, skill_context)
        self._frames.sent(getattr(goal, "pose", goal))
        response = await self._actions[name].call(goal, cancelled, RESTART)
        if response is None:
            return _gone(call.skill, cancelled())
        return skill_context.came_nearer(_honest(call.skill, response.status, action.result(call, response.result)))

    def cancel_orphans(self) -> None:
        """Ends goals that an earlier planner left behind, once each server is there."""
        self._orphaned = {name for name in self._orphaned if not self._actions[name].cancel_orphans()}


def _gone(skill: str, cancelled: bool) -> SkillResult:
    if cancelled:
        return SkillResult(Code.CANCELLED, f"{skill} was cancelled")
    return SkillResult(Code.UNREACHABLE_BACKEND, f"the server of {skill} is gone; try again when it is back")


def _honest(skill: str, status: int, result: SkillResult) -> SkillResult:
    """A server that fails in the middle sends an empty result, whose code reads as success; its status tells."""
    if result.ok and status != GoalStatus.STATUS_SUCCEEDED:
        return SkillResult(Code.EXECUTION_FAILED, f"the server of {skill} broke off; see its log", target=result.target)
    return result
