"""The whole graph with a language model that talks nonsense, and one that is gone; the planner's node alone with such
models: test/nodes/test_planner_model.py."""

import pytest
from dadu_interfaces.msg import Outcome
from stand_in_server import StandInServer, action

pytestmark = [pytest.mark.thorough]


@pytest.fixture(scope="module")
def server():
    server = StandInServer("")
    yield server
    server.close()


@pytest.fixture(scope="module")
def running(start_graph, server):
    return start_graph(planner="vllm", llm_url=server.url, verify="grammar", record="false")


def test_a_sound_reply_is_carried_out(client, server):
    room = client.elsewhere()
    server.replies = [action("go_to", target=room), action("done")]
    reply = client.do(f"go to the {room}")
    assert reply.success, reply.summary
    assert reply.tokens_in > 0 and client.elsewhere() != room


@pytest.mark.parametrize("reply", ["open the pod bay doors", action("go_to", target="kitchen; rm -rf /")])
def test_malformed_output_is_an_outcome_and_the_symbolic_planner_takes_over(client, server, reply):
    room = client.elsewhere()
    server.replies = [reply]
    ended = client.do(f"go to the {room}")
    first = next(s for s in client.steps if s.finished)
    assert first.outcome.code in (Outcome.UNKNOWN_ACTION, Outcome.UNKNOWN_TARGET)
    assert ended.success, ended.summary
    assert client.elsewhere() != room


def test_without_a_server_the_symbolic_planner_takes_over(client, server):
    room = client.elsewhere()
    server.close()
    reply = client.do(f"go to the {room}")
    assert reply.success, reply.summary
    assert client.elsewhere() != room
    assert "symbolic" in {s.policy for s in client.steps}
