"""A stand-in for what ros2_control runs on an arm with a Robotiq gripper, as strict as its controllers' sources are.

The trajectory controller takes no partial goals, no effort, no times that do not increase, nothing while it is
inactive; a goal ends however late. ur_robot_driver's stopper deactivates it when the arm's program stops. The
gripper's controller takes one position, a joint's and no gap, and calls fingers stalled that stand for 50 ms, which
they also do before they start. Arm and gripper report their joints in messages of their own.
"""

from __future__ import annotations

from control_msgs.action import FollowJointTrajectory, GripperCommand, ParallelGripperCommand
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.task import Future
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Float64

RATE = 50.0
JOINTS = ("shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint")
FINGER, CLOSED = "finger_joint", 0.695
LATENCY = 0.15
"""between a command and the fingers' start [s]"""


class ControllerStack:
    """`thing` [rad]: where something between the fingers stops them; `refusals` says what was not taken, and why."""

    def __init__(self, node, arm="scaled_joint_trajectory_controller",
                 hand=("robotiq_gripper_controller", ParallelGripperCommand), prefix="", start=None) -> None:
        self.node, self.prefix, self.names = node, prefix, [prefix + name for name in JOINTS]
        self.arm = dict(zip(self.names, (start or {}).values())) if start else dict.fromkeys(self.names, 0.5)
        self.finger, self.thing, self.refusals, self.goals = 0.0, CLOSED, [], []
        self.active, self.speed, self.reports = True, 100.0, True
        self._path, self._t, self._handle, self._ended = [], 0.0, None, None
        self._target, self._told, self._moved, self._was = 0.0, 0.0, 0.0, 0.0
        self._grip, self._grip_ended = None, None
        name, gripper = hand
        self._states = [node.create_publisher(JointState, "/joint_states", 1) for _ in "ab"]
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._program = node.create_publisher(Bool, "/io_and_status_controller/robot_program_running", latched)
        self._speeds = node.create_publisher(Float64, "/speed_scaling_state_broadcaster/speed_scaling", 1)
        self._servers = [
            ActionServer(node, FollowJointTrajectory, f"/{arm}/follow_joint_trajectory", self._follow,
                         goal_callback=self._check, cancel_callback=lambda handle: CancelResponse.ACCEPT),
            ActionServer(node, gripper, f"/{name}/gripper_cmd", self._close,
                         goal_callback=self._check_grip, cancel_callback=self._let_go)]
        self._parallel = gripper is ParallelGripperCommand
        self._timer = node.create_timer(1 / RATE, self._step)
        self.program(True)

    def destroy(self) -> None:
        self.node.destroy_timer(self._timer)
        for server in self._servers:
            server.destroy()
        for publisher in (*self._states, self._program, self._speeds):
            self.node.destroy_publisher(publisher)

    def _now(self) -> float:
        """[s]"""
        return self.node.get_clock().now().nanoseconds * 1e-9

    def program(self, runs) -> None:
        """The arm's program stops, as in a protective stop, or runs again: the stopper follows."""
        self._program.publish(Bool(data=runs))
        self.active = runs
        if not runs and self._ended is not None:
            self._finish("deactivated")

    def _check(self, request):
        message = request.trajectory
        times = [p.time_from_start.sec + p.time_from_start.nanosec * 1e-9 for p in message.points]
        why = ("controller is not running" if not self.active else
               "partial" if len(message.joint_names) != len(self.names) else
               "names" if set(message.joint_names) != set(self.names) else
               "empty" if not times else
               "times" if any(b <= a for a, b in zip(times, times[1:])) else
               "effort" if any(p.effort for p in message.points) else
               "lengths" if any(len(p.positions) != len(self.names) for p in message.points) else "")
        if why:
            self.refusals.append(why)
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    async def _follow(self, handle):
        if self._ended is not None:
            self._finish("replaced")
        message = handle.request.trajectory
        self.goals.append(message)
        self._path = [(0.0, dict(self.arm))] + [
            (p.time_from_start.sec + p.time_from_start.nanosec * 1e-9, dict(zip(message.joint_names, p.positions)))
            for p in message.points]
        self._t, self._handle, self._ended = 0.0, handle, Future(executor=self.node.executor)
        how = await self._ended
        result = FollowJointTrajectory.Result(error_string=how)
        if how == "reached":
            handle.succeed()
        elif how == "cancelled":
            handle.canceled()
        else:
            result.error_code = FollowJointTrajectory.Result.INVALID_GOAL
            handle.abort()
        return result

    def _finish(self, how) -> None:
        ended, self._ended, self._path = self._ended, None, []
        if how != "reached":
            self._hold()
        ended.set_result(how)

    def _hold(self) -> None:
        """The arm stays where it is."""

    def _check_grip(self, request):
        position = self._position(request)
        if position is None:
            self.refusals.append("one position")
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _position(self, request):
        if not self._parallel:
            return request.command.position
        return request.command.position[0] if len(request.command.position) == 1 else None

    def _let_go(self, handle):
        self._target = self.finger  # a cancelled goal holds the position, and with it no force
        return CancelResponse.ACCEPT

    async def _close(self, handle):
        if self._grip_ended is not None:
            self._grip_ended.set_result("replaced")
        self._target = min(max(self._position(handle.request), 0.0), 0.8)
        self._told = self._moved = self._now()
        mine = self._grip_ended = Future(executor=self.node.executor)
        how = await mine
        kind = ParallelGripperCommand if self._parallel else GripperCommand
        result = kind.Result(stalled=how == "stalled", reached_goal=how == "reached")
        (handle.abort if how == "replaced" else handle.succeed)()
        return result

    def _step(self) -> None:
        dt = 1 / RATE
        if self._ended is not None:
            self._advance(dt * self.speed / 100.0)
        self._move_fingers(dt)
        if not self.reports:
            return
        self._report(self._states[0], self.names, list(self.arm.values()), [1.5] * len(self.names))  # [A]
        self._report(self._states[1], [FINGER], [self.finger], [])
        self._speeds.publish(Float64(data=self.speed))

    def _advance(self, dt) -> None:
        if self._handle.is_cancel_requested:
            self._finish("cancelled")
            return
        self._t += dt
        for (t0, a), (t1, b) in zip(self._path, self._path[1:]):
            if t0 <= self._t <= t1 or t1 == self._path[-1][0] < self._t:
                share = min(1.0, (self._t - t0) / (t1 - t0))
                self._go({name: a[name] + share * (b[name] - a[name]) for name in self.names})
        if self._ended is not None and self._t >= self._path[-1][0]:
            self._finish("reached")

    def _go(self, positions) -> None:
        """To the set-points of this moment."""
        self.arm = positions

    def _turn_fingers(self, dt) -> None:
        goal = min(self._target, max(self.thing, self.finger if self._target < self.finger else self.thing))
        self.finger += min(max(goal - self.finger, -1.2 * dt), 1.2 * dt)

    def _move_fingers(self, dt) -> None:
        now = self._now()
        if now - self._told > LATENCY:
            self._turn_fingers(dt)
        if abs(self.finger - self._was) > 1e-3 * dt:
            self._moved = now
        self._was = self.finger
        if self._grip_ended is None:
            return
        if abs(self._target - self.finger) < 0.02:
            self._end_grip("reached")
        elif now - self._moved > 0.05:
            self._end_grip("stalled")

    def _end_grip(self, how) -> None:
        ended, self._grip_ended = self._grip_ended, None
        ended.set_result(how)

    def _report(self, publisher, names, positions, efforts) -> None:
        message = JointState(name=names, position=positions, effort=efforts)
        message.header.stamp = self.node.get_clock().now().to_msg()
        publisher.publish(message)
