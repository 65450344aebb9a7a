"""``/arm_controller/follow_joint_trajectory``, as ros2_control's joint_trajectory_controller serves it."""

from __future__ import annotations

from control_msgs.action import FollowJointTrajectory
from dadu_nodes.simulator.driver_actions import arm_refusal, serve_arm
from dadu_nodes.support.clock import seconds, stamp
from rclpy.node import Node
from std_msgs.msg import Header
from trajectory_msgs.msg import JointTrajectoryPoint

from dadu.core.robot import Command
from dadu.replay import messages
from dadu.sim.engine import Engine
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.robot.driver_goals import ArmGoal, GoalVerdict, Tolerances


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
