"""``/gripper_controller/gripper_cmd``: position is the gap between the fingertips [m], effort a finger's force [N]."""

from __future__ import annotations

from control_msgs.action import GripperCommand as GripperAction
from dadu_nodes.simulator.driver_requests import grip, grip_refusal
from dadu_nodes.simulator.goal_server import Driver, GoalServer
from dadu_nodes.support.convert.gripper import grip_report
from rclpy.node import Node

from dadu.core.robot import Command, RobotDescription
from dadu.sim.engine import Engine
from dadu.sim.mujoco.robot.driver_goals import GoalVerdict, GripperGoal
from dadu.sim.mujoco.robot.gripper_drive import GripperState


class GripperServer:
    """Opens and closes; squeezing something ends a goal as stalled, which is a success."""

    def __init__(self, node: Node, engine: Engine, robot: RobotDescription) -> None:
        self._engine, self._robot = engine, robot
        driver = Driver(self._start, self._verdict, self._hold, self._result, self._feedback)
        self._server = GoalServer(node, GripperAction, "gripper_controller/gripper_cmd", driver, grip_refusal)

    def _start(self, request: GripperAction.Goal) -> GripperGoal:
        command = grip(request, self._robot)
        with self._engine.exclusive() as simulation:
            simulation.robot.act(Command(gripper=command))
            return GripperGoal(command, simulation.time, simulation.robot.gripper.force)

    def _verdict(self, goal: GripperGoal) -> GoalVerdict | None:
        with self._engine.exclusive() as simulation:
            return goal.verdict(simulation.time, simulation.body.gripper(simulation.data))

    def _hold(self) -> None:
        """A cancelled grip keeps its grip: letting go could drop something."""

    def _result(self, verdict: GoalVerdict | None) -> GripperAction.Result:
        return grip_report(GripperAction.Result(), self._fingers(), verdict)

    def _feedback(self, goal: GripperGoal) -> GripperAction.Feedback:
        return grip_report(GripperAction.Feedback(), self._fingers())

    def _fingers(self) -> GripperState:
        with self._engine.exclusive() as simulation:
            return simulation.body.gripper(simulation.data)
