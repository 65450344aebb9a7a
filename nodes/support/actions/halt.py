"""Ends what the robot was sent to do, whoever sent it."""

from __future__ import annotations

from action_msgs.msg import GoalInfo
from action_msgs.srv import CancelGoal
from dadu_nodes.support.convert.skills import ACTIONS
from rclpy.node import Node
from unique_identifier_msgs.msg import UUID

from dadu.bringup.naming import relative

TASK, SKILLS = "execute_task", tuple(map(relative, ACTIONS))
WORK = TASK, *SKILLS
"""actions by which the robot is sent to do something"""


class Halt:
    """A client of every such action."""

    def __init__(self, node: Node) -> None:
        self._cancels = {name: node.create_client(CancelGoal, f"{name}/_action/cancel_goal") for name in WORK}

    def order(self) -> bool:
        """Asks every server to cancel all its goals, the planner's first: it chooses nothing new then. False where no
        server is there to be asked. May be ordered again."""
        return any([self.cancel(name) for name in WORK])

    def cancel(self, name: str, goal: UUID | None = None) -> bool:
        """Asks one server to cancel `goal`, or all its goals; False where it is not there."""
        there = bool(self._cancels[name].service_is_ready())
        if there:
            info = GoalInfo() if goal is None else GoalInfo(goal_id=goal)  # zero id: all goals
            self._cancels[name].call_async(CancelGoal.Request(goal_info=info))
        return there
