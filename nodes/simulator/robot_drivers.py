"""One simulated robot behind the topics and actions of a real one's drivers."""

from __future__ import annotations

from dataclasses import replace

from control_msgs.action import FollowJointTrajectory
from control_msgs.action import GripperCommand as GripperAction
from dadu_nodes.simulator.driver_actions import arm_refusal, grip, grip_refusal, serve_arm, serve_gripper
from dadu_nodes.simulator.publishers import Publishers
from dadu_nodes.support import qos
from dadu_nodes.support.clock import seconds, stamp
from dadu_nodes.support.incoming.intake import ListeningNode
from dadu_nodes.support.incoming.twists import TwistSubscription
from dadu_nodes.support.work import WorkListener
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from std_msgs.msg import Header
from trajectory_msgs.msg import JointTrajectoryPoint

from dadu.core.robot import Command, RobotDescription, Twist
from dadu.replay import messages
from dadu.sim.backend import Backend
from dadu.sim.engine import Engine
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.robot.driver_goals import ArmGoal, GoalVerdict, GripperGoal, Tolerances
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.mujoco.robot.state import link_poses
from dadu.sim.outside_view import OutsideView


class RobotDrivers:
    """Of the robot that is the `number`-th of a simulation."""

    def __init__(self, node: ListeningNode, number: int, robot: RobotDescription, scan_period: float,
                 world: Node | None = None) -> None:
        """`node`: whose namespace and frames they are in; `world`: the node of the whole world, which has the clock,
        too; `scan_period` [s]."""
        self._node, self._number, self._robot = node, number, robot
        self.reports = Publishers(node, robot, scan_period, world)
        self.listener = replace(self.reports.listener(), work=WorkListener(node).reports)

    def introduce(self, simulation: Backend) -> None:
        """Another house is simulated, or the same with other things in it."""
        self.reports.house = simulation.house.house
        self.reports.instances = (simulation.instance_names, simulation.instance_categories)

    def serve(self, engine: Engine) -> None:
        """Takes commands from now on, for the robot in `engine`, and tells of its body once."""
        self._engine = engine
        self._servers = (ArmServer(self._node, engine, self._number),
                         GripperServer(self._node, engine, self._number, self._robot))
        self._outside = OutsideView(engine, self.reports.outside, self._number)
        TwistSubscription(self._node, "cmd_vel", self._on_twist)
        self._node.create_subscription(DiagnosticArray, "diagnostics", self._on_diagnostics, qos.STATE)
        with engine.exclusive() as simulation:
            body = simulation.robots[self._number].body
            links = link_poses(body, simulation.snapshot(), body.fixed_links)
            self.introduce(simulation)
        self.reports.describe(links)

    def look(self) -> None:
        """Draws the robot from outside while somebody looks; to be called now and then."""
        self._outside.look(self.reports.outside_wanted)

    def close(self) -> None:
        self._outside.close()

    def _on_twist(self, twist: Twist) -> None:
        with self._engine.exclusive() as simulation:
            simulation.robots[self._number].act(Command(base=twist))

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        """Every node stamps its health with its own clock: how far it is behind tells how busy it is."""
        if any(status.name == self._node.get_name() for status in message.status):
            return
        self._engine.pacer.report(self._engine.time - seconds(message.header.stamp))


class GripperServer:
    """Opens and closes; squeezing something ends a goal as stalled, which is a success."""

    def __init__(self, node: Node, engine: Engine, number: int, robot: RobotDescription) -> None:
        self._engine, self._number, self._robot = engine, number, robot
        self._server = serve_gripper(node, self._start, self._verdict, self._fingers, grip_refusal)

    def _start(self, request: GripperAction.Goal) -> GripperGoal:
        command = grip(request, self._robot)
        with self._engine.exclusive() as simulation:
            robot = simulation.robots[self._number]
            robot.act(Command(gripper=command))
            return GripperGoal(command, simulation.time, robot.gripper.force)

    def _verdict(self, goal: GripperGoal) -> GoalVerdict | None:
        with self._engine.exclusive() as simulation:
            return goal.verdict(simulation.time, self._fingers_in(simulation))

    def _fingers(self) -> GripperState:
        with self._engine.exclusive() as simulation:
            return self._fingers_in(simulation)

    def _fingers_in(self, simulation: DrivenBackend) -> GripperState:
        return simulation.robots[self._number].body.gripper(simulation.data)


class ArmServer:
    """Arm, wrist and head."""

    def __init__(self, node: Node, engine: Engine, number: int) -> None:
        """`number`: which of the simulation's robots."""
        self._engine, self._number = engine, number
        self._server = serve_arm(node, self._start, self._verdict, self._hold, self._feedback, self._check)

    def _check(self, request: FollowJointTrajectory.Goal) -> str:
        with self._engine.exclusive() as simulation:
            return arm_refusal(request, simulation.robots[self._number].joints)

    def _start(self, request: FollowJointTrajectory.Goal) -> ArmGoal:
        goal = messages.trajectory(request.trajectory)
        tolerances = Tolerances({t.name: t.position for t in request.path_tolerance if t.position > 0},
                                {t.name: t.position for t in request.goal_tolerance if t.position > 0},
                                seconds(request.goal_time_tolerance) or Tolerances.time)
        with self._engine.exclusive() as simulation:
            simulation.robots[self._number].act(Command(joints=goal))
            return ArmGoal(goal, simulation.time, tolerances)

    def _verdict(self, goal: ArmGoal) -> GoalVerdict | None:
        with self._engine.exclusive() as simulation:
            return goal.verdict(simulation.time, *self._positions(simulation))

    def _hold(self) -> None:
        with self._engine.exclusive() as simulation:
            simulation.robots[self._number].act(Command(hold=True))

    def _feedback(self, goal: ArmGoal) -> FollowJointTrajectory.Feedback:
        with self._engine.exclusive() as simulation:
            actual, desired = self._positions(simulation)
            header = Header(stamp=stamp(simulation.time))
        names = list(goal.goal)
        return FollowJointTrajectory.Feedback(
            header=header, joint_names=names,
            desired=JointTrajectoryPoint(positions=[desired[n] for n in names]),
            actual=JointTrajectoryPoint(positions=[actual[n] for n in names]),
            error=JointTrajectoryPoint(positions=[desired[n] - actual[n] for n in names]))

    def _positions(self, simulation: DrivenBackend) -> tuple[dict[str, float], dict[str, float]]:
        """Measured positions and set-points by joint."""
        robot = simulation.robots[self._number]
        actual = robot.body.positions(simulation.data).tolist()
        return dict(zip(robot.body.joints, actual)), dict(zip(robot.body.joints, robot.joints.position.tolist()))
