"""Two planners with one task, against stand-ins of two robots in one world."""

import signal

import pytest
from planner_client import result

from dadu.team.messages import Act

TEAM = ("robot_0", "robot_1")
BOTH = "put the milk on the dining table and the lemon on the desk"


@pytest.fixture
def team(graph, skills, start_node):
    """Sends one instruction to both, once all is `heard`, gives processes, goals, steps and messages."""
    from dadu_interfaces import msg
    from dadu_interfaces.action import ExecuteTask
    from dadu_nodes.support import qos
    from dadu_nodes.support.actions.action_client import ActionClient

    def begin(instruction, seconds, heard=lambda: True):
        said = graph.collect(msg.TeamMessage, "/team/messages", qos.TEAM)
        skills(seconds, "", "", ",".join(TEAM))
        planners = {name: start_node("planner", name, team='["robot_0=stretch","robot_1=stretch"]') for name in TEAM}
        clients = {name: ActionClient(graph.node, ExecuteTask, f"/{name}/execute_task") for name in TEAM}
        graph.until(lambda: all([client.server_is_ready() for client in clients.values()]) and heard())
        steps, goals = {name: [] for name in TEAM}, {}
        sent = {name: client.send_goal_async(
            ExecuteTask.Goal(instruction=instruction, team="t"),
            feedback_callback=lambda m, name=name: steps[name].append(m.feedback.step))
            for name, client in clients.items()}
        graph.until(lambda: all(future.done() for future in sent.values()))
        goals = {name: future.result() for name, future in sent.items()}
        return planners, goals, steps, said
    return begin


def taken(steps):
    return [step.call.arguments[0] for step in steps if step.finished and step.call.skill == "pick"]


def test_two_share_out_one_task_and_no_two_go_for_one_thing(graph, team):
    _, goals, steps, said = team(BOTH, 0.2)
    ends = {name: result(graph, goal).result for name, goal in goals.items()}
    assert all(end.success for end in ends.values()), {name: end.summary for name, end in ends.items()}
    assert sorted(taken(steps["robot_0"]) + taken(steps["robot_1"])) == ["lemon_0", "milk_0"]
    assert {message.sender for message in said} == set(TEAM)


def test_what_one_had_taken_who_is_killed_the_other_does(graph, team):
    planners, goals, steps, said = team(BOTH, 2.0)
    graph.until(lambda: {m.sender for m in said if m.act in (m.TAKE, m.HERE) and m.job} == set(TEAM))
    planners["robot_1"].send_signal(signal.SIGKILL)
    end = result(graph, goals["robot_0"]).result
    assert end.success, end.summary
    assert sorted(taken(steps["robot_0"]) + taken(steps["robot_1"])) == ["lemon_0", "milk_0"]


def test_who_is_stopped_is_replaced_and_takes_part_again(graph, team):
    from dadu_interfaces.msg import OperatorState
    from dadu_nodes.support import qos

    button = graph.node.create_publisher(OperatorState, "/robot_1/operator/state", qos.LATCHED)
    button.publish(OperatorState(state=OperatorState.STOPPED))
    _, goals, steps, said = team(BOTH, 0.2, button.get_subscription_count)
    graph.until(lambda: any(m.sender == "robot_1" and m.act == m.GONE for m in said))
    graph.until(lambda: len(taken(steps["robot_0"])) == 2)
    button.publish(OperatorState(state=OperatorState.AUTONOMY))
    ends = {name: result(graph, goal).result for name, goal in goals.items()}
    assert all(end.success for end in ends.values()), {name: end.summary for name, end in ends.items()}
    assert not taken(steps["robot_1"])


def test_the_constants_of_messages_are_the_acts():
    from dadu_interfaces.msg import TeamMessage

    numbers = [getattr(TeamMessage, act.name) for act in Act]
    assert sorted(numbers) == list(range(1, len(Act) + 1))


def test_a_robot_alone_takes_no_task_of_a_team(graph, skills, start_node, client):
    from planner_client import send

    skills()
    start_node("planner")
    handle, _ = send(graph, client, BOTH, team="t")
    assert not handle.accepted
