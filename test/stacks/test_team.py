"""Teams in the oracle: two are sooner done than one, who breaks down is replaced, nobody runs into anybody."""

from __future__ import annotations

import pytest

from dadu.house.files import load_house
from dadu.planner.settings import LoopSettings, PlannerSettings
from dadu.sim.oracle.sight import ALL_ROUND
from dadu.sim.oracle.traffic import collisions
from dadu.stacks.team import SECOND, TeamStack
from dadu.tasks.suite import suite_path
from dadu.team.messages import Act
from dadu.team.settings import TeamSettings
from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation
from dadu.world.names import PERSON

BOTH = "put the milk on the dining table and the lemon on the desk"
WASH = "wash the mug and put it on the desk"


@pytest.fixture(scope="module")
def flat():
    return load_house("flat")


def run(house, words: str, plan: str, partner: str = "none", **settings) -> tuple[TeamStack, bool]:
    stack = TeamStack(house, TeamSettings(plan=plan, partner=partner, **settings))
    reports = stack.do(words, PlannerSettings(), settings=LoopSettings(max_seconds=900))
    return stack, reports.whole(stack.now()).success


@pytest.fixture(scope="module")
def alone(flat):
    stack, success = run(flat, BOTH, "solo")
    assert success
    return stack.now()


def where(stack: TeamStack, *names: str) -> list[str]:
    return [stack.world.things[name].support.holder for name in names]


@pytest.mark.parametrize("plan", ["central", "decentral"])
@pytest.mark.parametrize("knowledge", ["shared", "separate", "privileged"])
def test_two_are_sooner_done_than_one(flat, alone, plan, knowledge):
    stack, success = run(flat, BOTH, plan, knowledge=knowledge)
    assert success and where(stack, "milk_0", "lemon_0") == ["dining_table_0", "desk_0"]
    assert stack.collisions == 0
    assert all(part.closed for piece in stack.world.pieces.values() for part in piece.parts)
    if knowledge != "separate":
        assert stack.now() < alone


def test_the_same_input_gives_the_same_result(flat):
    first, second = (run(flat, BOTH, "decentral")[0] for _ in range(2))
    assert first.now() == second.now() and list(map(str, first.channel.said)) == list(map(str, second.channel.said))


def test_what_the_robot_cannot_the_person_does(flat):
    stack, success = run(flat, WASH, "decentral", "simulated")
    assert success and where(stack, "mug_0") == ["desk_0"] and stack.world.things["mug_0"].states["is_clean"]
    assert not run(flat, WASH, "decentral")[1]


def test_a_person_is_spared_work(flat):
    alone, _ = run(flat, BOTH, "solo", "simulated")
    helped, success = run(flat, BOTH, "decentral", "simulated")
    assert success and helped.world.agents[PERSON].travelled < alone.world.agents[PERSON].travelled


def test_face_to_face_in_a_door_one_lets_the_other_pass():
    home = load_house(suite_path("together").parent / "homes" / "home_4_1.house.yaml")
    words = "First put the toothpaste on the couch. After that put the android figure on the bed."
    stack, success = run(home, words, "central")
    assert success and stack.collisions == 0
    assert all(seconds < 30 for seconds in stack.idle.values())  # none stood until it had lost its patience


def test_what_others_tell_of_behind_a_wall_is_not_missed_before_it(flat):
    view = TeamStack(flat, TeamSettings(plan="decentral")).members[ROBOT].view
    here = view.agent.pose
    piece = next(e for e in view.graph.of(Kind.FURNITURE) if view.world.room_of_piece[e.id] != view.agent.room)
    view.graph.put(Entity("ball", Kind.OBJECT, "ball", (here.x + 1.0, here.y, 0.8), stamp=1.0))
    view.graph.set_support("ball", Edge("ball", Relation.ON, piece.id))
    view.look(ALL_ROUND)
    assert "ball" in view.graph
    view.graph.set_support("ball", Edge("ball", Relation.ON, next(
        e.id for e in view.graph.of(Kind.FURNITURE) if view.world.room_of_piece[e.id] == view.agent.room)))
    view.look(ALL_ROUND)
    assert "ball" not in view.graph


def test_who_breaks_down_leaves_its_part_to_others(flat):
    stack = TeamStack(flat, TeamSettings(plan="decentral"))
    stack.kill(SECOND, at=5.0)
    reports = stack.do(BOTH, PlannerSettings(), settings=LoopSettings(max_seconds=900))
    assert reports.whole(stack.now()).success and SECOND not in reports.reports
    assert where(stack, "milk_0", "lemon_0") == ["dining_table_0", "desk_0"]
    assert [m.sender for m in stack.channel.said if m.act is Act.GONE] == [SECOND]


def test_mistakes_are_made_and_mended(flat):
    stack, success = run(flat, BOTH, "decentral", "simulated", mistakes=0.3)
    assert success and where(stack, "milk_0", "lemon_0") == ["dining_table_0", "desk_0"]


def test_a_collision_would_be_counted(flat):
    stack = TeamStack(flat, TeamSettings(plan="central"))
    a, b = stack.world.agents.values()
    a.track, b.track = [(0.0, 10.0, (0.0, 0.0), (10.0, 0.0))], [(0.0, 10.0, (10.0, 0.1), (0.0, 0.1))]
    a.clock = b.clock = 10.0
    assert collisions([a, b]) == 1
