"""Node ``controller_adapter``: stands between the graph and the ros2_control controllers of an arm and its gripper.

Takes /arm_controller/follow_joint_trajectory, /gripper_controller/gripper_cmd (the gap between the fingertips),
/e_stop, /operator/state, and the drivers' joint states, of several publishers if need be. Gives ~/joint_states, all
joints in one message with the gap among them, and goals that name every joint of the arm, as the controllers call them:
`controllers` in the robot's file says how.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

from action_msgs.msg import GoalStatus
from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.drivers.controller_client import ArmController, GripperController, SentGoal
from dadu_nodes.simulator.driver_actions import arm_refusal, grip, grip_refusal, serve_arm, serve_gripper
from dadu_nodes.support import qos
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.listening.operator import follow_stop
from dadu_nodes.support.listening.robot import GRIPPER_JOINT
from dadu_nodes.support.node import DaduNode, run
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Float64, Header

from dadu.bringup.naming import relative
from dadu.core.config import Settings
from dadu.core.errors import ConfigError
from dadu.core.robot import GripperCommand as Grip
from dadu.incoming.numbers import joint_states, velocity
from dadu.replay import messages
from dadu.robots import load_robot
from dadu.robots.drivers.controllers import ControllerNames, GripSense, JointBoard, complete
from dadu.robots.loader import load_settings
from dadu.sim.mujoco.robot.driver_goals import ArmGoal, Ended, GoalVerdict, GripperGoal, Tolerances
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.mujoco.robot.joint_drive import JointDrive

_PERIOD = 0.02
"""of the merged joint states [s]; drivers report up to 500 times a second"""
_SILENCE = 1.0
"""[s] without a joint's state, after which its driver counts as gone"""
_PATIENCE = 3.0
"""[s] for which an arm may stand off its goal, or slowed down to nothing, before its goal is given up"""


_CODES = {getattr(FollowJointTrajectory.Result, name): name.replace("_", " ").lower() for name in (
    "INVALID_GOAL", "INVALID_JOINTS", "OLD_HEADER_TIMESTAMP", "PATH_TOLERANCE_VIOLATED", "GOAL_TOLERANCE_VIOLATED")
    } | {0: "somebody cancelled it"}
"""what a controller's result means that has no words of its own"""


class ControllerAdapterSettings(Settings):
    robot: str = "ur3"
    """a name in config/robots/, or a file like those"""


@dataclass
class _Moving:
    """A trajectory under way."""

    goal: ArmGoal
    pursuit: SentGoal


@dataclass
class _Gripping:
    """An opening or closing under way."""

    command: Grip
    pursuit: SentGoal | None
    goal: GripperGoal | None = field(default=None)
    """once the controller has the command"""


