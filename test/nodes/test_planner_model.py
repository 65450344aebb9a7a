"""The planner's node with a model that is gone or slow: the symbolic planner takes over and it is said, or the task
ends with code 60; a person can always cancel."""

import pytest
from planner_client import result, send
from stand_in_server import StandInServer, action

from dadu.core.paths import kept

LEMON = "put the lemon on the settee"
GOOD = [action("go_to", target="lemon_0"), action("pick", object="lemon_0")]


@pytest.fixture
def served(start_node):
    """Starts a server that answers so, and the planner's node that asks it."""
    servers = []

    def serve(*replies, delay=0.0, **parameters):
        servers.append(StandInServer(*replies, delay=delay))
        limits = {"llm.retries": 0, "llm.timeout": 3.0}
        limits |= {"policy": "vllm"}
        start_node("planner", llm_url=servers[-1].url, **(limits | parameters))
        return servers[-1]

    yield serve
    for server in servers:
        server.close()


def test_a_server_that_dies_on_the_way_is_taken_over_from_and_every_step_says_so(graph, served, skills, client):
    skills()
    served(*GOOD, 503)
    handle, steps = send(graph, client, LEMON)
    reply = result(graph, handle).result
    assert reply.success, reply.summary
    assert "The symbolic planner chose 2 steps in the model's place" in reply.summary and "503" in reply.summary
    chosen = [(s.policy, s.call.skill, "takes over" in s.reasoning) for s in steps if s.finished]
    assert chosen == [("vllm", "go_to", False), ("vllm", "pick", False), ("symbolic", "go_to", True),
                      ("symbolic", "place", True)]
    assert reply.model_calls == 2


@pytest.mark.parametrize(("verify", "status", "says"), [("none", 3, "UNCERTAIN"), ("grammar", 0, "done")])
def test_a_model_s_done_is_a_success_only_where_a_check_was_asked_for(graph, served, skills, client, dadu, verify,
                                                                      status, says):
    skills()
    served(*GOOD, action("go_to", target="sofa_0"), action("place", relation="on", receptacle="sofa_0"),
           action("done"), verify=verify)
    graph.until(client.server_is_ready)
    done = dadu("do", LEMON)
    graph.until(lambda: done.poll() is not None)
    said = done.stdout.read()
    assert done.returncode == status, said
    assert says in said and "the planner said done" in said


def test_a_slow_server_costs_its_deadline_once(graph, served, skills, client):
    skills()
    server = served(GOOD[0], delay=30.0)
    handle, steps = send(graph, client, LEMON)
    reply = result(graph, handle).result
    assert reply.success and "no answer in time" in reply.summary
    assert {s.policy for s in steps} == {"symbolic"} and len(server.requests) == 1


def test_without_fallback_a_server_that_is_gone_ends_the_task_with_60(graph, served, skills, client):
    from dadu_interfaces.msg import Outcome

    skills()
    served(503, fallback="false")
    handle, steps = send(graph, client, LEMON)
    reply = result(graph, handle).result
    assert reply.outcome.code == Outcome.UNREACHABLE_BACKEND and not steps


def test_a_task_is_cancelled_while_the_model_thinks(graph, served, skills, client, processes):
    from action_msgs.msg import GoalStatus

    skills()
    server = served(GOOD[0], delay=60.0, **{"llm.timeout": 60.0})
    handle, _ = send(graph, client, LEMON)
    graph.until(lambda: server.requests)
    handle.cancel_goal_async()
    assert result(graph, handle).status == GoalStatus.STATUS_CANCELED
    processes[-1].terminate()
    assert processes[-1].wait(30) == 0, "it does not wait for the model's answer"


def test_settings_that_cannot_be_used_end_the_node_with_a_sentence(start_node):
    assert start_node("planner", policy="vllm", llm_url="localhost:8000/v1").wait(200) == 2


def test_a_confirmed_task_is_kept_for_the_user_by_a_planner_that_is_shown_none_too(graph, served, skills, client):
    skills()
    server = served(*GOOD, action("go_to", target="sofa_0"), action("place", relation="on", receptacle="sofa_0"),
                    action("done"), verify="grammar", policy="react")
    handle, steps = send(graph, client, LEMON)
    assert result(graph, handle).result.success and {s.policy for s in steps} == {"react"}
    assert kept("examples.jsonl").exists() and "Example" not in server.requests[0]["messages"][1]["content"]
