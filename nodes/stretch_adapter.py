"""Node ``stretch_adapter``: stands between the graph and Hello Robot's driver, as sim_bridge does for the simulator.

Takes velocities, /arm_controller/follow_joint_trajectory, /gripper_controller/gripper_cmd, /e_stop, /operator/state,
and the driver's joint states, /mode and /is_homed. Gives ~/joint_states with the aperture among them, and the driver's
velocities and goals; changes its mode, and calls /stop_the_robot. `stretch_driver` in the robot's file says whose names
and units those are: stretch_ros2's (/stretch/joint_states, /cmd_vel in and /stretch/cmd_vel out,
/stretch_controller/follow_joint_trajectory, /switch_to_navigation_mode, /switch_to_position_mode) or stretch4_ros2's
(/joint_states, ~/cmd_vel in and /cmd_vel out, /follow_joint_trajectory, the parameter `mode` of /stretch_driver).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.drivers.stretch_client import StretchClient
from dadu_nodes.simulator.driver_actions import arm_refusal, grip, grip_refusal, serve_arm, serve_gripper
from dadu_nodes.support import qos
from dadu_nodes.support.incoming.twists import TwistSubscription
from dadu_nodes.support.listening.offered import SensorSubscription
from dadu_nodes.support.listening.operator import follow_stop
from dadu_nodes.support.node import DaduNode, run
from geometry_msgs.msg import Quaternion, Transform, TransformStamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.config import Settings
from dadu.core.robot import GripperCommand as Grip
from dadu.core.robot import RobotDescription, Twist
from dadu.incoming.numbers import joint_states as told
from dadu.replay import messages
from dadu.robots import load_robot
from dadu.robots.drivers.stretch_commands import CommandSettings, StretchCommands
from dadu.robots.drivers.stretch_dialects import DIALECTS
from dadu.robots.drivers.stretch_joints import JointSettings, joint_states
from dadu.robots.drivers.stretch_link import LinkSettings
from dadu.robots.loader import load_settings
from dadu.robots.set_points import APERTURE
from dadu.sim.mujoco.robot.driver_goals import ArmGoal, Ended, GoalVerdict, GripperGoal, Tolerances
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.mujoco.robot.joint_drive import JointDrive
from dadu.skills.generator import TICK

_GRIPS = 0.5  # share of the grip force at which fingers that stand still hold something


class AdapterSettings(Settings):
    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    commands: CommandSettings = CommandSettings()
    joints: JointSettings = JointSettings()
    link: LinkSettings = LinkSettings()


@dataclass
class _Gripping:
    """An opening or closing under way."""

    command: Grip
    goal: GripperGoal | None = None
    """once the driver has the command"""


class StretchAdapter(DaduNode[AdapterSettings]):
    """The actions and topics of any robot of ours, carried out by `StretchCommands` through `StretchClient`."""

    live = ("joints", "commands", "link")  # joints are calibrated while a known weight hangs on the lift

    def __init__(self) -> None:
        super().__init__("stretch_adapter", AdapterSettings)
        self._robot: RobotDescription = load_robot(self.settings.robot)
        self._dialect = DIALECTS[load_settings(self.settings.robot)[0].stretch_driver]
        self._commands = StretchCommands(self._robot, self.settings.commands, self._dialect)
        self._limits = JointDrive(self._robot)
        self._positions: dict[str, float] = {}
        self._efforts: dict[str, float] = {}
        self._heard = 0.0
        self._driver = StretchClient(self, self._commands, self.settings.link, self._dialect)
        self._joints = self.create_publisher(JointState, "~/joint_states", qos.SENSOR)
        self._states = SensorSubscription(self, JointState, self._dialect.joint_states, self._on_joints, qos.SENSOR)
        TwistSubscription(self, self._dialect.velocities_in, self._on_twist)
        follow_stop(self, self._driver.stop)
        self._servers = (
            serve_arm(self, self._start_arm, self._arm_verdict, self._hold, _arm_feedback, self._check),
            serve_gripper(self, self._start_grip, self._grip_verdict, self._fingers,
                          lambda request: grip_refusal(request) or self._driver.problem()))
        self.create_publisher(TFMessage, "/tf_static", qos.TF_STATIC).publish(self.frames.sent(self._missing_frames()))
        self.create_timer(TICK, self._tick)

    def _take_settings(self, settings: AdapterSettings) -> None:
        super()._take_settings(settings)
        self._commands.settings, self._driver.link.settings = settings.commands, settings.link

    def close(self) -> None:
        self._driver.halt()

    def _missing_frames(self) -> TFMessage:
        """Frames of ours that the robot's own description has under other names, of which a calibrated one lacks none;
        and the driver's odometry below ours."""
        real, odometry = load_settings(self.settings.robot)[0].calibrated, self._dialect.odometry_frame
        same = Transform(rotation=Quaternion(w=1.0))
        pairs = [(real.counterparts[ours], ours) for ours in real.frames if ours in real.counterparts]
        return TFMessage(transforms=[
            TransformStamped(header=Header(frame_id=parent), child_frame_id=child, transform=same)
            for parent, child in [*pairs, *([("odom", odometry)] if odometry else [])]])

    def _tick(self) -> None:
        self._driver.tick()
        self.health.problem(self._driver.link.problem(self.now()))

    def _on_twist(self, twist: Twist) -> None:
        if not self._driver.stopped:
            self._commands.drive(twist, self.now())

    def _on_joints(self, message: JointState) -> None:
        self._heard = self.now()
        positions, efforts, numberless = told(message.name, message.position, message.effort)
        if numberless:
            self.intake.refuse(self._dialect.joint_states, numberless)
        self._positions, self._efforts = joint_states(positions, efforts, self.settings.joints, self._dialect)
        self._driver.measured(self._positions)
        newtons = [self._efforts.get(name, math.nan) for name in self._positions]  # NaN: not known
        self._joints.publish(JointState(header=message.header, name=list(self._positions),
                                        position=list(self._positions.values()), effort=newtons))

    def _check(self, request: FollowJointTrajectory.Goal) -> str:
        return arm_refusal(request, self._limits) or self._driver.problem()

    def _start_arm(self, request: FollowJointTrajectory.Goal) -> ArmGoal:
        goal = messages.trajectory(request.trajectory)
        self._commands.move(goal, self.now(), self._positions)
        return ArmGoal(goal, self.now(), Tolerances(time=self.settings.commands.settle))

    def _arm_verdict(self, goal: ArmGoal) -> GoalVerdict | None:
        if problem := self._driver.problem():
            return GoalVerdict(Ended.GOAL_TOLERANCE, problem)
        return goal.verdict(self.now(), self._positions | {n: v for n, v in goal.goal.items()
                                                           if n not in self._positions}, {})

    def _hold(self) -> None:
        self._commands.hold(self.now(), self._positions)

    def _start_grip(self, request: GripperCommand.Goal) -> _Gripping:
        asked = grip(request, self._robot)
        command = replace(asked, aperture=min(asked.aperture, self._dialect.widest))
        self._commands.grip(command.aperture)
        return _Gripping(command)

    def _grip_verdict(self, gripping: _Gripping) -> GoalVerdict | None:
        """Only of what the driver has taken: fingers that were not told yet stand still, too."""
        if problem := self._driver.problem():
            return GoalVerdict(Ended.GOAL_TOLERANCE, problem)
        if self._commands.gripper_waits:
            return None
        if gripping.goal is None:
            gripping.goal = GripperGoal(gripping.command, self._heard, _GRIPS * self._robot.grip_force)
        return gripping.goal.verdict(self._heard, self._fingers())  # a silent driver is no hand that stands still

    def _fingers(self) -> GripperState:
        return GripperState(self._positions.get(APERTURE, 0.0), self._efforts.get(APERTURE, 0.0))


def _arm_feedback(goal: ArmGoal) -> FollowJointTrajectory.Feedback:
    return FollowJointTrajectory.Feedback(joint_names=list(goal.goal))


def main() -> None:
    run(StretchAdapter)
