"""A stand-in for stretch_ros2's driver, as strict as its source is.

One goal at a time, five a second; single points, by command groups, of which the base's takes one increment, and none
of nought. A change of mode waits for the goal under way, and with it all else that the driver does. A goal ends where
all that it names are near enough, else after ten seconds. One that is cancelled ends, the motors go on; so does one
whose motors `/stop_the_robot` has stopped, which moves everything by nothing, the gripper, too, which so lets go.
"""

from __future__ import annotations

from control_msgs.action import FollowJointTrajectory
from geometry_msgs.msg import Twist
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.task import Future
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, String
from std_srvs.srv import Trigger

RATE = 30.0
FINGER = 0.171
"""[m]"""
FINGERS = ("joint_gripper_finger_left", "joint_gripper_finger_right")
INCREMENTS = ("translate_mobile_base", "rotate_mobile_base")
ARM = ("joint_arm_l3", "joint_arm_l2", "joint_arm_l1", "joint_arm_l0")
RANGES = {"joint_lift": (0.0, 1.1), "wrist_extension": (0.0, 0.52), "gripper_aperture": (-0.128, 0.25)}
"""what goals are cut to [m]"""
NEAR = {"wrist_extension": 0.008, "joint_head_pan": 0.15, "joint_head_tilt": 0.52, "rotate_mobile_base": 0.0105,
        "translate_mobile_base": 0.005}
NEAR_ENOUGH = 0.015
"""the latter for all others, [m or rad]: where a goal has arrived, though its motors may go on"""
PATIENCE = 10.0
"""[s] for one goal"""
HOME = {"wrist_extension": 0.0, "joint_lift": 0.3, "joint_wrist_yaw": 2.8, "joint_wrist_pitch": 0.0,
        "joint_wrist_roll": 0.0, "joint_head_pan": 0.0, "joint_head_tilt": -0.4}


