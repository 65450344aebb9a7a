"""Without a model that sees, what was detected answers what is asked of one."""

from dataclasses import replace

import pytest
from stand_in_server import StandInServer, action
from symbolic_world import SymbolicWorld, run

from dadu.core.geometry import Pose2
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.detected import DetectedView, looks
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import Turn
from dadu.planner.settings import LoopSettings, ModelSettings, PlannerSettings
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph
from dadu.world.sides import side_of, side_point

NOW = 100.0
TABLE = Entity("table_0", Kind.FURNITURE, "table", (2.0, 0.0, 0.0), 0.0, (0.8, 1.6, 0.7))
DESK = replace(TABLE, id="desk_0", category="desk", position=(2.0, 5.0, 0.0))
ROBOT = Entity("robot", Kind.AGENT, "robot", (0.0, 0.0, 0.0))
MUG = Entity("mug_0", Kind.OBJECT, "mug", (2.3, 0.1, 0.75), size=(0.09, 0.08, 0.11), attributes={"color": "red"},
             provenance="detection", stamp=NOW)
ON_TABLE = Edge("mug_0", Relation.ON, "table_0")


def step(skill, *arguments, code=Code.SUCCEEDED, end=NOW, target=""):
    return Step(1, Decision(SkillCall(skill, arguments), "", "symbolic"), end - 10, result=SkillResult(
        code, "", target=target), end=end)


COME = (step("go_to", "mug_0"),)


def turn(mug=MUG, edge=ON_TABLE, history=COME):
    graph = WorldGraph([TABLE, DESK, ROBOT, mug], [edge] if edge is not None else [])
    return Turn("bring the mug", graph, None, Situation(), tuple(history))


def test_it_tells_side_and_look_of_what_was_just_detected():
    view = DetectedView().look(turn(), "mug_0", "table_0")
    assert view.side == ("table_0", "far") and view.query is None and not view.calls
    assert view.remark == "mug_0, a red mug of 9 x 8 x 11 cm, is in view at the far side of table_0."
    assert view.by == "the detector"


@pytest.mark.parametrize("mug", [replace(MUG, stamp=NOW - 30), replace(MUG, provenance="skill")])
def test_what_was_not_seen_just_now_is_not_in_view(mug):
    view = DetectedView().look(turn(mug), "mug_0", "table_0")
    assert (view.remark, view.query, view.side) == ("mug_0 is not in view.", None, None)


def test_nothing_is_said_of_what_is_not_known():
    assert DetectedView().look(turn(), "cup_0", "table_0") is None
    assert DetectedView().look(turn(history=()), "mug_0", "table_0") is None


def test_what_is_inside_is_at_no_side():
    view = DetectedView().look(turn(replace(MUG, attributes={}), replace(ON_TABLE, relation=Relation.IN)), "mug_0",
                               "table_0")
    assert view.side is None and "is in view." in view.remark
    assert looks(replace(MUG, category="apple", attributes={}, size=(0, 0, 0))) == "an apple"


PUT = step("place", "on", "desk_0", target="mug_0", end=NOW - 20)


@pytest.mark.parametrize(("mug", "edge", "done"), [
    (MUG, ON_TABLE, False), (MUG, Edge("mug_0", Relation.ON, "desk_0"), True), (MUG, None, False),
    (replace(MUG, stamp=NOW - 30), ON_TABLE, True), (replace(MUG, provenance="skill"), None, True)])
def test_what_was_put_down_and_seen_elsewhere_since_is_not_done(mug, edge, done):
    view = DetectedView().done(turn(mug, edge, (PUT,)))
    assert view.done is done and (done or "mug_0 was put at desk_0 and is seen on" in view.reason)


def test_who_has_put_nothing_anywhere_cannot_be_told_whether_it_is_done():
    assert DetectedView().done(turn()) is None
    assert DetectedView().done(turn(history=[replace(PUT, result=SkillResult(Code.TOO_FAR, ""))])) is None


@pytest.mark.parametrize("yaw", [0.0, 1.0, 2.5])
@pytest.mark.parametrize("viewer", [Pose2(0, 0.3, 0), Pose2(2, -3, 0), Pose2(3, 4, 0)])
def test_a_point_at_a_side_is_at_that_side(yaw, viewer):
    table = replace(TABLE, yaw=yaw)
    for side in ("near", "far", "left", "right"):
        assert side_of(table, viewer, side_point(table, viewer, side)) == side
    assert side_of(table, viewer, (2.05, 0.05)) == "middle"


LEMON = "put the lemon on the desk"


class Sighted(SymbolicWorld):
    """Before what it goes to it sees that."""

    sought = None
    over = False

    def execute(self, call):
        result = super().execute(call)
        thing = self.memory.entities.get(call.arguments[0]) if call.skill == "go_to" else None
        if thing is not None and thing.kind is Kind.OBJECT:
            self.memory.put(replace(thing, stamp=self.clock, provenance="detection"))
        return result

    def look_for(self, id, description):
        self.sought = (id, description)

    def forget_looks(self):
        self.over = True


def test_the_symbolic_planner_asks_it_and_the_trace_says_who_answered(known):
    before = known.copy()
    before.change("lemon_0", attributes={"color": "yellow"})
    world = Sighted(before.copy(), before)
    report = run(ClosedLoop(LEMON, make_planner(), world), world)
    assert report.success and not report.calls
    told = [s.decision.told for s in report.steps if s.decision.sighted]
    assert len(told) == 1 and "(the detector: lemon_0, a yellow lemon" in told[0] and "is in view" in told[0]
    assert world.sought is None and world.over


def test_after_a_pick_that_failed_it_is_asked_again(known):
    slipped = SkillResult(Code.EXECUTION_FAILED, "it slipped", "grasp_slipped", "lemon_0")
    world = SymbolicWorld(known.copy(), known.copy(),
                          fail=lambda call, count: slipped if call.skill == "pick" and not count else None)
    report = run(ClosedLoop(LEMON, make_planner(), world), world)
    skills = [s.call.skill for s in report.steps if s.decision.sighted]
    assert report.success and len(skills) >= 2 and skills[0] == "pick"


def test_without_feedback_nobody_looks(known):
    world = SymbolicWorld(known.copy(), known.copy())
    report = run(ClosedLoop(LEMON, make_planner(), world, LoopSettings(feedback=False)), world)
    assert not any(s.decision.sighted for s in report.steps)


def test_a_model_without_eyes_is_told_what_was_detected(known):
    steps = iter([action("go_to", target="lemon_0"), action("pick", object="lemon_0"),
                  action("go_to", target="desk_0"), action("place", relation="on", receptacle="desk_0"),
                  action("done")])
    server = StandInServer(lambda body: next(steps))
    planner = make_planner(PlannerSettings(policy="vllm", llm_url=server.url, verify="grammar", fallback=False,
                                           llm=ModelSettings(retries=0)))
    world = Sighted(known.copy(), known.copy())
    report = run(ClosedLoop(LEMON, planner, world), world)
    server.close()
    assert report.success and all(isinstance(m["content"], str) for r in server.requests for m in r["messages"])
    assert "is in view" in server.requests[1]["messages"][-1]["content"]
