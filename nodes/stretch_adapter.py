"""Node ``stretch_adapter``: stands between the graph and stretch_ros2's driver, as sim_bridge does for the simulator.

Takes /cmd_vel, /arm_controller/follow_joint_trajectory, /gripper_controller/gripper_cmd, /e_stop, and the driver's
/stretch/joint_states and /mode. Gives /joint_states with the aperture among them (config/robots/stretch.yaml remaps it
out of the way of joint_state_publisher's), /stretch/cmd_vel, and goals of /stretch_controller/follow_joint_trajectory;
calls /switch_to_navigation_mode, /switch_to_position_mode and /stop_the_robot.
"""

from __future__ import annotations

import math

from control_msgs.action import FollowJointTrajectory, GripperCommand
from dadu_nodes.simulator.goal_server import Driver, GoalServer
from dadu_nodes.support import qos
from dadu_nodes.support.clock import duration
from dadu_nodes.support.convert.geometry import twist, twist_message
from dadu_nodes.support.convert.sensors import trajectory
from dadu_nodes.support.node import DaduNode, run
from geometry_msgs.msg import Twist as TwistMsg
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.task import Future
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, String
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from dadu.core.config import Settings
from dadu.core.robot import GripperCommand as Grip
from dadu.core.robot import RobotDescription
from dadu.robots import load_robot
from dadu.robots.stretch_commands import CommandSettings, Mode, Point, StretchCommands
from dadu.robots.stretch_joints import APERTURE, JointSettings, joint_states
from dadu.sim.mujoco.robot.driver_goals import ArmGoal, Ended, GoalVerdict, GripperGoal, Tolerances
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.mujoco.robot.joint_drive import InvalidTrajectory, JointDrive

_TICK = 0.05  # [s]
_GRIPS = 0.5  # share of the grip force at which fingers that stand still hold something


class AdapterSettings(Settings):
    """Parameters of the node."""

    robot: str = "stretch"
    commands: CommandSettings = CommandSettings()
    joints: JointSettings = JointSettings()


