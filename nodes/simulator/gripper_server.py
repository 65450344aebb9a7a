"""``/gripper_controller/gripper_cmd``: position is the gap between the fingertips [m], effort a finger's force [N]."""

from __future__ import annotations

from typing import TypeVar

from control_msgs.action import GripperCommand as GripperAction
from dadu_nodes.simulator.goal_server import Driver, GoalServer
from rclpy.node import Node

from dadu.core.robot import Command, GripperCommand
from dadu.sim.engine import Engine
from dadu.sim.mujoco.robot.driver_goals import Ended, GoalVerdict, GripperGoal

_Report = TypeVar("_Report", GripperAction.Result, GripperAction.Feedback)


class GripperServer:
    """Opens and closes; squeezing something ends a goal as stalled, which is a success."""

    def __init__(self, node: Node, engine: Engine) -> None:
        self._engine = engine
        driver = Driver(self._start, self._verdict, self._hold, self._result, self._feedback)
        self._server = GoalServer(node, GripperAction, "/gripper_controller/gripper_cmd", driver, lambda request: "")

    def _start(self, request: GripperAction.Goal) -> GripperGoal:
        command = GripperCommand(request.command.position, request.command.max_effort)
        with self._engine.exclusive() as simulation:
            simulation.robot.act(Command(gripper=command))
            return GripperGoal(command, simulation.time, simulation.robot.gripper.force)

    def _verdict(self, goal: GripperGoal) -> GoalVerdict | None:
        with self._engine.exclusive() as simulation:
            return goal.verdict(simulation.time, simulation.body.gripper(simulation.data))

    def _hold(self) -> None:
        """A cancelled grip keeps its grip: letting go could drop something."""

    def _result(self, verdict: GoalVerdict | None) -> GripperAction.Result:
        return self._fill(GripperAction.Result(), verdict)

    def _feedback(self, goal: GripperGoal) -> GripperAction.Feedback:
        return self._fill(GripperAction.Feedback(), None)

    def _fill(self, message: _Report, verdict: GoalVerdict | None) -> _Report:
        with self._engine.exclusive() as simulation:
            state = simulation.body.gripper(simulation.data)
        message.position, message.effort = state.aperture, state.effort
        message.stalled = verdict is not None and verdict.ended is Ended.STALLED
        message.reached_goal = verdict is not None and verdict.ended is Ended.REACHED
        return message
