"""When the symbolic planner takes over from a model, and when the model is asked again."""

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies import fallback
from dadu.planner.policies.fallback import WithFallback
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.own_goal import WithOwnGoal
from dadu.planner.policies.policy import PolicyUnavailable, Turn
from dadu.planner.settings import ModelSettings, PlannerSettings
from dadu.planner.situation import Situation
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.stacks.oracle import OracleStack

LEMON = "put the lemon on the desk"


class Server:
    """A model's policy that answers while it is up, and counts how often it is asked."""

    name = "vllm"

    def __init__(self, up=True):
        self.up, self.asked = up, 0

    def choose(self, turn):
        self.asked += 1
        if not self.up:
            raise PolicyUnavailable("the model server is gone")
        return Decision(SkillCall("wait"), "why not", self.name)


@pytest.fixture
def clock(monkeypatch):
    """Wall seconds, in a list, as the fallback sees them."""
    now = [0.0]
    monkeypatch.setattr(fallback.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def turn(known):
    return Turn(LEMON, known, None, Situation(), ())


def asked_at(policy, server, turn, clock, times):
    """The moments at which the model was asked."""
    moments = []
    for clock[0] in times:
        before = server.asked
        policy.choose(turn)
        moments += [clock[0]] if server.asked > before else []
    return moments


def test_a_server_that_is_gone_is_asked_less_and_less_often(clock, turn):
    server = Server(up=False)
    policy = WithFallback(server, WithOwnGoal(make_planner()))
    assert asked_at(policy, server, turn, clock, range(0, 400, 10)) == [0, 30, 90, 210]
    late = asked_at(policy, server, turn, clock, range(400, 4000, 10))
    assert late[-1] - late[-2] == 600, "every ten minutes at least"


def test_one_that_is_back_counts_as_before(clock, turn):
    server = Server(up=False)
    policy = WithFallback(server, WithOwnGoal(make_planner()))
    asked_at(policy, server, turn, clock, [0.0])
    server.up = True
    assert asked_at(policy, server, turn, clock, [10.0, 29.0, 31.0, 32.0]) == [31.0, 32.0]
    server.up = False
    assert asked_at(policy, server, turn, clock, [33.0, 62.0, 64.0]) == [33.0, 64.0], "half a minute once more"


def test_each_step_in_its_place_says_why(clock, turn):
    policy = WithFallback(Server(up=False), WithOwnGoal(make_planner()))
    for clock[0] in (0.0, 1.0):
        decision = policy.choose(turn)
        assert decision.policy == "symbolic" and decision.instead_of == "the model server is gone"
        assert decision.reasoning.startswith("the model server is gone; the symbolic planner takes over")


def gone():
    """A planner whose model is not there."""
    return make_planner(PlannerSettings(policy="vllm", llm_url="http://127.0.0.1:9/v1", fallback=True,
                                        llm=ModelSettings(timeout=1.0, retries=0)))


def test_in_a_home_that_is_not_known_the_symbolic_planner_looks_around(flat):
    report = OracleStack(flat, known="nothing").do("move the lemon to the desk", gone())
    assert report.success, report.summary
    assert report.steps[0].call.skill == "explore"
    assert all(step.decision.policy == "symbolic" and step.decision.instead_of for step in report.steps)
    assert "in the model's place" in report.summary


def test_where_neither_can_answer_both_say_why(known):
    world = SymbolicWorld(known.copy(), known.copy())
    report = run(ClosedLoop("make me a poem", gone(), world), world)
    assert report.outcome.code is Code.UNREACHABLE_BACKEND and not world.calls
    assert "model server" in report.summary and "does not understand" in report.summary
