"""Skill servers for tests of the planner's node: they say that all went well, at once or when told."""

import sys
import time
from contextlib import suppress
from dataclasses import replace
from threading import Lock, Thread

import rclpy
from dadu_interfaces.action import Articulate, Drive, Explore, Pick, Place
from dadu_interfaces.msg import DetectionArray, Outcome, WorldGraph
from dadu_nodes.support import qos
from dadu_nodes.support.convert.encode import encode
from geometry_msgs.msg import TransformStamped
from nav_msgs.msg import OccupancyGrid
from rclpy._rclpy_pybind11 import RCLError
from rclpy.action import ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.robots import load_robot
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Detail
from dadu.team.knowledge import SharedWorld
from dadu.world.graph import ROBOT, Entity, Kind

SHARED, TOGETHER = SharedWorld(), Lock()


class Skills(Node):
    """All of the planner's surroundings: graph, map, driver, and skills that take `seconds`. What is
    `unseen` comes into the graph while the first skill is at work. A `blind` one picks nothing up before somebody
    publishes detections. Of several, in namespaces, each sees at once what the others do."""

    def __init__(self, seconds=0.1, unseen="", blind="", name="", names=(), team=()):
        super().__init__("stand_in_skills", namespace=name)
        self.name, self.team = name, team
        self.seconds, self.unseen, self.blind = seconds, unseen, bool(blind)
        self.world = build_graph(load_house("flat"), "layout" if unseen else "all")
        self.held = False
        group = ReentrantCallbackGroup()
        self._graph = self.create_publisher(WorldGraph, "world_graph", qos.LATCHED)
        self._map = self.create_publisher(OccupancyGrid, "map", qos.LATCHED)
        self._tf = self.create_publisher(TFMessage, "/tf", qos.TF)
        self._joints = self.create_publisher(JointState, "joint_states", qos.SENSOR)
        for action, name in ((Drive, "drive_to_pose"), (Explore, "explore"), (Pick, "pick"),
                             (Place, "place"), (Articulate, "articulate")):
            ActionServer(self, action, name, self._execute(action), callback_group=group,
                         cancel_callback=lambda goal: CancelResponse.ACCEPT)
        self.create_subscription(DetectionArray, "perception/detections", self._on_detections, qos.NEWEST)
        for other in set(names) - {name}:
            self.world.put(Entity(other, Kind.AGENT, ROBOT, (6.4, 3.9, 0.0)))
        self.publish()
        Thread(target=self._report).start()  # no timer: an executor with many servers is dear to wake

    def _on_detections(self, message):
        self.blind = False

    def publish(self):
        self._graph.publish(encode.graph(self.world, 1, 0.0))
        grid = OccupancyGrid()
        grid.info.resolution, grid.info.width, grid.info.height = 0.05, 200, 150
        grid.data = [0] * (200 * 150)
        self._map.publish(grid)

    def _report(self):
        while rclpy.ok():
            with suppress(RCLError):  # told to end in between
                self._drive()
            time.sleep(0.05)

    def _drive(self):
        now = self.get_clock().now().to_msg()
        message = TransformStamped()
        message.header.stamp, message.header.frame_id, message.child_frame_id = now, "map", "base_link"
        message.transform.translation.x, message.transform.translation.y = 6.4, 3.9
        message.transform.rotation.w = 1.0
        self._tf.publish(TFMessage(transforms=[message]))
        arm = load_robot("stretch").stow
        joints = JointState(name=[*arm, "gripper_aperture"], position=[*arm.values(), 0.05 if self.held else 0.0],
                            effort=[*[0.0] * len(arm), 20.0 if self.held else 0.0])
        joints.header.stamp = now
        self._joints.publish(joints)

    def _execute(self, action):
        def execute(handle):
            end = time.monotonic() + self.seconds
            if self.unseen and self.unseen not in self.world:
                self._see(self.unseen)
            while time.monotonic() < end and rclpy.ok():
                if handle.is_cancel_requested:
                    handle.canceled()
                    return self._result(action, Outcome(code=Outcome.CANCELLED, message="cancelled"))
                time.sleep(0.02)
            if rclpy.ok():
                handle.succeed()
            return self._result(action, self._effect(handle.request))
        return execute

    def _see(self, id):
        there = build_graph(load_house("flat"), "all")
        self.world = self.world.copy()
        self.world.put(replace(there[id], stamp=self.get_clock().now().nanoseconds * 1e-9, provenance="detection"))
        self.world.set_support(id, there.support(id))
        self.publish()

    def _result(self, action, outcome):
        return action.Result(outcome=outcome)

    def _effect(self, goal):
        call, target = None, ""
        if self.blind and isinstance(goal, Pick.Goal):
            return Outcome(code=Outcome.EXECUTION_FAILED, detail=Detail.NOT_SEEN, message="no picture came")
        if isinstance(goal, Pick.Goal):
            call, target, self.held = SkillCall("pick", (goal.object,)), goal.object, True
        elif isinstance(goal, Place.Goal):
            target, self.held = self.world.held().id, False
            call = SkillCall("place", (goal.relation, goal.receptacle))
        elif isinstance(goal, Articulate.Goal):
            call, target = SkillCall("open" if goal.open else "close", (goal.receptacle,)), goal.receptacle
        if call is not None:
            now = self.get_clock().now().nanoseconds * 1e-9
            with TOGETHER:
                self.world = apply(self.world, call, now)
                self.publish()
                SHARED.publish(self.name, self.world, now)
                for other in self.team:
                    if other is not self:
                        other.world = other.world.copy()
                        SHARED.take_in(other.name, other.world)
                        other.publish()
        return Outcome(code=Outcome.SUCCEEDED, message="done", target=target)


def main():
    rclpy.init()
    executor = MultiThreadedExecutor(6)
    seconds, unseen, blind, names = (*sys.argv[1:], *("", "", "")[len(sys.argv) - 2:])
    team = []
    for name in names.split(","):
        team.append(Skills(float(seconds), unseen, blind, name, names.split(","), team))
        executor.add_node(team[-1])
    with suppress(ExternalShutdownException):
        while rclpy.ok():  # a signal between two waits wakes none
            executor.spin_once(timeout_sec=1.0)


if __name__ == "__main__":
    main()
