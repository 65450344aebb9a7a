"""Pictures shown to a model that sees, and to one that does not."""

import base64
import math

import cv2
import numpy as np
import pytest
from stand_in_server import StandInServer, action
from symbolic_world import SymbolicWorld, run

from dadu.core.geometry import Pose2
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.loop.skill_context import SkillContexts
from dadu.planner.policies.make import make_planner
from dadu.planner.settings import LoopSettings, ModelSettings, PlannerSettings
from dadu.planner.step import Decision
from dadu.robots.loader import load_robot
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene
from dadu.stacks.standing import choose_base_pose
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.occupancy import OCCUPIED, OccupancyMap
from dadu.world.sides import side_point

LEMON = "put the lemon on the desk"
STEPS = [action("go_to", target="lemon_0"), action("pick", object="lemon_0"), action("go_to", target="desk_0"),
         action("place", relation="on", receptacle="desk_0"), action("done")]
SIGHT = {"visible": True, "side": "far", "description": "yellow oval fruit"}


class SeeingWorld(SymbolicWorld):
    """It has a camera, and a detector that takes text."""

    def picture(self):
        return np.full((480, 640, 3), (200, 100, 0), np.uint8)

    def look_for(self, id, description):
        self.sought = (id, description)

    def forget_looks(self):
        self.over = True


def shown(body):
    return any(isinstance(m["content"], list) for m in body["messages"])


def asked_whether_done(body):
    return shown(body) and "contradict" in body["messages"][-1]["content"][-1]["text"]


def served(sight, *verdicts, steps=STEPS):
    """What it says of a target, and, each time it is asked, whether it is done."""
    steps, verdicts = iter(steps), iter(verdicts or [{"done": True, "reason": "it is there"}])
    return StandInServer(lambda body: next(verdicts) if asked_whether_done(body) else
                         sight if shown(body) else next(steps))


def carry_out(known, server, vision=True, policy="vllm", verify="grammar", **loop):
    world = SeeingWorld(known.copy(), known.copy())
    planner = make_planner(PlannerSettings(policy=policy, llm_url=server.url, verify=verify, fallback=False,
                                           llm=ModelSettings(vision=vision, retries=0)))
    try:
        return run(ClosedLoop(LEMON, planner, world, LoopSettings(**loop)), world), world
    finally:
        server.close()


def test_the_picture_after_go_to_tells_the_side_and_what_to_look_for(known):
    server = served(SIGHT)
    report, world = carry_out(known, server)
    assert report.success
    asked_with_picture = [shown(r) for r in server.requests]
    assert asked_with_picture == [False, True, False, False, False, False, True], "where it helps, and only there"
    assert "lemon_0 at the far side of fruit_table" in server.requests[2]["messages"][-1]["content"]
    assert world.sought == ("lemon_0", "yellow oval fruit") and world.over, "and no longer than the task"
    assert [c.kind for c in report.calls] == ["plan", "side", "step", "step", "step", "step", "done"]
    assert report.steps[1].decision.side == ("fruit_table", "far"), "where the next go_to stands"


def test_the_picture_is_small_and_in_the_right_colours(known):
    server = served(SIGHT)
    carry_out(known, server)
    url = server.requests[1]["messages"][0]["content"][0]["image_url"]["url"]
    data = base64.b64decode(url.removeprefix("data:image/jpeg;base64,"))
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (336, 448, 3)
    assert picture[100, 100] == pytest.approx((0, 100, 200), abs=4)


def test_what_is_not_seen_is_said(known):
    server = served({"visible": False, "side": "near", "description": "nothing"})
    report, world = carry_out(known, server)
    assert report.success and not hasattr(world, "sought")
    assert "does not show lemon_0" in server.requests[2]["messages"][-1]["content"]


@pytest.mark.parametrize("sight", [400, 500, "a yellow thing", {"visible": True, "side": "above", "description": ""}])
def test_a_model_that_cannot_see_is_no_obstacle(known, sight):
    server = served(sight)
    report, world = carry_out(known, server)
    assert report.success and not hasattr(world, "sought")
    assert all("response_format" in r for r in server.requests if not shown(r)), "and it is constrained as before"


