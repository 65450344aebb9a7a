"""Several ways of a skill: the planner chooses by what failed, a model names one, and who has one way hears of none."""

import json

import pytest
from stand_in_server import action
from symbolic_world import SymbolicWorld, run

from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.model.feasible import feasible
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.model.prompt import load_prompts, system_prompt
from dadu.planner.model.schema import ModelReply, check, schema
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.settings import ModelSettings
from dadu.planner.situation import Situation
from dadu.planner.ways import WayCosts
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import BASE_CAPABILITIES

NAMES = ("planned", "octo", "person")
WAYS = {"pick": NAMES}
PICK, OTHER = SkillCall("pick", ("lemon_0",)), SkillCall("pick", ("mug_1",))
LEMON = "put the lemon on the desk"


def failed(by, code=Code.EXECUTION_FAILED):
    return SkillResult(code, "no", by=by)


def test_each_way_has_its_turn_at_what_it_fails_at():
    costs, taken = WayCosts(), []
    for _ in NAMES:
        taken.append(costs.choose(NAMES, PICK))
        costs.take(PICK, failed(taken[-1]))
    assert tuple(taken) == NAMES
    assert costs.choose(NAMES, PICK) == "planned" == costs.choose(NAMES, OTHER)


def test_a_way_that_fails_everywhere_is_the_first_no_more():
    costs = WayCosts()
    for thing in ("a", "b"):
        costs.take(SkillCall("pick", (thing,)), failed("planned"))
    assert costs.choose(NAMES, OTHER) == "octo"
    assert costs.choose(NAMES, SkillCall("place", ("on", "desk_0"))) == "planned"


@pytest.mark.parametrize("code", [Code.HAND_FULL, Code.CANCELLED, Code.OPERATOR_OVERRIDE, Code.CONTAINER_CLOSED])
def test_what_no_way_is_to_blame_for_changes_nothing(code):
    costs = WayCosts()
    costs.take(PICK, failed("planned", code))
    assert costs.choose(NAMES, PICK) == "planned"


def test_what_worked_there_is_forgiven():
    situation = Situation()
    situation.take(PICK, "", failed("planned"))
    copied = situation.copy()
    situation.take(PICK, "", SkillResult(Code.SUCCEEDED, "", by="planned"))
    assert situation.ways.choose(NAMES, PICK) == "planned" != copied.ways.choose(NAMES, PICK)


def test_who_has_one_way_hears_of_none(known):
    prompts, variants = load_prompts("react"), feasible(known)
    assert system_prompt(prompts, BASE_CAPABILITIES, ways={}) == system_prompt(prompts, BASE_CAPABILITIES)
    assert json.dumps(schema(variants, ways={})) == json.dumps(schema(variants))
    assert "octo" not in json.dumps(schema(variants)) and "way" not in system_prompt(prompts, BASE_CAPABILITIES)
    assert "octo" in system_prompt(prompts, BASE_CAPABILITIES, ways=WAYS)
    forms = [form["properties"] for form in schema(variants, ways=WAYS)["anyOf"]]
    assert [form["by"]["enum"] for form in forms if "by" in form] == [list(NAMES)]


@pytest.mark.parametrize(("by", "ways", "expected"), [
    ("octo", WAYS, "octo"), (None, WAYS, ""), ("octo", {}, ""), ("moto", WAYS, Code.UNKNOWN_ACTION)])
def test_a_reply_names_a_way_where_there_are_several(known, by, ways, expected):
    reply = {**action("pick", object="lemon_0"), **({"by": by} if by else {})}
    found = check(json.dumps(reply), known, feasible(known), ways=ways)
    assert (found.by if isinstance(found, ModelReply) else found.code) == expected


class Chosen(SymbolicWorld):
    """A pick works by `good` alone."""

    good, by = "octo", ""

    def trace(self, step):
        if step.result is None:
            self.by = step.decision.by

    def execute(self, call):
        if call.skill == "pick" and self.by != self.good:
            self.calls.append(call)
            return failed(self.by)
        return super().execute(call)


def carry_out(known, planner, ways=WAYS):
    world = Chosen(known.copy(), known.copy())
    world.ways, world.good = ways, "octo" if ways else ""
    report = run(ClosedLoop(LEMON, planner, world, trace=world.trace), world)
    return report, [s for s in report.steps if s.call.skill == "pick"]


def test_the_symbolic_planner_takes_the_next(known):
    report, picks = carry_out(known, make_planner())
    assert report.success and [s.outcome.by for s in picks] == ["planned", "octo"]
    assert Situation.from_history(report.steps).ways.choose(NAMES, PICK) == "octo"


def test_a_model_sees_the_choice_and_makes_it(known, serve):
    go, desk = action("go_to", target="lemon_0"), action("go_to", target="desk_0")
    server = serve(go, {**action("pick", object="lemon_0"), "by": "person"}, go,
                   {**action("pick", object="lemon_0"), "by": "octo"}, desk,
                   action("place", relation="on", receptacle="desk_0"), action("done"))
    policy = ModelPolicy(ModelSettings(url=server.url, timeout=30.0, protocol="react"))
    _, picks = carry_out(known, TaskPlanner(policy))
    assert [s.decision.by for s in picks] == ["person", "octo"] and picks[-1].outcome.ok
    request = json.dumps(server.requests[1])
    assert all(name in request for name in NAMES)


def test_requests_without_a_choice_are_as_ever(known, serve):
    replies = [action("go_to", target="lemon_0"), action("pick", object="lemon_0"), action("done")]
    servers = serve(*replies), serve(*replies)
    for server, ways in zip(servers, ({}, None), strict=True):
        policy = ModelPolicy(ModelSettings(url=server.url, timeout=30.0, protocol="react"))
        world = Chosen(known.copy(), known.copy())
        world.good = ""
        if ways is not None:
            world.ways = ways
        run(ClosedLoop(LEMON, TaskPlanner(policy), world, trace=world.trace), world)
    first, second = ([json.dumps(r) for r in server.requests] for server in servers)
    assert first == second and not any('"by"' in r or "by which way" in r for r in first)
