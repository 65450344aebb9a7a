"""The model policy against a stand-in server: good, malformed, unknown, slow, gone."""

import time

import pytest
from stand_in_server import action
from symbolic_world import SymbolicWorld, run

from dadu.core.errors import ConfigError
from dadu.planner.grammar import Grammar
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import PolicyUnavailable, TaskPlanner, Turn
from dadu.planner.settings import LoopSettings, ModelSettings, PlannerSettings
from dadu.planner.situation import Situation
from dadu.planner.step import Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.stacks.oracle import OracleStack

LEMON = "put the lemon on the desk"
GOOD = [action("go_to", target="lemon_0"), action("pick", object="lemon_0"), action("go_to", target="desk_0"),
        action("place", relation="on", receptacle="desk_0"), action("done")]


def settings(server, **changes):
    return ModelSettings(url=server.url, **({"timeout": 30.0, "retries": 1} | changes))


def turn(graph, instruction=LEMON):
    return Turn(instruction, graph, None, Situation(), ())


def checked(policy):
    return TaskPlanner(policy, check=Grammar())


def with_fallback(url, **changes):
    return make_planner(PlannerSettings(policy="vllm", llm_url=url, fallback=True,
                                        llm=ModelSettings(**({"timeout": 30.0, "retries": 0} | changes))))


def carry_out(known, planner, instruction=LEMON):
    world = SymbolicWorld(known.copy(), known.copy())
    return run(ClosedLoop(instruction, planner, world), world), world


def test_a_good_model_carries_the_task_out(known, serve):
    server = serve(*GOOD)
    report, world = carry_out(known, checked(ModelPolicy(settings(server))))
    assert report.success
    assert [c.as_list() for c in world.calls] == [["go_to", "lemon_0"], ["pick", "lemon_0"], ["go_to", "desk_0"],
                                                  ["place", "on", "desk_0"]]
    assert report.tokens_in == 5 * 400 and report.tokens_out == 5 * 20
    assert report.steps[0].decision.prompt and report.steps[0].decision.reply


def test_the_request_constrains_the_reply(known, serve):
    server = serve(GOOD[0])
    ModelPolicy(settings(server)).choose(turn(known))
    request = server.requests[0]
    assert request["model"] == "tiny"
    assert request["response_format"]["type"] == "json_schema"
    assert "guided_json" not in request
    forms = request["response_format"]["json_schema"]["schema"]["anyOf"]
    assert {form["properties"]["action"]["enum"][0] for form in forms} == {
        "go_to", "explore", "wait", "done"}, "nothing is in reach yet"


def test_one_chance_of_repair(known, serve):
    server = serve("I would go to the lemon.", GOOD[0])
    decision = ModelPolicy(settings(server)).choose(turn(known))
    assert decision.call == SkillCall("go_to", ("lemon_0",)) and decision.failure is None
    repair = server.requests[1]["messages"]
    assert [m["role"] for m in repair] == ["system", "user", "assistant", "user"]
    assert "JSON" in repair[-1]["content"]


def test_what_needed_repair_is_not_kept(known, serve):
    """The next turn goes on from the good reply, as if it had been the first."""
    server, situation = serve("I would go to the lemon.", *GOOD), Situation()
    policy = ModelPolicy(settings(server))
    first = policy.choose(Turn(LEMON, known, None, situation, ()))
    step = Step(1, first, 0.0, result=SkillResult(Code.SUCCEEDED, "there"))
    situation.take(first.call, "pick", step.result)
    policy.choose(Turn(LEMON, known, None, situation, (step,)))
    messages = server.requests[2]["messages"]
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "user"]
    assert messages[:2] == server.requests[0]["messages"] and "lemon_0" in messages[2]["content"]


