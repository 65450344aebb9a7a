"""Pictures shown to a model that sees, and to one that does not."""

import base64

import cv2
import numpy as np
import pytest
from stand_in_server import StandInServer, action
from symbolic_world import SymbolicWorld, run

from dadu.planner.grammar import Grammar
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.settings import LoopSettings, ModelSettings

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


def shown(body):
    return any(isinstance(m["content"], list) for m in body["messages"])


def served(sight):
    steps = iter(STEPS)
    return StandInServer(lambda body: sight if shown(body) else next(steps))


def carry_out(known, server, vision=True, **loop):
    world = SeeingWorld(known.copy(), known.copy())
    policy = ModelPolicy(ModelSettings(url=server.url, vision=vision, retries=0))
    try:
        return run(ClosedLoop(LEMON, TaskPlanner(policy, check=Grammar()), world, LoopSettings(**loop)), world), world
    finally:
        server.close()


def test_the_picture_after_go_to_tells_the_side_and_what_to_look_for(known):
    server = served(SIGHT)
    report, world = carry_out(known, server)
    assert report.success
    asked_with_picture = [shown(r) for r in server.requests]
    assert asked_with_picture == [False, True, False, False, False, False], "only where something is picked"
    assert "lemon_0 at the far side of fruit_table" in server.requests[2]["messages"][-1]["content"]
    assert world.sought == ("lemon_0", "yellow oval fruit")
    assert [c.kind for c in report.calls] == ["plan", "side", "step", "step", "step", "step"]


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
