"""What a driver's action tells while a goal is under way."""

import time

from control_msgs.action import GripperCommand
from dadu_nodes.simulator.driver_actions import Driver, GoalServer
from dadu_nodes.support.actions.action_client import ActionClient

from dadu.sim.mujoco.robot.driver_goals import Ended, GoalVerdict


def test_feedback_comes_now_and_then_and_the_end_at_once(graph):
    end = [float("inf")]
    driver = Driver(lambda goal: goal,
                    lambda goal: GoalVerdict(Ended.REACHED, "") if time.monotonic() > end[0] else None,
                    lambda: None, lambda verdict: GripperCommand.Result(reached_goal=verdict is not None),
                    lambda goal: GripperCommand.Feedback())
    GoalServer(graph.node, GripperCommand, "/gripper", driver, lambda goal: "")
    client, told = ActionClient(graph.node, GripperCommand, "/gripper"), []
    graph.until(client.server_is_ready)
    sent = client.send_goal_async(GripperCommand.Goal(), feedback_callback=lambda _: told.append(time.monotonic()))
    graph.until(lambda: len(told) >= 4)
    assert told[3] - told[0] > 0.4, "each wakes every node that has a client"
    result = sent.result().get_result_async()
    end[0] = time.monotonic()
    graph.until(result.done)
    assert result.result().result.reached_goal
