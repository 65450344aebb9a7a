"""What the operator's page is told: the plan, things, the task, what is seen, corrections."""

import json
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.memory.edit import apply_edit, parse_edit
from dadu.operator.console.live_plan import LivePlan
from dadu.operator.console.orders import Correction
from dadu.operator.console.sight import sight_view
from dadu.operator.console.state import TaskView
from dadu.operator.console.views import ended, step_view, thing_views
from dadu.perception.upright import turned, turned_box
from dadu.skills.outcome import Code
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import UNIDENTIFIED, Edge, Entity, Kind, Relation, WorldGraph
from dadu.world.occupancy import FREE, OCCUPIED, OccupancyMap


def test_live_plan_draws_again_only_when_the_layout_changes():
    plan, graph = LivePlan(), build_graph(load_house("flat"))
    plan.update(graph)
    first = plan.revision
    graph.put(Entity("mug_0", Kind.OBJECT, "mug", (1, 1, 1)))
    plan.update(graph)
    assert plan.revision == first
    for x in (1.0, 1.001, 1.2):
        plan.at(Pose2(x, 1, 0))
    assert len(plan.trail()) == 2
    smaller = graph.copy()
    smaller.remove("sofa_0")
    plan.update(smaller)
    assert plan.revision == first + 1 and plan.trail() == [plan.point(1.0, 1), plan.point(1.2, 1)]


def test_doors_are_drawn_where_both_rooms_are_known():
    house = load_house("flat")
    plan, graph = LivePlan(house.doors), build_graph(house)
    plan.update(graph)
    assert plan.svg().count("fp-door") == len(house.doors)
    less = graph.copy()
    less.remove("bathroom")
    plan.update(less)
    assert plan.svg().count("fp-door") == len(house.doors) - 1


def test_a_robot_that_knows_no_rooms_shows_the_map_that_it_makes():
    grid = np.full((40, 60), -1, np.int8)
    grid[10:20, 30:50] = FREE
    grid[20, 30:50] = OCCUPIED
    plan = LivePlan()
    plan.chart(OccupancyMap(grid, 0.1, (-1.0, 2.0)))
    (x0, y0), (x1, y1) = plan.point(2.0, 4.0), plan.point(4.0, 3.0)  # of what is known
    width, height = map(float, ET.fromstring(plan.svg()).get("viewBox").split()[2:])
    assert "fp-chart" in plan.svg() and 0 < x0 < x1 < width and 0 < y0 < y1 < height
    assert x1 - x0 > 0.7 * width, "what is known fills the picture"
    plan.update(build_graph(load_house("flat")))
    assert "fp-chart" not in plan.svg()


def test_names_cannot_leave_their_place_in_the_plan():
    graph = WorldGraph([Entity('a"><b onload="x', Kind.FURNITURE, "table", (1, 1, 0), 0, (1, 1, 1))])
    plan = LivePlan()
    plan.update(graph)
    assert any(e.get("data-id") == 'a"><b onload="x' for e in ET.fromstring(plan.svg()).iter())


def test_things_say_where_they_are():
    plan, graph = LivePlan(), build_graph(load_house("flat"), "all")
    plan.update(graph)
    graph.put(Entity("cup_9", Kind.OBJECT, "cup", (1, 1, 1), states={"is_clean": False}, aliases=("gran's",)))
    graph.set_support("cup_9", Edge("cup_9", Relation.HELD_BY, "robot"))
    things = {thing.id: thing for thing in thing_views(graph, plan)}
    assert things["cup_9"].where.startswith("held by robot") and things["cup_9"].at is None
    assert things["cup_9"].states == ["not clean"] and things["cup_9"].names == ["gran's"]
    milk = graph["milk_0"]
    assert things["milk_0"].where == "in fridge_0, kitchen" and things["milk_0"].at == plan.point(*milk.position[:2])
    assert things["fridge_0"].where == "in kitchen" and things["kitchen"].where == ""
    assert "robot" not in things