@pytest.mark.parametrize("options", [{"vision": False}, {"feedback": False}])
def test_off(known, options):
    server = served(SIGHT)
    carry_out(known, server, **options)
    assert not any(map(shown, server.requests))


def test_after_a_pick_that_failed_the_eyes_are_asked_again(known):
    failing = [STEPS[0], STEPS[1], action("go_to", target="lemon_0"), *STEPS[1:]]
    server = served(SIGHT, steps=failing)
    slipped = SkillResult(Code.EXECUTION_FAILED, "it slipped", "grasp_slipped", "lemon_0")
    world = SeeingWorld(known.copy(), known.copy(),
                        fail=lambda call, count: slipped if call.skill == "pick" and not count else None)
    planner = make_planner(PlannerSettings(policy="vllm", llm_url=server.url, verify="grammar", fallback=False,
                                           llm=ModelSettings(vision=True, retries=0)))
    report = run(ClosedLoop(LEMON, planner, world), world)
    server.close()
    assert report.success
    kinds = [c.kind for c in report.calls]
    assert kinds.count("side") == 3, "after go_to, after the failed pick, after go_to"
    assert [s.call.skill for s in report.steps if s.decision.side is not None] == ["pick", "go_to", "pick"]


def test_what_the_picture_does_not_show_done_is_thought_over_once(known):
    once_more = [*STEPS[:2], action("done"), *STEPS[2:], action("done")]
    server = served(SIGHT, {"done": False, "reason": "the lemon is in the hand"}, steps=once_more)
    report, _ = carry_out(known, server, verify="none")
    assert [s.call.skill for s in report.steps] == ["go_to", "pick", "go_to", "place"]
    after = server.requests[[i for i, r in enumerate(server.requests) if asked_whether_done(r)][0] + 1]
    assert "the lemon is in the hand" in after["messages"][-1]["content"]
    assert [c.kind for c in report.calls].count("done") == 1, "one objection a task"


def test_the_symbolic_planner_has_eyes_where_they_are_served(known):
    server = served(SIGHT)
    report, world = carry_out(known, server, policy="symbolic", verify="none")
    assert report.success and world.sought == ("lemon_0", "yellow oval fruit")
    assert [s.decision.side for s in report.steps][:2] == [None, ("fruit_table", "far")]
    assert all(map(shown, server.requests)) and not any(map(asked_whether_done, server.requests)), "it has a goal"


def test_the_sides_are_those_seen_from_the_robot():
    table = Entity("table_0", Kind.FURNITURE, "table", (2.0, 0.0, 0.0), math.pi / 2, (0.6, 1.2, 0.7))
    here = Pose2(0.0, 0.1, 0.0)
    assert side_point(table, here, "near") == pytest.approx((1.4, 0.0))
    assert side_point(table, here, "far") == pytest.approx((2.6, 0.0))
    assert side_point(table, here, "left") == pytest.approx((2.0, 0.3))
    assert side_point(table, here, "right") == pytest.approx((2.0, -0.3))
    assert side_point(table, here, "middle") is None


def test_go_to_goes_to_the_side_that_was_seen():
    table = Entity("table_0", Kind.FURNITURE, "table", (0.0, 0.0, 0.0), 0.0, (0.7, 0.7, 0.7))
    robot = Entity("robot", Kind.AGENT, "robot", (-2.0, 0.0, 0.0))
    floor = OccupancyMap(np.zeros((120, 120), np.int8), 0.05, (-3.0, -3.0))
    floor.grid[53:67, 53:67] = OCCUPIED
    graph, start = WorldGraph([table, robot]), Pose2(-2.0, 0.0, 0.0)
    scene, stood = Scene(graph, map=floor), {}
    for side in ("near", "far", "left", "right"):
        skill_contexts = SkillContexts()
        sighted = Decision(SkillCall("go_to", ("table_0",)), "", "vllm", "look", side=("table_0", side))
        wanted = skill_contexts.of(sighted, graph, start)
        skill_context = choose_base_pose(load_robot("stretch"), scene, sighted.call, wanted)
        stood[side] = skill_context.stance
    assert stood["near"].x < -0.35 and stood["far"].x > 0.35 and stood["left"].y > 0.35 and stood["right"].y < -0.35