class StretchDriver:
    """Moves joints and base at the speeds asked for; `object_width` [m] is what stands between the fingers.

    `errors` says what was asked for that it does not do.
    """

    def __init__(self, node) -> None:
        self.node = node
        self.joints, self.x, self.yaw = dict(HOME), 0.0, 0.0
        self.aperture, self.object_width = 0.1, 0.0
        self.errors, self.stops, self.modes = [], 0, []
        self.deaf = False
        """a lock that was never given back: no mode is changed, nothing is reported"""
        self.stuck = False
        """changes of mode are never answered, though all else goes on"""
        self._entities = []
        self.start()

    def start(self) -> None:
        """As a process does that has just been started; joints and base are where they are."""
        node, self.mode, self.running, self.homed = self.node, "position", True, True
        self._motors, self._speed, self._left = {}, {}, dict.fromkeys(INCREMENTS, 0.0)
        self._grip = self.aperture
        self._twist, self._heard, self._last = Twist(), 0.0, 0.0
        self._goal, self._handle, self._ended, self._waiting = {}, None, None, []
        self._states = node.create_publisher(JointState, "/stretch/joint_states", 1)
        self._modes = node.create_publisher(String, "/mode", 1)
        self._homes = node.create_publisher(Bool, "/is_homed", 1)
        group = ReentrantCallbackGroup()  # one that waits must not hold up its neighbours
        switches = [node.create_service(Trigger, f"/switch_to_{mode}_mode", self._switch_to(mode), callback_group=group)
                    for mode in ("navigation", "position", "trajectory")]
        server = ActionServer(node, FollowJointTrajectory, "/stretch_controller/follow_joint_trajectory",
                              self._execute, goal_callback=self._accept, cancel_callback=self._cancelled)
        self._entities = [
            (node.destroy_publisher, self._states), (node.destroy_publisher, self._modes),
            (node.destroy_publisher, self._homes), *((node.destroy_service, service) for service in switches),
            (node.destroy_service, node.create_service(Trigger, "/stop_the_robot", self._stop)),
            (node.destroy_subscription, node.create_subscription(Twist, "/stretch/cmd_vel", self._on_twist, 1)),
            (node.destroy_timer, node.create_timer(1 / RATE, self._step)),
            (lambda server: server.destroy(), server)]

    def _now(self) -> float:
        """[s]"""
        return self.node.get_clock().now().nanoseconds * 1e-9

    def kill(self) -> None:
        """The process dies: nobody is told."""
        self.running = False
        for destroy, entity in self._entities:
            destroy(entity)
        self._entities = []

    @property
    def grip_effort(self) -> float:
        """[%] of the motor's; a target beyond what the fingers have closed on."""
        return -60.0 if self._grip < self.aperture - 0.005 else -2.0

    def _on_twist(self, message) -> None:
        if self.mode != "navigation":
            self.errors.append(f"cmd_vel in {self.mode} mode")
            return
        self._twist, self._heard = message, self._now()

    def _switch_to(self, mode):
        async def switch(request, answer):
            if self._goal:
                self.errors.append("a mode switch waits for the goal under way")
            if self.stuck:
                await Future(executor=self.node.executor)
            if self._goal or self.deaf:
                self._waiting.append(waiting := Future(executor=self.node.executor))
                await waiting
            self.mode, answer.success = mode, True
            self.modes.append(mode)
            return answer
        return switch

    def _stop(self, request, answer):
        self.stops += 1
        self._stop_motors()
        answer.success = True
        return answer

    def _stop_motors(self) -> None:
        self._motors, self._left, self._grip = {}, dict.fromkeys(INCREMENTS, 0.0), self.aperture

    def _accept(self, request):
        now = self._now()
        if self._goal and now - self._last < 0.2:
            self.errors.append("goals above 5 Hz")
            return GoalResponse.REJECT
        self._last = now
        return GoalResponse.ACCEPT

    def _cancelled(self, handle):
        return CancelResponse.ACCEPT

    async def _execute(self, handle):
        names = list(handle.request.trajectory.joint_names)
        if wrong := self._wrong(names):
            self.errors.append(wrong)
            handle.abort()
            return FollowJointTrajectory.Result(error_code=-100, error_string=wrong)
        if self._goal:
            self._finish("preempted")
        (point,) = handle.request.trajectory.points
        speeds = dict(zip(names, point.velocities))
        if any(point.positions[names.index(n)] == 0.0 for n in INCREMENTS if n in names):
            self.errors.append("an increment of nought: the goal dies with the driver's lock")
            self.deaf = True
        self._goal = {name: min(max(p, RANGES.get(name, (p, p))[0]), RANGES.get(name, (p, p))[1])
                      for name, p in zip(names, point.positions)}
        self._take(speeds)
        self._handle, self._ended, self._begun = handle, Future(executor=self.node.executor), self._now()
        ended = await self._ended
        if ended == "cancelled":
            handle.canceled()
        elif ended == "reached":
            handle.succeed()
        else:
            handle.abort()
        late = FollowJointTrajectory.Result.PATH_TOLERANCE_VIOLATED if ended == "late" else 0
        return FollowJointTrajectory.Result(error_code=late)

    def _take(self, speeds) -> None:
        """The motors of the joints named go; those of the others go on."""
        for name, goal in self._goal.items():
            if name == "gripper_aperture":
                self._grip = goal
            elif name in INCREMENTS:
                self._left = dict.fromkeys(INCREMENTS, 0.0) | {name: goal}
            else:
                self._motors[name] = goal
            self._speed[name] = speeds.get(name, 0.3)

    def _wrong(self, names) -> str:
        if self.mode not in ("position", "trajectory"):
            return f"goal of {names} in {self.mode} mode"
        if not set(names) <= {*HOME, "gripper_aperture", *INCREMENTS}:
            return f"unknown joints among {names}"
        return "both increments at once" if set(INCREMENTS) <= set(names) else ""

    @property
    def velocity(self) -> tuple[float, float]:
        """Of the base, forward [m/s] and about [rad/s], as it was told in time."""
        heard = self.mode == "navigation" and self._now() - self._heard < 0.5
        return (self._twist.linear.x, self._twist.angular.z) if heard else (0.0, 0.0)

    def _step(self) -> None:
        self._move(1 / RATE)
        self._end_goal()
        if not self._waiting and not self.deaf:
            self._report(self.node.get_clock().now().to_msg())

    def _move(self, dt) -> None:
        for name, goal in self._motors.items():
            self.joints[name] = toward(self.joints[name], goal, self._speed[name] * dt)
        self.aperture = max(toward(self.aperture, self._grip, 0.2 * dt), min(self.object_width, self.aperture))
        gone = [toward(0.0, self._left[name], self._speed.get(name, 0.5) * dt) for name in INCREMENTS]
        self._left = {name: self._left[name] - way for name, way in zip(INCREMENTS, gone)}
        vx, wz = self.velocity
        self.x, self.yaw = self.x + gone[0] + vx * dt, self.yaw + gone[1] + wz * dt

    def _end_goal(self) -> None:
        if self._ended is None:
            return
        now = {**self.joints, "gripper_aperture": self.aperture}
        off = {n: now[n] - g if n in now else self._left[n] for n, g in self._goal.items()}
        if self._handle.is_cancel_requested:
            self._finish("cancelled")
        elif all(abs(error) < NEAR.get(n, NEAR_ENOUGH) for n, error in off.items()):
            self._finish("reached")
        elif self._now() - self._begun > PATIENCE:
            self._finish("late")

    def _finish(self, how) -> None:
        ended, self._ended, self._goal = self._ended, None, {}
        ended.set_result(how)
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            future.set_result(None)

    def _report(self, stamp) -> JointState:
        finger = self.aperture / 2 / FINGER
        fingers = dict.fromkeys(FINGERS, finger)
        parts = dict.fromkeys(ARM, self.joints["wrist_extension"] / 4)
        positions = {**self.joints, **parts, **fingers}
        message = JointState(name=list(positions), position=list(positions.values()),
                             effort=list(self._efforts(positions).values()))
        message.header.stamp = stamp
        self._states.publish(message)
        self._modes.publish(String(data=self.mode))
        self._homes.publish(Bool(data=self.homed))
        return message

    def _efforts(self, positions) -> dict:
        """[%] by joint."""
        return dict.fromkeys(positions, 10.0) | dict.fromkeys(FINGERS, self.grip_effort)


def toward(value, goal, step):
    return value + min(max(goal - value, -step), step)
