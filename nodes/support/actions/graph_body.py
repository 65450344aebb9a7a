"""The running graph's robot as whoever runs a task, or a single skill, commands it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import numpy as np
from dadu_interfaces.msg import DetectionArray, SkillRecord
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.incoming.intake import Intake
from dadu_nodes.support.listening.operator import OperatorMonitor
from dadu_nodes.support.listening.robot import RobotListener
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.skill_executor import SkillExecutor
from dadu_nodes.support.transforms import TransformListener
from dadu_nodes.support.waiting import run_in_thread, sleep
from dadu_nodes.support.wall import LATE, LOOK, PERIOD, SILENCE
from diagnostic_msgs.msg import KeyValue
from rclpy.node import Node
from sensor_msgs.msg import Image

from dadu.core.errors import DaduError
from dadu.core.geometry import Pose2
from dadu.core.robot import RobotDescription
from dadu.incoming.pictures import color
from dadu.perception.upright import quarter_turns, turned
from dadu.planner.loop.runner import SETTLE, SURE
from dadu.planner.loop.skill_context import SkillContext
from dadu.planner.loop.world import Body, Cancelled, Over
from dadu.planner.step import Step
from dadu.robots.hand import holding, presses
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.team.member import PATIENCE, TeamAgent
from dadu.world.graph import ROBOT, WorldGraph

_GRIPS = 3
"""looks at the gripper of which one is enough to count as holding: the effort dips while the robot moves"""
T = TypeVar("T")


class GraphBody(Body):
    """`graph`, `holding` and `picture` tell in any thread what was taken in last; the rest is for the node's."""

    sure = SURE

    def __init__(self, node: Node, robot: RobotDescription, now: Callable[[], float], pictures: bool = False,
                 timed: Callable[[str], AbstractContextManager[None]] = lambda skill: nullcontext()) -> None:
        """`now`: [s] on the clock in use; `pictures`: whoever chooses looks at them; `timed`: measures skills by
        name."""
        self.description, self._now, self._node, self._timed = robot, now, node, timed
        self.task = ""
        """by which name memory is told of steps"""
        self.member: TeamAgent | None = None
        """of a team, in a common task"""
        self._scene, self._robot = SceneListener(node, map=True), RobotListener(node, robot)
        self.skills, self._operator = SkillExecutor(node, robot, self._scene), OperatorMonitor(node)
        self._pictures, self._pictured = PolledSubscriptions(node), False
        self._pictures.add(DetectionArray, "perception/detections", self._on_picture, qos.NEWEST, raw=True)
        self._graph = WorldGraph()
        self._grips: deque[bool] = deque(maxlen=_GRIPS)
        self._camera = CameraListener(node) if pictures else None
        self._sought = node.create_publisher(KeyValue, "perception/look_for", qos.STATE)
        self._records = node.create_publisher(SkillRecord, "skill_results", qos.STATE)

    def now(self) -> float:
        return self._now()

    def ready(self) -> bool:
        """True if there is a world graph."""
        self._scene.refresh()
        return self._scene.revision >= 0

    def mapped(self) -> bool:
        """True if there is a map."""
        return not self._scene.lacks_map()

    def graph(self) -> WorldGraph:
        return self._graph

    def holding(self) -> bool | None:
        return any(self._grips) if self._grips else None

    def picture(self) -> np.ndarray | None:
        return self._camera.picture if self._camera is not None else None

    def look_for(self, id: str, description: str) -> None:
        """Tells perception what a thing looks like."""
        if id in self.graph():
            self._sought.publish(KeyValue(key=self.graph()[id].category, value=description))

    def forget_looks(self) -> None:
        """An empty message ends what was told for a task."""
        self._sought.publish(KeyValue())

    def held_up(self) -> str:
        """Why the robot cannot do anything now; empty: it can."""
        stopped = self.interruption()
        return stopped.message if stopped is not None else "its driver is silent" if self.driver_silent() else ""

    def interruption(self) -> SkillResult | None:
        return self._operator.interruption

    async def wait(self, seconds: float, why: str) -> None:
        self._node.get_logger().warning(why, throttle_duration_sec=10.0)
        await sleep(self._node, seconds)

    async def think(self, work: Callable[[], T], cancelled: Cancelled) -> T | None:
        """In a thread."""
        return await run_in_thread(self._node, work, cancelled)

    async def carry_out(self, call: SkillCall, skill_context: SkillContext, over: Over) -> SkillResult:
        member = self.member
        if member is not None and call.skill == "wait":
            end = self.now() + PATIENCE
            while self.now() < end and not member.news() and over() is None:
                await sleep(self._node, PERIOD)
            return over() or SkillResult(Code.SUCCEEDED, "waited")

        def ends() -> bool:
            return over() is not None or (member is not None and member.overtaken())
        with self._timed(call.skill):
            result = await self.skills.execute(call, skill_context, ends)
        return over() or result if result.code is Code.CANCELLED else result

    async def settle(self, cancelled: Cancelled) -> None:
        """By the robot's clock or the wall's, whichever runs faster; a policy that sees gets a picture from where the
        robot is now."""
        ended, begun = self.now(), time.monotonic()
        while self.now() < ended + SETTLE and time.monotonic() < begun + SETTLE:
            await sleep(self._node, LOOK)
        self.look()
        if self._camera is None:
            return
        self._camera.look()
        while self._camera.stamp < ended and time.monotonic() < begun + LATE and not cancelled():
            await sleep(self._node, PERIOD)
            self._camera.look()

    def learn(self, step: Step) -> None:
        """Memory hears it on its topic."""
        self._records.publish(encode.record(step, self.task))

    def driver_silent(self) -> bool:
        return self._robot.silence() > SILENCE

    def pictured(self) -> bool:
        self._pictured = False
        self._pictures.poll()
        return self._pictured

    def touch(self) -> None:
        """Takes over what the fingers feel, and nothing else: that costs next to nothing."""
        grip = self._robot.grip()
        if grip is not None:
            self._grips.append(presses(*grip, self.description))

    def pose(self) -> Pose2 | None:
        """Takes over what the fingers feel; returns where the base is in the map, None where that is not known."""
        if not self._robot.ready():
            return None
        observation = self._robot.observe()
        self._grips.append(holding(observation, self.description))
        return observation.base_pose

    def look(self) -> Pose2 | None:
        """The same, and takes over the newest graph with the robot where it is now."""
        graph, pose = self._scene.refresh().graph, self.pose()
        if pose is not None and ROBOT in graph:
            graph = graph.copy()
            graph.change(ROBOT, position=(pose.x, pose.y, 0.0), yaw=pose.yaw)
        self._graph = graph
        return pose

    def _on_picture(self, message: bytes, _: int) -> None:
        """What is in it is for memory: it is not even unpacked here."""
        self._pictured = True


class CameraListener:
    """Pictures wait in the middleware; `look` takes the newest, any thread may read it."""

    def __init__(self, node: Node) -> None:
        self.picture: np.ndarray | None = None
        """uint8 (H, W, 3), red first, turned upright"""
        self.stamp = -1.0
        """of `picture` [s]"""
        self._intake = Intake.of(node)
        self._message: Image | None = None
        self._transforms = TransformListener(node)
        self._camera = PolledSubscriptions(node)
        self._camera.add(Image, "camera/color/image_raw", self._on_image, qos.CAMERA)

    def look(self) -> None:
        """Takes over the newest picture; one that cannot be read is left out, with a warning."""
        self._camera.poll()
        message, self._message = self._message, None
        if message is None:
            return
        try:
            stamp = seconds(message.header.stamp)
            T_map_camera = self._transforms.tree.lookup(
                "map", self._transforms.frames.here(message.header.frame_id))
            self.picture, self.stamp = turned(color(message), quarter_turns(T_map_camera[:3, :3])), stamp
        except DaduError as error:
            self._intake.refuse("camera/color/image_raw", f"no picture for the policy: {error}")

    def _on_image(self, message: Image, _: int) -> None:
        self._message = message
