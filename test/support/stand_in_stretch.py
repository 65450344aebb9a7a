"""A stand-in for stretch_ros2's driver as its source has it: one mode at a time, single points, five goals a second."""

from __future__ import annotations

import time

from control_msgs.action import FollowJointTrajectory
from geometry_msgs.msg import Twist
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.task import Future
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from std_srvs.srv import Trigger

RATE = 30.0
FINGER = 0.171
"""[m]"""
INCREMENTS = ("translate_mobile_base", "rotate_mobile_base")


class StretchDriver:
    """Moves joints and base at the speeds asked for; `object_width` [m] is what stands between the fingers."""

    def __init__(self, node) -> None:
        self.node, self.mode, self.object_width = node, "position", 0.0
        self.joints = {"wrist_extension": 0.0, "joint_lift": 0.3, "joint_wrist_yaw": 2.8, "joint_head_pan": 0.0}
        self.aperture, self.x, self.yaw = 0.1, 0.0, 0.0
        self.errors, self.stops = [], 0
        self._goal, self._speed, self._left = {}, {}, dict.fromkeys(INCREMENTS, 0.0)
        self._twist, self._heard, self._last, self._active = Twist(), 0.0, 0.0, None
        self._states = node.create_publisher(JointState, "/stretch/joint_states", 1)
        self._modes = node.create_publisher(String, "/mode", 1)
        node.create_subscription(Twist, "/stretch/cmd_vel", self._on_twist, 1)
        for mode in ("navigation", "position", "trajectory"):
            node.create_service(Trigger, f"/switch_to_{mode}_mode", lambda q, a, mode=mode: self._switch(mode, a))
        node.create_service(Trigger, "/stop_the_robot", self._stop)
        self._server = ActionServer(node, FollowJointTrajectory, "/stretch_controller/follow_joint_trajectory",
                                    self._execute, goal_callback=self._accept,
                                    cancel_callback=lambda handle: CancelResponse.ACCEPT)
        node.create_timer(1 / RATE, self._step)

    def _on_twist(self, message) -> None:
        if self.mode != "navigation":
            self.errors.append(f"cmd_vel in {self.mode} mode")
            return
        self._twist, self._heard = message, time.monotonic()

    def _switch(self, mode, answer):
        if self._active is not None:
            self.errors.append("a mode switch waits for the goal under way")
        self.mode = mode
        answer.success = True
        return answer

    def _stop(self, request, answer):
        self.stops += 1
        self._goal, self._left = {}, dict.fromkeys(INCREMENTS, 0.0)
        answer.success = True
        return answer

    def _accept(self, request):
        now = time.monotonic()
        if self._active is not None and now - self._last < 0.2:
            self.errors.append("goals above 5 Hz")
            return GoalResponse.REJECT
        self._last = now
        return GoalResponse.ACCEPT

    async def _execute(self, handle):
        names = handle.request.trajectory.joint_names
        known = {*self.joints, "gripper_aperture", *INCREMENTS}
        if self.mode == "navigation" or not set(names) <= known or set(INCREMENTS) <= set(names):
            self.errors.append(f"goal of {names} in {self.mode} mode")
            handle.abort()
            return FollowJointTrajectory.Result(error_code=-100)
        if self._active is not None:
            self._active.set_result("preempted")
        (point,) = handle.request.trajectory.points
        self._goal = dict(zip(names, point.positions))
        self._speed = dict(zip(names, point.velocities))
        self._left = {name: self._goal.get(name, 0.0) for name in INCREMENTS}
        done = self._active = Future(executor=self.node.executor)
        self._handle = handle
        ended = await done
        if ended == "cancelled":
            handle.canceled()
        elif ended == "reached":
            handle.succeed()
        else:
            handle.abort()
        return FollowJointTrajectory.Result()

    def _step(self) -> None:
        dt = 1 / RATE
        for name, goal in self._goal.items():
            if name in self.joints:
                self.joints[name] = toward(self.joints[name], goal, self._speed.get(name, 0.3) * dt)
        if "gripper_aperture" in self._goal:
            self.aperture = max(toward(self.aperture, self._goal["gripper_aperture"], 0.2 * dt), self.object_width)
        left = self._left
        dx = toward(0.0, left[INCREMENTS[0]], self._speed.get(INCREMENTS[0], 0.2) * dt)
        turn = toward(0.0, left[INCREMENTS[1]], self._speed.get(INCREMENTS[1], 0.5) * dt)
        self._left = {INCREMENTS[0]: left[INCREMENTS[0]] - dx, INCREMENTS[1]: left[INCREMENTS[1]] - turn}
        if self.mode == "navigation" and time.monotonic() - self._heard < 0.5:
            dx, turn = dx + self._twist.linear.x * dt, turn + self._twist.angular.z * dt
        self.x, self.yaw = self.x + dx, self.yaw + turn
        self._end_goal()
        self._report()

    def _end_goal(self) -> None:
        if self._active is None:
            return
        now = {**self.joints, "gripper_aperture": self.aperture}
        reached = all(abs(now[n] - g) < 0.005 for n, g in self._goal.items() if n in now)
        if self._handle.is_cancel_requested:
            self._finish("cancelled")
        elif reached and not any(abs(left) > 1e-3 for left in self._left.values()):
            self._finish("reached")

    def _finish(self, how) -> None:
        done, self._active = self._active, None
        done.set_result(how)

    def _report(self) -> None:
        finger = self.aperture / 2 / FINGER
        squeezes = self._goal.get("gripper_aperture", 1.0) < self.aperture - 0.005
        fingers = {"joint_gripper_finger_left": finger, "joint_gripper_finger_right": finger}
        message = JointState(name=[*self.joints, *fingers], position=[*self.joints.values(), *fingers.values()],
                             effort=[10.0] * len(self.joints) + [-60.0 if squeezes else -2.0] * 2)  # percent
        message.header.stamp = self.node.get_clock().now().to_msg()
        self._states.publish(message)
        self._modes.publish(String(data=self.mode))


def toward(value, goal, step):
    return value + min(max(goal - value, -step), step)