class StretchAdapter(DaduNode[AdapterSettings]):
    """One tick takes what `StretchCommands` asks for and hands it to the driver, switching its mode where needed."""

    def __init__(self) -> None:
        super().__init__("stretch_adapter", AdapterSettings)
        self._robot: RobotDescription = load_robot(self.settings.robot)
        self._commands = StretchCommands(self._robot, self.settings.commands)
        self._limits = JointDrive(self._robot)
        self._positions: dict[str, float] = {}
        self._efforts: dict[str, float] = {}
        self._heard = 0.0
        self._mode = ""
        self._switching: Future | None = None
        self._goal: ClientGoalHandle | None = None
        self._base = self.create_publisher(TwistMsg, "/stretch/cmd_vel", qos.COMMAND)
        self._joints = self.create_publisher(JointState, "/joint_states", qos.SENSOR)
        self._driver = ActionClient(self, FollowJointTrajectory, "/stretch_controller/follow_joint_trajectory")
        self._switches = {mode: self.create_client(Trigger, f"/switch_to_{mode.value}_mode") for mode in Mode}
        self._stop = self.create_client(Trigger, "/stop_the_robot")
        self.create_subscription(JointState, "/stretch/joint_states", self._on_joints, qos.SENSOR)
        self.create_subscription(String, "/mode", self._on_mode, qos.STATE)
        self.create_subscription(TwistMsg, "/cmd_vel", self._on_twist, qos.COMMAND)
        self.create_subscription(Bool, "/e_stop", self._on_stop, qos.STATE)
        self._servers = (
            GoalServer(self, FollowJointTrajectory, "/arm_controller/follow_joint_trajectory",
                       Driver(self._start_arm, self._arm_verdict, self._hold, _arm_result, _arm_feedback), self._check),
            GoalServer(self, GripperCommand, "/gripper_controller/gripper_cmd",
                       Driver(self._start_grip, self._grip_verdict, lambda: None, self._grip_result,
                              self._grip_feedback), lambda request: ""))
        self.create_timer(_TICK, self._tick)

    def _tick(self) -> None:
        """Ask, bring the driver into the mode that it takes, hand over."""
        now = self.now()
        request = self._commands.next(now, self._positions)
        if self._switching is not None and not self._switching.done():
            return
        if request.mode is not None and request.mode.value != self._mode:
            self._switch(request.mode)
            return
        if request.twist is not None and self._mode == Mode.NAVIGATION.value:
            self._base.publish(twist_message(request.twist))
        if request.point is not None:
            self._send(request.point)
            self._commands.sent(now)

    def _switch(self, mode: Mode) -> None:
        """The driver changes its mode only between goals."""
        self._cancel()
        if not self._switches[mode].service_is_ready():
            self.get_logger().warning("Stretch's driver does not answer; is stretch_driver running?",
                                      throttle_duration_sec=5.0)
            return
        self._switching = self._switches[mode].call_async(Trigger.Request())
        self._mode = ""  # until the driver says that it is in it

    def _send(self, point: Point) -> None:
        names = list(point.positions)
        speeds = [float(point.speeds[name]) for name in names]
        message = JointTrajectoryPoint(positions=[float(point.positions[name]) for name in names],
                                       # The driver takes a list of speeds as a whole; the gripper keeps its own.
                                       velocities=[] if APERTURE in names else speeds, time_from_start=duration(0.0))
        goal = FollowJointTrajectory.Goal(trajectory=JointTrajectory(joint_names=names, points=[message]))
        self._driver.send_goal_async(goal).add_done_callback(self._accepted)

    def _accepted(self, future: Future) -> None:
        handle = future.result()
        if handle is None or not handle.accepted:
            self.get_logger().warning("Stretch's driver refused a goal", throttle_duration_sec=2.0)
            return
        self._goal = handle
        if self._switching is not None and not self._switching.done():
            self._cancel()  # accepted too late: the switch waits for its end

    def _cancel(self) -> None:
        if self._goal is not None:
            self._goal.cancel_goal_async()
            self._goal = None

    def _on_mode(self, message: String) -> None:
        if self._switching is None or self._switching.done():
            self._mode = message.data

    def _on_twist(self, message: TwistMsg) -> None:
        self._commands.drive(twist(message), self.now())

    def _on_stop(self, message: Bool) -> None:
        if message.data:
            self._cancel()
            self._hold()
            if self._stop.service_is_ready():
                self._stop.call_async(Trigger.Request())

    def _on_joints(self, message: JointState) -> None:
        self._heard = self.now()
        self._positions, self._efforts = joint_states(dict(zip(message.name, message.position)),
                                                      dict(zip(message.name, message.effort)), self.settings.joints)
        efforts = [self._efforts.get(name, math.nan) for name in self._positions]  # NaN: not known in newtons
        self._joints.publish(JointState(header=message.header, name=list(self._positions),
                                        position=list(self._positions.values()), effort=efforts))

    def _check(self, request: FollowJointTrajectory.Goal) -> str:
        try:
            self._limits.check(trajectory(request.trajectory))
        except InvalidTrajectory as error:
            return str(error)
        return "" if self._positions else "Stretch's driver has not reported its joints yet"

    def _start_arm(self, request: FollowJointTrajectory.Goal) -> ArmGoal:
        goal = trajectory(request.trajectory)
        self._commands.move(goal, self.now(), self._positions)
        return ArmGoal(goal, self.now(), Tolerances(time=self.settings.commands.settle))

    def _arm_verdict(self, goal: ArmGoal) -> GoalVerdict | None:
        return goal.verdict(self.now(), self._positions | {n: v for n, v in goal.goal.items()
                                                           if n not in self._positions}, {})

    def _hold(self) -> None:
        self._commands.hold(self.now(), self._positions)

    def _start_grip(self, request: GripperCommand.Goal) -> GripperGoal:
        command = Grip(request.command.position, request.command.max_effort)
        self._commands.grip(command.aperture)
        return GripperGoal(command, self.now(), _GRIPS * self._robot.grip_force)

    def _grip_verdict(self, goal: GripperGoal) -> GoalVerdict | None:
        return goal.verdict(self._heard, self._fingers())  # a silent driver is no hand that stands still

    def _fingers(self) -> GripperState:
        return GripperState(self._positions.get(APERTURE, 0.0), self._efforts.get(APERTURE, 0.0))

    def _grip_result(self, verdict: GoalVerdict | None) -> GripperCommand.Result:
        state = self._fingers()
        return GripperCommand.Result(position=state.aperture, effort=state.effort,
                                     stalled=verdict is not None and verdict.ended is Ended.STALLED,
                                     reached_goal=verdict is not None and verdict.ended is Ended.REACHED)

    def _grip_feedback(self, goal: GripperGoal) -> GripperCommand.Feedback:
        state = self._fingers()
        return GripperCommand.Feedback(position=state.aperture, effort=state.effort)


def _arm_result(verdict: GoalVerdict | None) -> FollowJointTrajectory.Result:
    codes = FollowJointTrajectory.Result
    if verdict is None:
        return codes(error_code=codes.INVALID_GOAL, error_string="cancelled, or replaced by a newer goal")
    code = codes.SUCCESSFUL if verdict.ended is Ended.REACHED else codes.GOAL_TOLERANCE_VIOLATED
    return codes(error_code=code, error_string=verdict.message)


def _arm_feedback(goal: ArmGoal) -> FollowJointTrajectory.Feedback:
    return FollowJointTrajectory.Feedback(joint_names=list(goal.goal))


def main() -> None:
    """Entry point."""
    run(StretchAdapter)


if __name__ == "__main__":
    main()
