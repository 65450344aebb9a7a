"""Executes the skills that the planner chooses, each through its action."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from action_msgs.msg import GoalStatus
from dadu_interfaces.action import Articulate, Explore, Pick, Place
from dadu_nodes.support.action_caller import ActionCaller
from dadu_nodes.support.convert.geometry import planar_pose
from dadu_nodes.support.convert.outcome import result as result_of
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.waiting import in_thread, sleep
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose
from rclpy.node import Node

from dadu.core.errors import choices
from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.navigation.standing.base_placement import place_base
from dadu.planner.loop.approach import Approach
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult

PATIENCE = 15.0
"""wall seconds that a missing skill server is waited for: long enough for a restart"""
_WAIT = 2.0
"""wall seconds of the skill wait"""
_SERVERS = {"go_to": (NavigateToPose, "/navigate_to_pose"), "explore": (Explore, "/explore"), "pick": (Pick, "/pick"),
            "place": (Place, "/place"), "articulate": (Articulate, "/articulate")}


class SkillExecutor:
    """`execute` never raises and always ends: what goes wrong is a result."""

    def __init__(self, node: Node, robot: RobotDescription, listener: SceneListener, pool: Executor) -> None:
        self._node, self._robot, self._listener, self._pool = node, robot, listener, pool
        self._actions = {skill: ActionCaller(node, kind, name) for skill, (kind, name) in _SERVERS.items()}
        self._orphaned = set(_SERVERS)

    async def execute(self, call: SkillCall, approach: Approach, cancelled: Callable[[], bool]) -> SkillResult:
        """Carries out `call`; `approach` says what a go_to is for."""
        arguments = call.arguments
        if call.skill == "go_to":
            return await self._go_to(arguments[0], approach, cancelled)
        if call.skill == "wait":
            await sleep(self._node, _WAIT)
            return SkillResult(Code.SUCCEEDED, "waited")
        if call.skill in ("open", "close"):
            goal = Articulate.Goal(receptacle=arguments[0], part=approach.part, open=call.skill == "open")
            return await self._call("articulate", goal, cancelled)
        if call.skill == "place":
            goal = Place.Goal(relation=arguments[0], receptacle=arguments[1], next_to="".join(arguments[3:4]))
            return await self._call("place", goal, cancelled)
        if call.skill == "pick":
            return await self._call("pick", Pick.Goal(object=arguments[0]), cancelled)
        if call.skill == "explore":
            return await self._call("explore", Explore.Goal(room=arguments[0]), cancelled)
        return SkillResult(Code.UNKNOWN_ACTION, f"this robot cannot {call.skill}; it can: "
                           f"{choices([*_SERVERS, 'open', 'close', 'wait'])}")

    def cancel_orphans(self) -> None:
        """Ends goals that an earlier planner left behind, once each server is there."""
        self._orphaned = {skill for skill in self._orphaned if not self._actions[skill].cancel_orphans()}

    async def _go_to(self, target: str, approach: Approach, cancelled: Callable[[], bool]) -> SkillResult:
        """Chooses where to stand for what follows, and drives there."""
        scene = self._listener.scene
        pose = await in_thread(self._node, self._pool, lambda: place_base(
            scene, self._robot, target, approach.purpose, relation=approach.relation, part=approach.part,
            next_to=approach.next_to, start=approach.start, avoid=approach.avoid), cancelled)
        if pose is None:
            return _gone("go_to", True)
        if isinstance(pose, SkillResult):
            return pose
        approach.chosen(pose)
        goal = NavigateToPose.Goal(pose=_stamped(pose))
        response = await self._actions["go_to"].call(goal, cancelled, PATIENCE)
        if response is None:
            return _gone("go_to", cancelled())
        return _honest("go_to", response.status, _navigation_result(response.result, target))

    async def _call(self, skill: str, goal: Any, cancelled: Callable[[], bool]) -> SkillResult:
        response = await self._actions[skill].call(goal, cancelled, PATIENCE)
        if response is None:
            return _gone(skill, cancelled())
        return _honest(skill, response.status, result_of(response.result.outcome))


def _gone(skill: str, cancelled: bool) -> SkillResult:
    if cancelled:
        return SkillResult(Code.CANCELLED, f"{skill} was cancelled")
    return SkillResult(Code.UNREACHABLE_BACKEND, f"the server of {skill} is gone; try again when it is back")


def _honest(skill: str, status: int, result: SkillResult) -> SkillResult:
    """A server that fails in the middle sends an empty result, whose code reads as success; its status tells."""
    if result.ok and status != GoalStatus.STATUS_SUCCEEDED:
        return SkillResult(Code.EXECUTION_FAILED, f"the server of {skill} broke off; see its log", target=result.target)
    return result


def _navigation_result(message: NavigateToPose.Result, target: str) -> SkillResult:
    """Our navigator's error codes are outcome codes; of another's only the text is understood."""
    if message.error_code == NavigateToPose.Result.NONE:
        return SkillResult(Code.SUCCEEDED, f"stands at {target}", target=target)
    known = message.error_code in {int(code) for code in Code}
    code = Code(message.error_code) if known else Code.EXECUTION_FAILED
    detail, separator, text = message.error_msg.partition(": ")
    if not separator or " " in detail:
        detail, text = "", message.error_msg
    return SkillResult(code, text, detail, target)


def _stamped(pose: Pose2) -> PoseStamped:
    message = PoseStamped(pose=planar_pose(pose))
    message.header.frame_id = "map"
    return message