def test_two_phases(known, serve):
    plan = ["go_to lemon_0", "pick lemon_0", "go_to desk_0", "place on desk_0", "done"]
    server = serve(GOOD[0] | {"plan": plan}, *GOOD[1:])
    report, world = carry_out(known, checked(ModelPolicy(settings(server))))
    assert report.success and report.replans == 0
    assert len(report.steps[0].decision.plan) == 5 and len(report.steps[1].decision.plan) == 4
    forms = [r["response_format"]["json_schema"]["schema"]["anyOf"][0]["properties"] for r in server.requests]
    assert ["plan" in form for form in forms] == [True, False, False, False, False]
    assert [c.kind for c in report.calls] == ["plan", "step", "step", "step", "step"]


def test_step_by_step(known, serve):
    server = serve(*GOOD)
    report, _ = carry_out(known, checked(ModelPolicy(settings(server, protocol="react"))))
    assert report.success
    forms = [r["response_format"]["json_schema"]["schema"]["anyOf"][0]["properties"] for r in server.requests]
    assert not any("plan" in form for form in forms)
    assert "Inventory: lemon_0" in server.requests[2]["messages"][-1]["content"]


def test_a_changed_mind_is_a_replan(known, serve):
    plan = ["go_to milk_0", "pick milk_0", "go_to desk_0", "place on desk_0", "done"]
    report, _ = carry_out(known, checked(ModelPolicy(settings(serve(GOOD[0] | {"plan": plan}, *GOOD[1:])))))
    assert report.success and report.replans > 0


def test_prompts_of_ones_own(tmp_path):
    with pytest.raises(ConfigError, match="mine.yaml"):
        ModelPolicy(ModelSettings(protocol=str(tmp_path / "mine.yaml")))


def test_a_server_that_forgets_what_it_is_asked_for_is_checked(known, serve):
    """It takes the schema and does not keep to it."""
    decision = ModelPolicy(settings(serve(action("go_to", target="moon"), GOOD[0]))).choose(turn(known))
    assert decision.call == SkillCall("go_to", ("lemon_0",)) and [c.kind for c in decision.calls] == ["plan", "repair"]


@pytest.mark.parametrize(("reply", "code", "says"), [
    ("nonsense", Code.UNKNOWN_ACTION, "JSON"),
    ({"action": "pick"}, Code.UNKNOWN_TARGET, "lemon_0"),
    ({"reasoning": "so"}, Code.UNKNOWN_ACTION, "JSON"),
    ("7" * 5000, Code.UNKNOWN_ACTION, "JSON"),
    ("[" * 100_000, Code.UNKNOWN_ACTION, "JSON"),
    (action("go_to", target="\ud83d"), Code.UNKNOWN_ACTION, "JSON"),
    ("\ud83d", Code.UNKNOWN_ACTION, "JSON"),
    ([1, 2], Code.UNKNOWN_ACTION, "JSON"),
    (action("fly", target="moon"), Code.UNKNOWN_ACTION, "go_to"),
    (action("pick", object="unicorn_0"), Code.UNKNOWN_TARGET, "lemon_0"),
    (action("pick"), Code.UNKNOWN_TARGET, "lemon_0"),
    (action("pick", object="milk_0"), Code.CONTAINER_CLOSED, "open it first"),
    (action("open", receptacle="desk_0"), Code.NOT_INTERACTIVE, "fridge_0"),
    (action("place", relation="on", receptacle="desk_0"), Code.HAND_EMPTY, "pick something first"),
])
def test_what_cannot_be_used_is_a_typed_failure(known, serve, reply, code, says):
    decision = ModelPolicy(settings(serve(reply))).choose(turn(known))
    assert decision.failure.code is code and says in decision.failure.message
    assert decision.tokens_in == 800
    assert f"{decision.call} {decision.failure.message} {decision.reply}".encode(), "can be passed on"


def test_what_a_model_made_up_is_quoted_in_brief(known, serve):
    for reply in (action("x" * 3000), action("go_to", target="y" * 3000)):
        message = ModelPolicy(settings(serve(reply))).choose(turn(known)).failure.message
        assert ("x" * 60 in message or "y" * 60 in message) and len(message) < 500


