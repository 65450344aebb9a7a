"""Asks the planner's node for tasks."""


def send(graph, client, instruction, **limits):
    from dadu_interfaces.action import ExecuteTask

    graph.until(client.server_is_ready)
    steps = []
    accepted = client.send_goal_async(ExecuteTask.Goal(instruction=instruction, **limits),
                                      feedback_callback=lambda m: steps.append(m.feedback.step))
    graph.until(accepted.done)
    return accepted.result(), steps


def until_under_way(graph, action):
    """Waits until a goal of that action is being carried out."""
    from action_msgs.msg import GoalStatus

    _until(graph, action, GoalStatus.STATUS_EXECUTING)


def until_cancelled(graph, action):
    """Waits until a goal of that action has been cancelled."""
    from action_msgs.msg import GoalStatus

    _until(graph, action, GoalStatus.STATUS_CANCELED)


def _until(graph, action, status):
    """An action's status is told to late listeners, too: unlike an event, it cannot be missed."""
    from action_msgs.msg import GoalStatusArray
    from rclpy.qos import qos_profile_action_status_default

    told = graph.collect(GoalStatusArray, f"{action}/_action/status", qos_profile_action_status_default)
    graph.until(lambda: told and any(s.status == status for s in told[-1].status_list))


def result(graph, handle):
    ended = handle.get_result_async()
    graph.until(ended.done)
    return ended.result()
