"""A stand-in for stretch4_ros2's driver, as strict as its source is: stretch_driver.py at 5d318a96,
joint_trajectory_server.py 0668fbe5, command_groups.py 0bd2bc2d, base_command_group.py 69e2460f; stretch4_body's gripper
0102786f.

Every goal is accepted; one that is not carried out ends aborted, with INVALID_GOAL in a mode other than position and
navigation, or before homing. Joints that it does not know are left out, one without any ends at once. The newest goal
ends the one before (-6), whose motors go on. A point ends after three seconds as PATH_TOLERANCE_VIOLATED, its motors go
on, too: so does every goal of the gripper, told in percent and compared in radians of its servo, and one of an arm or
lift that is where it is sent, since it never begins to move. A wrist has arrived within half a radian. One that is
cancelled stops the joints that it names, the gripper, too, which so lets go; what is not the newest is not cancelled.
Velocities are taken in navigation and velocity mode, and hold until the next: ``velocity_timeout`` is declared and
never read. The parameter ``mode`` takes any text, at any time. Mode and homing are published when they change, latched.
"""

from __future__ import annotations

import math

from control_msgs.action import FollowJointTrajectory
from geometry_msgs.msg import TransformStamped, Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters
from rclpy.action import ActionServer, CancelResponse
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from sensor_msgs.msg import JointState
from stand_in_stretch import toward
from std_msgs.msg import Bool, String
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage

RATE = 30.0  # the real one's is 100 Hz
ACTION_TIMEOUT = 3.0
"""[s] for one point"""
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
LINEAR = ("lift_joint", "arm_joint")
WRIST = ("wrist_yaw_joint", "wrist_pitch_joint", "wrist_roll_joint")
GRIPPER = "gripper_joint"
RANGES = {"lift_joint": (0.0, 1.2), "arm_joint": (0.0, 0.52)}
"""what the motors are held to [m]"""
SPEED = {"lift_joint": 0.2, "arm_joint": 0.2, GRIPPER: 350.0} | dict.fromkeys(WRIST, 3.0)
"""where a goal has none [m/s, rad/s, %/s]"""
CLOSED, OPEN = -100.0, 300.0
"""[%] of the gripper"""
GAP, FINGER = 0.150, 0.18205
"""[m] between the fingertips where it is open, and of a finger"""
HOME = {"lift_joint": 0.3, "arm_joint": 0.0, "wrist_yaw_joint": 3.1, "wrist_pitch_joint": 0.0, "wrist_roll_joint": 0.0}


def aperture_at(percent) -> float:
    """[m], as stretch4_body has it: the angle between the fingers goes straight with the servo's."""
    angle = (percent - CLOSED) / (OPEN - CLOSED) * 2 * math.asin(GAP / (2 * FINGER))
    return 2 * FINGER * math.sin(max(angle, 0.0) / 2)


