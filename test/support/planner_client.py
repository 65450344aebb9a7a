"""Asks the planner's node for tasks."""


def send(graph, client, instruction, **limits):
    from dadu_interfaces.action import ExecuteTask

    graph.until(client.server_is_ready)
    steps = []
    accepted = client.send_goal_async(ExecuteTask.Goal(instruction=instruction, **limits),
                                      feedback_callback=lambda m: steps.append(m.feedback.step))
    graph.until(accepted.done)
    return accepted.result(), steps


def result(graph, handle):
    ended = handle.get_result_async()
    graph.until(ended.done)
    return ended.result()