def test_a_truncated_reply_is_not_taken(known, serve):
    decision = ModelPolicy(settings(serve(GOOD[0], finish_reason="length"))).choose(turn(known))
    assert decision.failure.detail == "malformed" and "cut off" in decision.failure.message


def test_a_truncated_reply_is_asked_for_once_more(known, serve):
    server = serve('{"reasoning": "because', GOOD[0], finish_reason=["length", "stop"])
    decision = ModelPolicy(settings(server)).choose(turn(known))
    assert decision.failure is None and [c.kind for c in decision.calls] == ["plan", "repair"]
    assert "be brief" in server.requests[1]["messages"][-1]["content"]


def test_a_slow_server_is_left_at_the_deadline(known, serve):
    policy = ModelPolicy(settings(serve(GOOD[0], delay=60.0), timeout=0.4))
    start = time.monotonic()
    with pytest.raises(PolicyUnavailable, match="in time"):
        policy.choose(turn(known))
    assert time.monotonic() - start < 30.0  # the answer comes after a minute


def test_a_server_that_recovers_is_asked_again(known, serve):
    assert ModelPolicy(settings(serve(503, GOOD[0]))).choose(turn(known)).call.skill == "go_to"


@pytest.mark.parametrize("status", [400, 503])
def test_errors_end_in_a_sentence(known, serve, status):
    with pytest.raises(PolicyUnavailable, match=str(status)):
        ModelPolicy(settings(serve(status), timeout=10.0)).choose(turn(known))


def test_down_the_symbolic_planner_takes_over(known):
    report, _ = carry_out(known, with_fallback("http://127.0.0.1:9/v1"))
    assert report.success
    assert {s.decision.policy for s in report.steps} == {"symbolic"}
    assert "takes over" in report.steps[0].decision.reasoning
    assert report.planning_seconds < 20.0, "nobody waited for a model"


def test_down_without_a_goal_ends_in_code_60(known):
    report, _ = carry_out(known, with_fallback("http://127.0.0.1:9/v1"), "make me happy")
    assert report.outcome.code is Code.UNREACHABLE_BACKEND and not report.success


def test_without_fallback_a_server_that_is_down_ends_in_code_60(known):
    gone = PlannerSettings(policy="vllm", llm_url="http://127.0.0.1:9/v1", fallback=False,
                           llm=ModelSettings(timeout=1.0, retries=0))
    report, world = carry_out(known, make_planner(gone))
    assert report.outcome.code is Code.UNREACHABLE_BACKEND and not world.calls


def test_a_server_that_dies_on_the_way_is_taken_over_from(known, serve):
    report, _ = carry_out(known, with_fallback(serve(*GOOD[:2], 500).url))
    assert report.success
    assert [s.decision.policy for s in report.steps] == ["vllm", "vllm", "symbolic", "symbolic"]
    assert "symbolic planner chose 2 steps in the model's place" in report.summary and "500" in report.summary


@pytest.mark.parametrize(("goes", "says"), [
    (lambda server: server.close(), "no connection"),
    (lambda server: setattr(server, "replies", [None]), "no connection"),
    (lambda server: setattr(server, "replies", [404]), "404"),
    (lambda server: setattr(server, "delay", 100.0), "in time"),
], ids=["closed", "cut", "another model", "slow"])
def test_a_server_that_goes_on_the_way_does_not_stop_the_task(known, serve, goes, says):
    server, world = serve(*GOOD), SymbolicWorld(known.copy(), known.copy())
    report = run(ClosedLoop(LEMON, with_fallback(server.url, timeout=4.0), world), world,
                 lambda call, steps: goes(server) if steps == 2 else None)
    assert report.success and says in report.summary
    assert [s.decision.policy for s in report.steps] == ["vllm", "vllm", "symbolic", "symbolic"]