class StretchDriver:
    """Moves joints and base; `object_width` [m] is what stands between the fingers. `errors` says what was asked for
    that it does not do."""

    def __init__(self, node) -> None:
        self.node = node
        self.joints, self.percent, self.object_width = dict(HOME), 100.0, 0.0
        self.pose = [0.0, 0.0, 0.0]
        """x, y [m], heading [rad]"""
        self.errors, self.stops, self.modes = [], 0, []
        self._entities = []
        self.start()

    def start(self) -> None:
        """As a process does that has just been started; joints and base are where they are."""
        node, self.mode, self.running, self.homed = self.node, "navigation", True, True
        self.mute = False
        """joint states do not come through, though it goes on"""
        self._goals, self._speeds, self.twist = {}, {}, Twist()
        self._stepped = self._now()
        self.heard = False
        """a velocity since the start"""
        self._newest, self._told = None, {}
        self._states = node.create_publisher(JointState, "/joint_states", 1)
        self._modes = node.create_publisher(String, "/mode", LATCHED)
        self._homes = node.create_publisher(Bool, "/is_homed", LATCHED)
        self._odometry = node.create_publisher(Odometry, "/wheel_odom", 1)
        self._tf = node.create_publisher(TFMessage, "/tf", 10)
        server = ActionServer(node, FollowJointTrajectory, "/follow_joint_trajectory", self._execute,
                              cancel_callback=self._cancelled)
        self._entities = [
            *((node.destroy_publisher, publisher) for publisher in
              (self._states, self._modes, self._homes, self._odometry, self._tf)),
            (node.destroy_service, node.create_service(SetParameters, "/stretch_driver/set_parameters", self._set)),
            (node.destroy_service, node.create_service(Trigger, "/stop_the_robot", self._stop)),
            (node.destroy_subscription, node.create_subscription(Twist, "/cmd_vel", self._on_twist, 1)),
            (node.destroy_timer, node.create_timer(1 / RATE, self._step)),
            (lambda server: server.destroy(), server)]

    def kill(self) -> None:
        """The process dies: nobody is told."""
        self.running = False
        for destroy, entity in self._entities:
            destroy(entity)
        self._entities = []

    @property
    def aperture(self) -> float:
        """[m]"""
        return aperture_at(self.percent)

    @property
    def grips(self) -> bool:
        """True as long as the motor pulls beyond what the fingers have closed on."""
        return self._goals.get(GRIPPER, self.percent) < self.percent - 2.0

    def _now(self) -> float:
        return self.node.get_clock().now().nanoseconds * 1e-9

    def _set(self, request, answer):
        for parameter in request.parameters:
            if parameter.name == "mode":
                self.mode = parameter.value.string_value
                self.modes.append(self.mode)
        answer.results = [SetParametersResult(successful=True) for _ in request.parameters]
        return answer

    def _on_twist(self, message) -> None:
        if self.mode not in ("navigation", "velocity"):
            self.errors.append(f"cmd_vel in {self.mode} mode")
            return
        self.twist, self.heard = message, True

    def _stop(self, request, answer):
        self.stops += 1
        self._goals, self.twist = {}, Twist()
        answer.success = True
        return answer

    def _cancelled(self, handle):
        newest = self._newest is not None and self._newest[0] is handle
        return CancelResponse.ACCEPT if newest else CancelResponse.REJECT

    async def _execute(self, handle):
        if self._newest is not None:
            self._finish((-6, "Preempted"))
        codes, trajectory = FollowJointTrajectory.Result, handle.request.trajectory
        names = list(trajectory.joint_names)
        if self.mode not in ("position", "navigation"):
            return self._aborted(handle, codes.INVALID_GOAL, f"goal of {names} in {self.mode} mode")
        if not self.homed:
            return self._aborted(handle, codes.INVALID_GOAL, "goal before homing")
        if unknown := [name for name in names if name not in SPEED]:
            self.errors.append(f"joints left out: {unknown}")
        for point in trajectory.points:
            if any(i >= len(point.positions) for i, name in enumerate(names) if name in SPEED):
                return self._aborted(handle, codes.INVALID_GOAL, "positions for some joints only")
            goal = {name: point.positions[i] for i, name in enumerate(names) if name in SPEED}
            self._speeds |= {name: abs(point.velocities[i]) if i < len(point.velocities) else SPEED[name]
                             for i, name in enumerate(names) if name in SPEED}
            self._goals |= goal
            ended = Future(executor=self.node.executor)
            self._newest = (handle, goal, ended, self._now(), set())
            code, said = await ended
            if said == "Canceled":
                handle.canceled()
                return codes(error_string=said)
            if code:
                return self._aborted(handle, code, said, ours=False)
        handle.succeed()
        return codes()

    def _aborted(self, handle, code, said, ours=True):
        """`ours`: it was asked for what it does not do."""
        if ours:
            self.errors.append(said)
        handle.abort()
        return FollowJointTrajectory.Result(error_code=code, error_string=said)

    def _finish(self, how) -> None:
        (_, _, ended, _, _), self._newest = self._newest, None
        ended.set_result(how)

    def _step(self) -> None:
        before, since, self._stepped = dict(self.joints), self._stepped, self._now()
        self._move(self._stepped - since)
        moving = {name for name in LINEAR if self.joints[name] != before[name]}
        if self._newest is not None:
            self._end_goal(moving)
        self._report(self.node.get_clock().now().to_msg())

    def _move(self, dt) -> None:
        for name, goal in self._goals.items():
            if name == GRIPPER:
                percent = toward(self.percent, goal, self._speeds[name] * dt)
                if aperture_at(percent) >= min(self.object_width, self.aperture):
                    self.percent = percent
            else:
                low, high = RANGES.get(name, (goal, goal))
                goal = min(max(goal, low), high)
                self.joints[name] = toward(self.joints[name], goal, self._speeds[name] * dt)
        vx, vy, wz = self.twist.linear.x, self.twist.linear.y, self.twist.angular.z
        c, s = math.cos(self.pose[2]), math.sin(self.pose[2])
        x, y, yaw = self.pose
        self.pose = [x + (c * vx - s * vy) * dt, y + (s * vx + c * vy) * dt, yaw + wz * dt]

    def _end_goal(self, moving) -> None:
        handle, goal, _, begun, started = self._newest
        started |= moving
        near = [abs(goal[name] - self.joints[name]) < 0.5 for name in WRIST if name in goal]
        done = [name in started and name not in moving for name in LINEAR if name in goal]
        servo = [abs(goal[GRIPPER] - math.radians(self.percent)) < 0.5] if GRIPPER in goal else []
        if handle.is_cancel_requested:
            self._goals = {name: at for name, at in self._goals.items() if name not in goal}
            self._finish((0, "Canceled"))
        elif self._now() - begun > ACTION_TIMEOUT:
            self._finish((FollowJointTrajectory.Result.PATH_TOLERANCE_VIOLATED, "Goal timed out"))
        elif all([*near, *done, *servo]):
            self._finish((0, ""))

    def _report(self, stamp) -> None:
        finger = math.asin(self.aperture / 2 / FINGER)
        arm = self.joints["arm_joint"]
        positions = {name: at for name, at in self.joints.items() if name != "arm_joint"}
        positions |= {f"arm_l{i}_joint": arm / 5.0 for i in (4, 3, 2, 1)}
        positions |= {f"gripper_finger_{side}_joint": finger for side in ("left", "right")}
        positions |= {f"wheel_{i}_joint": 0.0 for i in range(3)}
        efforts = dict.fromkeys(positions, 10.0) | dict.fromkeys(
            ("gripper_finger_left_joint", "gripper_finger_right_joint"), -60.0 if self.grips else -2.0)
        message = JointState(name=list(positions), position=list(positions.values()), effort=list(efforts.values()))
        message.header.stamp = stamp
        if not self.mute:
            self._states.publish(message)
        for publisher, value in ((self._modes, String(data=self.mode)), (self._homes, Bool(data=self.homed))):
            if self._told.get(publisher) != value:
                publisher.publish(value)
                self._told[publisher] = value
        base = TransformStamped(child_frame_id="base_footprint")
        base.header.stamp, base.header.frame_id = stamp, "wheel_odom"
        base.transform.translation.x, base.transform.translation.y = self.pose[:2]
        base.transform.rotation.z, base.transform.rotation.w = math.sin(self.pose[2] / 2), math.cos(self.pose[2] / 2)
        self._tf.publish(TFMessage(transforms=[base]))
        odometry = Odometry(header=base.header, child_frame_id=base.child_frame_id)
        odometry.pose.pose.position.x, odometry.pose.pose.position.y = self.pose[:2]
        odometry.pose.pose.orientation = base.transform.rotation
        self._odometry.publish(odometry)

