"""Whoever says stop, by whatever way, brings the robot to rest."""

import signal

import pytest
from planner_client import result, send, until_cancelled, until_under_way

INSTRUCTION = "take the milk out of the fridge and put it on the dining table"


def said(graph, process):
    graph.until(lambda: process.poll() is not None)
    return process.stdout.read()


@pytest.fixture
def busy_robot(graph, start_node, skills, client):
    """A task of another client, in the middle of a long drive."""
    from dadu_interfaces.msg import Outcome

    skills(600.0)
    start_node("planner")

    def begin():
        handle, steps = send(graph, client, INSTRUCTION)
        graph.until(lambda: steps)
        until_under_way(graph, "/drive_to_pose")
        return handle

    def left_off(handle):
        assert result(graph, handle).result.outcome.code == Outcome.CANCELLED
    begin.left_off = left_off
    return begin


def test_an_instruction_that_means_stop_ends_the_task_in_progress(graph, client, busy_robot):
    handle = busy_robot()
    assert not send(graph, client, "go to the kitchen")[0].accepted
    stop = result(graph, send(graph, client, "no, wait!")[0]).result
    assert stop.success and stop.summary == f"stopped: {INSTRUCTION}"
    busy_robot.left_off(handle)
    assert result(graph, send(graph, client, "stop")[0]).result.summary == "there was no task to stop"


def test_commands_stop_it(graph, dadu, busy_robot):
    handle = busy_robot()
    second = dadu("do", "go to the kitchen")
    assert "dadu cancel" in said(graph, second) and second.returncode == 2
    cancel = dadu("cancel")
    assert "at rest" in said(graph, cancel) and cancel.returncode == 0
    busy_robot.left_off(handle)
    nothing = dadu("do", "stop")
    assert "nothing was under way" in said(graph, nothing) and nothing.returncode == 0


def test_do_that_is_terminated_cancels_its_task(graph, start_node, skills, dadu):
    skills(600.0)
    start_node("planner")
    do = dadu("do", INSTRUCTION, "--wait", "100")
    until_under_way(graph, "/drive_to_pose")
    do.send_signal(signal.SIGTERM)
    assert "CANCELLED" in said(graph, do) and do.returncode == 130
    until_cancelled(graph, "/execute_task")