def test_nonsense_is_taken_over_from(known, serve):
    report, _ = carry_out(known, with_fallback(serve("nonsense").url, timeout=5.0))
    assert report.success
    assert report.cost.calls >= 4, "what was asked in vain is counted"
    assert report.steps[0].result.code is Code.UNKNOWN_ACTION
    assert {s.decision.policy for s in report.steps[1:]} == {"symbolic"}


def test_nonsense_without_fallback_ends(known, serve):
    report, world = carry_out(known, TaskPlanner(ModelPolicy(settings(serve("nonsense")))))
    assert report.outcome.code is Code.UNKNOWN_ACTION and len(report.steps) == 3 and not world.calls


def test_done_is_not_confirmed_by_anybody_unless_asked_for(known, serve):
    report, world = carry_out(known, TaskPlanner(ModelPolicy(settings(serve(*GOOD)))))
    assert report.outcome.code is Code.UNCERTAIN and not report.success and not report.checked_by
    assert world.truth.support("lemon_0").object == "desk_0"


def test_nobody_ends_or_holds_up_a_task_that_the_model_pursues(known, serve):
    """The grammar's goal holds after four steps, and does not hold where the model says done at once."""
    report, _ = carry_out(known, TaskPlanner(ModelPolicy(settings(serve(*GOOD[:4], action("wait"), action("done"))))))
    assert [s.call.skill for s in report.steps][-1] == "wait"
    server = serve(action("done"))
    report, world = carry_out(known, TaskPlanner(ModelPolicy(settings(server))))
    assert report.outcome.code is Code.UNCERTAIN and not world.calls and len(server.requests) == 1


def test_with_a_check_done_counts_only_when_memory_supports_it(known, serve):
    report, _ = carry_out(known, checked(ModelPolicy(settings(serve(action("done"))))))
    assert report.outcome.detail == "gave_up" and "insists" in report.summary
    server = serve(action("done"), *GOOD)
    report, _ = carry_out(known, checked(ModelPolicy(settings(server))))
    assert report.success and report.checked_by == "grammar" and "the grammar confirms it" in report.summary
    assert "Not done yet" in server.requests[1]["messages"][-1]["content"]


def test_a_check_does_not_end_the_task_and_tells_the_model_nothing_of_its_goal(known, serve):
    server = serve(*GOOD[:4], action("wait"), action("done"))
    report, _ = carry_out(known, checked(ModelPolicy(settings(server))))
    assert report.success and [s.call.skill for s in report.steps][-1] == "wait"
    assert not any("Holds already" in r["messages"][-1]["content"] for r in server.requests)


def test_what_the_check_does_not_understand_it_cannot_confirm(known, serve):
    report, _ = carry_out(known, checked(ModelPolicy(settings(serve(action("wait"), action("done"))))),
                          "water the plants")
    assert report.outcome.code is Code.UNCERTAIN and not report.success
    assert "the grammar cannot confirm it" in report.summary and "water" in report.summary


def test_done_is_not_confirmed_where_what_is_named_was_not_even_seen(flat, serve):
    server = serve(action("done"), action("explore", room="unknown"))
    report = OracleStack(flat, known="nothing").do(LEMON, checked(ModelPolicy(settings(server))),
                                                   settings=LoopSettings(max_steps=1))
    assert report.outcome.code is Code.TIMED_OUT and report.steps[0].call.skill == "explore"
    assert "the desk: not seen yet" in server.requests[1]["messages"][-1]["content"]
    report = OracleStack(flat, known="nothing").do(LEMON, checked(ModelPolicy(settings(serve(action("done"))))))
    assert report.outcome.detail == "gave_up" and "insists" in report.summary


def test_base_placement_is_told_what_follows(known, serve):
    report, _ = carry_out(known, TaskPlanner(ModelPolicy(settings(serve(*GOOD)))))
    assert [s.decision.purpose for s in report.steps] == ["pick", "", "place", ""]
