"""What is taken away for an ablation is taken away from a model, too."""

import pytest
from stand_in_server import StandInServer, action
from symbolic_world import SymbolicWorld, run

from dadu.core.errors import ConfigError
from dadu.eval.options import EvalOptions
from dadu.planner.grammar import Grammar
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.settings import LoopSettings, ModelSettings, PlannerSettings
from dadu.skills.outcome import Code, SkillResult

LEMON = "put the lemon on the desk"
PLAN = ["go_to lemon_0", "pick lemon_0", "go_to desk_0", "place on desk_0", "done"]
STEPS = [action("go_to", target="lemon_0"), action("pick", object="lemon_0"), action("go_to", target="desk_0"),
         action("place", relation="on", receptacle="desk_0"), action("done")]
PLANNED = STEPS[0] | {"plan": PLAN}


@pytest.fixture
def carry_out(known):
    def carry_out(*replies, fail=lambda call, count: None, llm=None, **loop):
        server, world = StandInServer(*replies), SymbolicWorld(known.copy(), known.copy(), fail)
        policy = ModelPolicy(ModelSettings(url=server.url, **(llm or {})))
        try:
            report = run(ClosedLoop(LEMON, TaskPlanner(policy, check=Grammar()), world, LoopSettings(**loop)), world)
        finally:
            server.close()
        return report, world, server.requests
    return carry_out


def slips(call, count):
    return SkillResult(Code.EXECUTION_FAILED, "it slipped", "grasp_slipped") if call.skill == "pick" else None


def test_without_feedback_the_model_hears_of_no_failure(carry_out):
    report, world, requests = carry_out(*STEPS, fail=slips, feedback=False)
    said = " ".join(m["content"] for r in requests for m in r["messages"] if m["role"] == "user")
    assert "EXECUTION_FAILED" not in said and "slipped" not in said
    assert [s.result.code for s in report.steps][1] is Code.EXECUTION_FAILED
    assert world.truth.support("lemon_0").object == "fruit_table", "it never noticed"
    assert "slipped" in carry_out(*STEPS, fail=slips)[2][2]["messages"][-1]["content"]


def test_without_memory_every_turn_begins_anew(carry_out):
    report, _, requests = carry_out(*STEPS, llm={"memory": False})
    assert report.success
    assert [len(r["messages"]) for r in requests] == [2] * 5 and len(carry_out(*STEPS)[2][1]["messages"]) == 4
    assert "Steps so far" in requests[1]["messages"][1]["content"], "what it did it is told, as feedback"


def test_without_replanning_the_model_is_asked_once(carry_out):
    report, world, requests = carry_out(PLANNED, replan=False)
    assert report.success and len(requests) == 1
    assert report.cost.calls == 1 and [c.skill for c in world.calls] == ["go_to", "pick", "go_to", "place"]


def test_without_replanning_a_first_reply_that_holds_no_plan_is_asked_for_again(carry_out):
    report, _, requests = carry_out("nonsense", "nonsense", PLANNED, replan=False)
    assert report.success and len(requests) == 3


def test_a_protocol_that_makes_no_plan_cannot_follow_one():
    settings = PlannerSettings(policy="vllm", llm=ModelSettings(protocol="react"), loop=LoopSettings(replan=False))
    with pytest.raises(ConfigError, match="two_phase"):
        make_planner(settings)


@pytest.mark.parametrize("part", ["feedback", "memory", "replan"])
def test_an_evaluation_takes_it_from_the_model_too(part):
    planner = EvalOptions(**{part: False}).resolved_planner
    values = {"feedback": planner.loop.feedback, "replan": planner.loop.replan, "memory": planner.llm.memory}
    assert [name for name, value in values.items() if not value] == [part]