class ControllerAdapter(DaduNode[ControllerAdapterSettings]):
    """The actions and topics of any robot of ours, carried out by ros2_control's controllers."""

    def __init__(self) -> None:
        super().__init__("controller_adapter", ControllerAdapterSettings)
        self._robot = load_robot(self.settings.robot)
        self._names = _controllers(self.settings.robot)
        self._linkage = self._names.linkage
        self._limits = JointDrive(self._robot)
        self._board = JointBoard(self._names.prefix)
        self._sense = GripSense(self._robot.grip_force)
        self._remembered = self.run_dir / "gripper_command"  # a restart must not take what is held for lost
        self._sense.command = _read(self._remembered)
        self._stopped, self._running, self._speed = False, True, 100.0
        self._arm = ArmController(self, self._names.arm)
        finger = self._linkage.joint if self._linkage is not None else ""
        self._gripper = GripperController(self, self._names.gripper, finger)
        self._needed = [*self._robot.arm_joints, *([finger] if finger else [])]
        self._joints = self.create_publisher(JointState, "~/joint_states", qos.SENSOR)
        self._listen()
        self._servers = (
            serve_arm(self, self._start_arm, self._arm_verdict, self._hold, _arm_feedback, self._check),
            serve_gripper(self, self._start_grip, self._grip_verdict, self._fingers, self._check_grip))
        self._moving: _Moving | None = None
        self.create_timer(_PERIOD, self._report)
        self.create_timer(1.0, self._watch)

    def _listen(self) -> None:
        names = self._names
        for topic in names.joint_states:
            self.create_subscription(JointState, relative(topic), self._on_joints, qos_profile_sensor_data)
        if names.program_running:
            self.create_subscription(Bool, relative(names.program_running), self._on_program, qos.LATCHED)
        if names.speed_scaling:
            self.create_subscription(Float64, relative(names.speed_scaling), self._on_speed, qos_profile_sensor_data)
        follow_stop(self, self._stop)

    def _on_joints(self, message: JointState) -> None:
        positions, efforts, numberless = joint_states(message.name, message.position, message.effort)
        self._board.hear(positions, efforts, self.now())
        if numberless:
            self.intake.refuse("joint_states", numberless)

    def _on_program(self, message: Bool) -> None:
        self._running = message.data

    def _on_speed(self, message: Float64) -> None:
        self._speed = velocity((message.data,))[0]

    def _stop(self, stopped: bool) -> None:
        """The arm's controller holds where a cancel finds it; the gripper's goal stays, and so does its grip."""
        if stopped and not self._stopped:
            self._hold()
        self._stopped = stopped

    def _problem(self) -> str:
        """Why nothing moves, in a sentence; empty: nothing is wrong."""
        if self._stopped:
            return "the emergency stop is pressed"
        return self._of_drivers()

    def _of_drivers(self) -> str:
        age = self._board.age(self._needed, self.now())
        if age == math.inf:
            missing = [name for name in self._needed if name not in self._board.positions]
            return f"no driver has reported {', '.join(missing)} yet on {', '.join(self._names.joint_states)}"
        if age > _SILENCE:
            return f"the joints' states are {age:.1f} s old; is the robot's driver running?"
        if not self._running:
            return "the arm's program is not running: on the pendant, release a protective stop and start the program"
        return self._arm.problem()

    def _watch(self) -> None:
        problem = self._of_drivers()
        self.health.problem(problem)
        self.health.set("speed_scaling", self._speed)
        if problem:
            self.get_logger().warning(problem, throttle_duration_sec=5.0)

    def _report(self) -> None:
        """All joints in one message, as long as none of them is silent."""
        now = self.now()
        if self._board.age(self._needed, now) > _SILENCE:
            return
        positions = dict(self._board.positions)
        if self._linkage is not None:
            fingers = self._fingers()
            positions[GRIPPER_JOINT] = fingers.aperture
        # An arm's efforts are currents here, which are no torques: not known.
        efforts = [fingers.effort if name == GRIPPER_JOINT else math.nan for name in positions]
        self._joints.publish(JointState(header=Header(stamp=stamp(now)), name=list(positions), effort=efforts,
                                        position=list(positions.values())))

    def _check(self, request: FollowJointTrajectory.Goal) -> str:
        return arm_refusal(request, self._limits) or self._problem()

    def _check_grip(self, request: GripperCommand.Goal) -> str:
        return grip_refusal(request) or self._problem() or self._gripper.problem()

    def _start_arm(self, request: FollowJointTrajectory.Goal) -> _Moving:
        goal = complete(messages.trajectory(request.trajectory), self._robot.arm_joints, self._board.positions)
        message = encode.trajectory(goal)
        message.joint_names = [self._names.prefix + name for name in message.joint_names]
        pursuit = self._arm.send(FollowJointTrajectory.Goal(trajectory=message), self.now())
        if pursuit is None:
            raise ConfigError(self._arm.problem())  # gone since the goal was checked
        self._moving = _Moving(ArmGoal(goal, self.now(), Tolerances(time=_PATIENCE)), pursuit)
        return self._moving

    def _arm_verdict(self, moving: _Moving) -> GoalVerdict | None:
        now = self.now()
        if problem := self._problem() or moving.pursuit.problem(now):
            return GoalVerdict(Ended.GOAL_TOLERANCE, problem)
        response = moving.pursuit.outcome()
        if response is not None:
            code, said = response.result.error_code, response.result.error_string
            if response.status == GoalStatus.STATUS_SUCCEEDED and code == FollowJointTrajectory.Result.SUCCESSFUL:
                return GoalVerdict(Ended.REACHED, said)
            why = said or _CODES.get(code, f"code {code}")
            return GoalVerdict(Ended.GOAL_TOLERANCE, f"the controller broke the goal off: {why}")
        verdict = moving.goal.verdict(now, self._board.positions, {})
        if verdict is None or verdict.ended is Ended.REACHED:
            return verdict
        slow = f" (the speed slider is at {self._speed:.0f} %)" if self._speed < 99.0 else ""
        return GoalVerdict(verdict.ended, verdict.message + slow)

    def _hold(self) -> None:
        if self._moving is not None:
            self._moving.pursuit.cancel()

    def _start_grip(self, request: GripperCommand.Goal) -> _Gripping:
        command = grip(request, self._robot)
        pursuit = None
        if self._linkage is not None:
            pursuit = self._gripper.send(self._linkage.position_at(command.aperture), self.now())
        return _Gripping(command, pursuit)

    def _grip_verdict(self, gripping: _Gripping) -> GoalVerdict | None:
        """By the fingers, not by the controller: it may say stalled before they have begun to move."""
        now = self.now()
        if gripping.pursuit is None:
            return GoalVerdict(Ended.GOAL_TOLERANCE, self._gripper.problem())
        if problem := self._problem() or gripping.pursuit.problem(now):
            return GoalVerdict(Ended.GOAL_TOLERANCE, problem)
        if not gripping.pursuit.taken:
            return None
        if gripping.goal is None:
            self._sense.tell(gripping.command.aperture, now)
            self._remembered.write_text(f"{gripping.command.aperture}\n")
            gripping.goal = GripperGoal(gripping.command, now + GripSense.START, self._robot.grip_force)
        return gripping.goal.verdict(now, GripperState(self._sense.gap, self._fingers().effort))

    def _fingers(self) -> GripperState:
        if self._linkage is None or self._linkage.joint not in self._board.positions:
            return GripperState(0.0, 0.0)
        gap = self._linkage.gap_at(self._board.positions[self._linkage.joint])
        return GripperState(gap, self._sense.feel(gap, self.now()))


def _controllers(robot: str) -> ControllerNames:
    """Errors: ConfigError."""
    controllers = load_settings(robot)[0].controllers
    if controllers is None:
        raise ConfigError(f"robot {robot!r} has no section `controllers`, which controller_adapter needs")
    return controllers


def _read(path: Path) -> float | None:
    try:
        return float(path.read_text())
    except (OSError, ValueError):
        return None


def _arm_feedback(moving: _Moving) -> FollowJointTrajectory.Feedback:
    return FollowJointTrajectory.Feedback(joint_names=list(moving.goal.goal))


def main() -> None:
    run(ControllerAdapter)
