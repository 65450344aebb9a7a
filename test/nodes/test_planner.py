"""The planner's node against stand-in skill servers: a task, cancelling, a server that dies, a second task."""

import re
import signal
import time
from pathlib import Path
from types import SimpleNamespace

from planner_client import result, send, until_under_way

INSTRUCTION = "take the milk out of the fridge and put it on the dining table"


def test_a_task_is_carried_out_and_recorded(graph, start_node, skills, client):
    from dadu_interfaces.msg import SkillRecord
    from dadu_nodes.support import qos

    records = graph.collect(SkillRecord, "/skill_results", qos.STATE)
    skills()
    start_node("planner")
    handle, steps = send(graph, client, INSTRUCTION)
    reply = result(graph, handle).result
    assert reply.success, reply.summary
    called = [[s.call.skill, *s.call.arguments] for s in steps if s.finished]
    assert called == [["go_to", "fridge_0"], ["open", "fridge_0"], ["go_to", "milk_0"], ["pick", "milk_0"],
                      ["go_to", "dining_table_0"], ["place", "on", "dining_table_0"],
                      ["go_to", "fridge_0"], ["close", "fridge_0"]]
    graph.until(lambda: [r.step for r in records] == list(range(1, 9)))


def test_cancelling_ends_the_skill_in_progress(graph, start_node, skills, client):
    from action_msgs.msg import GoalStatus
    from dadu_interfaces.msg import Outcome

    skills(60.0)
    start_node("planner")
    handle, steps = send(graph, client, INSTRUCTION)
    until_under_way(graph, "/drive_to_pose")
    handle.cancel_goal_async()
    reply = result(graph, handle)
    assert reply.status == GoalStatus.STATUS_CANCELED
    assert reply.result.outcome.code == Outcome.CANCELLED
    assert steps[-1].finished and steps[-1].outcome.code == Outcome.CANCELLED


def test_a_search_ends_when_the_thing_is_seen(graph, start_node, skills, client):
    from dadu_interfaces.msg import Outcome

    skills(600.0, "lemon_0")
    start_node("planner")
    handle, steps = send(graph, client, "put the lemon on the desk")
    graph.until(lambda: len(steps) > 2)
    search, ended, fetch = steps[:3]
    assert search.call == ended.call and "lemon_0" not in search.call.arguments
    seen = ended.outcome
    assert (seen.code, seen.detail, seen.target) == (Outcome.SUCCEEDED, "seen", search.call.arguments[0])
    assert (fetch.call.skill, list(fetch.call.arguments)) == ("go_to", ["lemon_0"])
    handle.cancel_goal_async()
    result(graph, handle)


def test_a_server_that_dies_is_waited_for(capfd, graph, start_node, skills, client):
    first = skills(60.0)
    start_node("planner")
    handle, _ = send(graph, client, "go to the kitchen")
    until_under_way(graph, "/drive_to_pose")
    first.send_signal(signal.SIGKILL)
    first.wait()
    skills(0.05)
    reply = result(graph, handle).result
    # As the planner says them: feedback that comes after the result is not heard.
    codes = re.findall(r"go_to\(kitchen\) ([A-Z_]+) ", capfd.readouterr().out)
    assert codes[0] == "UNREACHABLE_BACKEND"
    assert codes[-1] == "SUCCEEDED", reply.summary


def test_a_silent_driver_costs_waiting_and_no_step(graph, start_node, skills, client):
    from dadu_interfaces.msg import Outcome

    robot = skills(0.05)  # drivers and skills alike
    start_node("planner")
    handle, _ = send(graph, client, "open the fridge")
    assert result(graph, handle).result.success
    robot.send_signal(signal.SIGSTOP)
    graph.spin(6.0)
    handle, steps = send(graph, client, "close the fridge")
    graph.spin(3.0)
    assert not any(step.finished for step in steps)
    robot.send_signal(signal.SIGCONT)
    reply = result(graph, handle).result
    assert [s.outcome.code for s in steps if s.finished] == 2 * [Outcome.SUCCEEDED], reply.summary


def test_a_silent_camera_costs_waiting_and_one_step(graph, start_node, skills, client):
    from dadu_interfaces.msg import DetectionArray, Outcome
    from dadu_nodes.support import qos

    skills(0.05, "", "blind")
    start_node("planner")
    handle, steps = send(graph, client, INSTRUCTION)
    graph.until(lambda: any(step.outcome.detail == "not_seen" for step in steps))
    ended = sum(step.finished for step in steps)
    graph.spin(3.0)
    assert sum(step.finished for step in steps) == ended
    camera = graph.node.create_publisher(DetectionArray, "/perception/detections", qos.STATE)
    graph.node.create_timer(0.2, lambda: camera.publish(DetectionArray()))
    reply = result(graph, handle).result
    assert reply.success, reply.summary
    assert [s.outcome.code for s in steps if s.finished].count(Outcome.EXECUTION_FAILED) == 1