def test_a_step_that_failed_says_why():
    outcome = SimpleNamespace(code=40, detail="path_blocked", message="a chair")
    time = SimpleNamespace(sec=3, nanosec=500_000_000)
    call = SimpleNamespace(skill="go_to", arguments=["hall"])
    message = SimpleNamespace(step=2, call=call, reasoning="", finished=True, outcome=outcome, elapsed=time,
                              header=SimpleNamespace(stamp=time))
    view = step_view(message)
    assert (view.call, view.outcome, view.detail, view.ok) == ("go_to(hall)", "EXECUTION_FAILED", "path_blocked", False)
    assert view.elapsed == view.started == 3.5


@pytest.mark.parametrize("code, detail, status, question", [
    (Code.SUCCEEDED, "", "done", ""), (Code.UNCERTAIN, "", "uncertain", ""), (Code.CANCELLED, "", "cancelled", ""),
    (Code.UNKNOWN_ACTION, "refused", "refused", ""), (Code.EXECUTION_FAILED, "grasp_slipped", "failed", ""),
    (Code.UNKNOWN_TARGET, "asked_back", "failed", "which one?")])
def test_how_a_task_ended(code, detail, status, question):
    task = ended(TaskView(instruction="go", coming=["done()"]), code, detail, "which one?")
    assert (task.status, task.question, task.coming, task.instruction) == (status, question, [], "go")


@pytest.mark.parametrize("turns", range(4))
def test_a_box_turns_with_its_picture(turns):
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[5:15, 20:50] = 255
    (x, y, w, h), (width, height) = turned_box((20, 5, 30, 10), (60, 40), turns)
    seen = turned(picture, turns)
    assert seen.shape[:2] == (height, width)
    assert seen[y:y + h, x:x + w].min() == 255 and int(seen.sum()) == 3 * 255 * w * h


def test_without_a_detector_the_picture_is_shown_all_the_same():
    view = sight_view(1.0, np.zeros((48, 64, 3), np.uint8), 0, None, WorldGraph())
    assert view.boxes == [] and view.detector == ""


def test_corrections_are_edits_that_memory_takes():
    graph = build_graph(load_house("flat"), "all")

    def correct(**fields):
        return apply_edit(graph, *parse_edit(Correction(**fields).edit(graph)), 1.0)

    correct(action="called", id="milk_0", name="gran's milk")
    correct(action="called", id="milk_0", name="gran's milk")
    assert graph["milk_0"].aliases.count("gran's milk") == 1
    assert set(graph["milk_0"].aliases) > {"gran's milk"}, "older names stay"
    correct(action="moved", id="milk_0", place="dining_table_0", relation="on")
    assert graph.support("milk_0").object == "dining_table_0"
    correct(action="not_there", id="milk_0")
    assert "milk_0" not in graph
    assert json.loads(Correction(action="undo").edit(graph)) == {"undo": True}
    lesson = Correction(action="is_a", id="milk_0", name="oat milk").edit(graph)
    assert parse_edit(lesson) == ("teach", {"thing": "milk_0", "is": "oat milk"})


def test_what_nobody_knows_is_shown_by_its_looks():
    size = np.array([0.3, 0.2, 0.01])
    strange = Detection("mug", 0.2, (0, 0, 8, 8), 64, np.zeros((1, 3), np.float32), np.zeros(3), size,
                        {"color": "red"}, others=((UNIDENTIFIED, 0.6),))
    frame = DetectionFrame(1.0, np.eye(4), np.eye(3), 64, 48, np.ones((6, 8), np.float32), (strange,))
    graph = WorldGraph()
    for entity in (Entity("mug_0", Kind.OBJECT, "mug"),
                   Entity("thing_0", Kind.OBJECT, UNIDENTIFIED, size=(0.3, 0.2, 0.01), attributes={"color": "red"})):
        graph.put(entity)
    box, = sight_view(1.0, np.zeros((48, 64, 3), np.uint8), 0, frame, graph).boxes
    assert (box.label, box.score, box.id) == ("flat red thing, 30 cm", 0.6, "thing_0")
    plan = LivePlan()
    plan.update(graph)
    assert {view.id: view.names for view in thing_views(graph, plan)}["thing_0"] == ["flat red thing, 30 cm"]