def test_who_looked_round_without_a_picture_has_not_looked(graph, start_node, skills, client):
    from dadu_interfaces.msg import Outcome

    skills(2.5, "milk_0")
    start_node("planner")
    handle, steps = send(graph, client, "put the lemon on the desk")
    graph.until(lambda: any(step.finished and step.call.skill == "explore" for step in steps))
    looked = next(step for step in steps if step.finished and step.call.skill == "explore")
    assert (looked.outcome.code, looked.outcome.detail) == (Outcome.EXECUTION_FAILED, "not_seen")


def test_tasks_are_taken_once_the_time_is_known(graph, start_node, skills, client):
    """A planner that was started anew hears the simulated time late; by then it is not zero."""
    from builtin_interfaces.msg import Time
    from dadu_nodes.support import qos
    from rosgraph_msgs.msg import Clock

    skills(0.05)
    start_node("planner", use_sim_time=True)
    found = []
    graph.until(lambda: found.append(client.server_is_ready()) or len(found) > 200)
    assert not any(found)
    clock, begun = graph.node.create_publisher(Clock, "/clock", qos.STATE), time.monotonic()
    graph.node.create_timer(
        0.02, lambda: clock.publish(Clock(clock=Time(sec=10_000 + round(time.monotonic() - begun)))))
    handle, _ = send(graph, client, "open the fridge")
    reply = result(graph, handle).result
    assert reply.success and reply.elapsed < 60.0, reply.summary


def test_tasks_are_taken_once_it_is_known_whose_goals_are_those_of_before():
    """The time may become known in the middle of a look: what comes after the offer would count as of before."""
    from dadu_nodes.planner import PlannerNode

    done, clock = [], iter((0.0, 7.0, 7.0, 7.0))
    node = SimpleNamespace(
        _runner=None, _server=None, now=lambda: next(clock), _offer=lambda: done.append("offered"),
        _body=SimpleNamespace(skills=SimpleNamespace(cancel_orphans=lambda: done.append(next(clock))),
                              touch=lambda: None),
        _model=SimpleNamespace(look=lambda: None))
    PlannerNode._watch(node)
    assert done == [7.0]
    PlannerNode._watch(node)
    assert done == [7.0, 7.0, "offered"]


def test_a_second_task_is_refused_and_unknown_words_too(graph, start_node, skills, client):
    from dadu_interfaces.msg import Outcome

    skills(60.0)
    start_node("planner")
    handle, _ = send(graph, client, "bring the unicorn to the table")
    reply = result(graph, handle).result
    assert not reply.success and reply.outcome.code == Outcome.UNKNOWN_TARGET and "unicorn" in reply.summary
    running, _ = send(graph, client, INSTRUCTION)
    second, _ = send(graph, client, "go to the hall")
    assert running.accepted and not second.accepted
    running.cancel_goal_async()
    result(graph, running)


def test_what_the_house_alone_has_is_known_by_name(graph, start_node, skills, client):
    """The stand-in's graph holds no such thing: it is looked for, not unheard of."""
    house = Path(__file__).parents[1] / "language" / "houses" / "loft.house.yaml"
    skills(60.0)
    start_node("planner", house=house)
    handle, steps = send(graph, client, "bring the dragonfruit to the dining table")
    graph.until(lambda: steps)
    assert "dragonfruit" in steps[0].reasoning
    handle.cancel_goal_async()
    result(graph, handle)


def test_ended_in_the_middle_of_a_task_it_leaves_without_a_traceback(graph, start_node, skills, client, capfd):
    skills(30.0)
    planner = start_node("planner")
    graph.until(client.server_is_ready)
    _, steps = send(graph, client, INSTRUCTION)
    graph.until(lambda: steps)
    graph.spin(0.5)
    planner.terminate()
    graph.until(lambda: planner.poll() is not None)
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_planner_that_dies_answers_for_its_task_when_it_is_back(graph, start_node, skills, client):
    from action_msgs.msg import GoalStatus, GoalStatusArray
    from dadu_interfaces.action import ExecuteTask
    from dadu_interfaces.msg import Outcome
    from rclpy.qos import qos_profile_action_status_default

    skills(600.0)
    first = start_node("planner")
    handle, _ = send(graph, client, INSTRUCTION)
    until_under_way(graph, "/drive_to_pose")
    first.kill()
    first.wait()
    told = graph.collect(GoalStatusArray, "/execute_task/_action/status", qos_profile_action_status_default)
    start_node("planner")
    graph.until(lambda: any(s.goal_info.goal_id == handle.goal_id and s.status == GoalStatus.STATUS_ABORTED
                            for message in told for s in message.status_list))
    graph.until(client.server_is_ready)
    results = graph.node.create_client(ExecuteTask.Impl.GetResultService, "/execute_task/_action/get_result")
    graph.until(results.service_is_ready)
    asked = results.call_async(ExecuteTask.Impl.GetResultService.Request(goal_id=handle.goal_id))
    graph.until(asked.done)
    assert asked.result().result.outcome.code == Outcome.UNREACHABLE_BACKEND
    assert send(graph, client, "go to the kitchen")[0].accepted, "it is ready for the next"
