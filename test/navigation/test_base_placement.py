import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.navigation.costmap import Costmap
from dadu.navigation.standing.base_placement import place_base
from dadu.navigation.standing.open_parts import part_outline
from dadu.robots import load_robot
from dadu.skills.outcome import Code, Detail
from dadu.skills.scene import Scene
from dadu.world.boxes import overlap
from dadu.world.graph import Entity, Kind, Relation

STRETCH = load_robot("stretch")
HOUSE = load_house("flat")
MAP = rasterize(HOUSE)


@pytest.fixture
def scene():
    return Scene(graph=build_graph(HOUSE, known="all"), map=MAP)


def set_part(scene, furniture, value):
    entity = scene.graph[furniture]
    scene.graph.change(furniture, parts=tuple(replace(p, value=value) for p in entity.parts))


def along_arm(pose, target):
    """How far a point lies along the arm of a Stretch standing at `pose`, and how far aside [m]."""
    x, y = pose.inverse().apply(np.array(target[:2]))
    return -y, x


OBJECTS = sorted(e.id for e in build_graph(HOUSE, known="all").of(Kind.OBJECT))


@pytest.mark.parametrize("id", OBJECTS[::3])
def test_objects_are_in_reach_from_a_free_place_in_the_same_room(scene, id):
    pose = place_base(scene, STRETCH, id, "pick")
    assert isinstance(pose, Pose2)
    distance, aside = along_arm(pose, scene.graph[id].position)
    assert STRETCH.reach[0] <= distance <= STRETCH.reach[1] and abs(aside) <= 0.3
    assert Costmap(MAP, STRETCH).fits(pose)
    assert scene.graph.room_at(pose[:2]) == scene.graph.room_of(id)


def test_picking_from_the_open_fridge_stays_clear_of_its_door(scene):
    set_part(scene, "fridge_0", 1.48)
    fridge = scene.graph["fridge_0"]
    pose = place_base(scene, STRETCH, "milk_0", "pick")
    assert isinstance(pose, Pose2)
    assert not overlap(pose.apply(STRETCH.footprint), part_outline(fridge, fridge.parts[0], 1.48))


def test_opening_a_hinged_door_stands_level_with_the_handle_within_the_measured_distance(scene):
    part = scene.graph["fridge_0"].parts[0]
    pose = place_base(scene, STRETCH, "fridge_0", "open")
    normal = np.array(part.normal[:2])
    front = normal @ (np.array(pose[:2]) - part.origin[:2])
    assert 0.64 <= front <= 0.93
    assert abs(along_arm(pose, part.handle)[1]) < 0.05


@pytest.mark.parametrize("start", [(1.5, 4.0, 0.0), (1.0, 5.0, 0.0), (3.5, 2.5, 1.5)])
@pytest.mark.parametrize("drawer", ["cabinet_0", "nightstand_0"])
def test_a_drawer_fits_the_arms_stroke_though_the_base_stands_a_little_off(scene, drawer, start):
    part = scene.graph[drawer].parts[0]
    pose = place_base(scene, STRETCH, drawer, "open", start=Pose2(*start))
    distance, _ = along_arm(pose, part.handle)
    assert STRETCH.reach[0] + part.range + 0.02 <= distance <= STRETCH.reach[1] - 0.02


def test_what_was_tried_is_not_proposed_again(scene):
    first = place_base(scene, STRETCH, "apple_0", "pick")
    second = place_base(scene, STRETCH, "apple_0", "pick", avoid=[first])
    assert isinstance(second, Pose2)
    assert math.dist(first[:2], second[:2]) > 0.15 or abs(first.yaw - second.yaw) > 0.5


def test_stays_where_it_is_when_that_will_do(scene):
    here = place_base(scene, STRETCH, "apple_0", "pick") * Pose2(0.08, 0.01, 0.02)
    assert place_base(scene, STRETCH, "apple_0", "pick", start=here) == here
    away = here * Pose2(0.0, 0.5, 0.0)
    assert place_base(scene, STRETCH, "apple_0", "pick", start=away) != away


def test_stays_though_a_drive_would_keep_farther_off(scene):
    """Something beside the base, nearer than a drive would lead past it: no reason to go away."""
    here = place_base(scene, STRETCH, "apple_0", "pick")
    local = here.inverse().apply(MAP.centres(np.stack(np.indices(MAP.shape), axis=-1)).reshape(-1, 2))

    def beside(away):
        grid = MAP.grid.copy()
        grid.ravel()[(np.abs(local[:, 0]) < 0.2) & (np.abs(local[:, 1] - away) < 0.03)] = 100
        return replace(MAP, grid=grid)

    def gap(blocked):
        costmap = Costmap(blocked, STRETCH)
        return costmap.clearance(costmap.footprint.at(here, costmap.footprint.area)).min()
    scene.map = next(blocked for away in np.arange(0.2, 0.4, 0.005) if 0 < gap(blocked := beside(away)) < 0.03)
    assert place_base(scene, STRETCH, "apple_0", "pick", start=here) == here
    assert place_base(scene, STRETCH, "apple_0", "pick", start=here * Pose2(0.0, 0.5, 0.0)) != here


def test_places_beside_what_is_named_and_away_from_what_stands_there(scene):
    cup = np.array(scene.graph["cup_0"].position[:2])
    beside = place_base(scene, STRETCH, "dining_table_0", "place", relation="on", next_to="cup_0")
    assert abs(along_arm(beside, cup)[1]) < 0.25


def test_what_goes_into_a_thing_goes_to_where_that_stands(scene):
    bowl = next(o for o in scene.graph.of(Kind.OBJECT) if scene.graph.support(o.id).relation is Relation.ON)
    stance = place_base(scene, STRETCH, bowl.id, "place", relation="in")
    assert isinstance(stance, Pose2) and math.dist(stance[:2], bowl.position[:2]) < 1.2


def test_rooms(scene):
    for room in scene.graph.of(Kind.ROOM):
        pose = place_base(scene, STRETCH, room.id, "look")
        assert scene.graph.room_at(pose[:2]) == room


def test_a_suspect_is_looked_at_whole(scene):
    fruit_table = scene.graph["fruit_table"]
    scene.graph.put(replace(fruit_table, id="suspect_0", kind=Kind.SUSPECT, surfaces=(), parts=()))
    pose = place_base(scene, STRETCH, "suspect_0", "look")
    assert 1.0 <= np.hypot(*np.subtract(pose[:2], fruit_table.position[:2])) < 2.1
    assert abs(along_arm(pose, np.array(fruit_table.position[:2]))[1]) < 0.1


@pytest.mark.parametrize(("target", "purpose", "code"), [
    ("unicorn_0", "pick", Code.UNKNOWN_TARGET),
    ("sofa_0", "open", Code.NOT_INTERACTIVE),
    ("robot", "look", Code.UNKNOWN_TARGET),
])
def test_typed_refusals(scene, target, purpose, code):
    assert place_base(scene, STRETCH, target, purpose).code is code


def test_out_of_reach_and_unreachable(scene):
    high = replace(scene.graph["apple_0"], position=(4.4, 0.3, 2.2))
    scene.graph.put(high)
    assert place_base(scene, STRETCH, "apple_0", "pick").code is Code.TOO_FAR
    grid = MAP.grid.copy()
    rows, cols = MAP.cells((3.6, 1.3)), MAP.cells((3.7, 2.4))
    grid[rows[0]:cols[0], rows[1] - 1:cols[1]] = 100
    scene.map = replace(MAP, grid=grid)
    refused = place_base(scene, STRETCH, "fridge_0", "open")
    assert (refused.code, refused.detail) == (Code.EXECUTION_FAILED, "path_blocked")


def test_without_a_map_and_with_a_wrong_purpose(scene):
    assert place_base(Scene(graph=scene.graph), STRETCH, "apple_0", "pick").code is Code.UNREACHABLE_BACKEND
    with pytest.raises(ValueError, match="valid: close, look, open, pick, place"):
        place_base(scene, STRETCH, "apple_0", "admire")


def test_what_stands_open_where_there_is_room_to_stand_is_named():
    house = load_house("small_flat")
    narrow = Scene(graph=build_graph(house, known="all"), map=rasterize(house))
    assert isinstance(place_base(narrow, STRETCH, "microwave_0", "open"), Pose2)
    set_part(narrow, "fridge_0", 1.48)
    set_part(narrow, "stove_0", 1.4)
    result = place_base(narrow, STRETCH, "microwave_0", "open")
    assert (result.code, result.detail, result.target) == (Code.TOO_FAR, Detail.OPEN_IN_THE_WAY, "fridge_0")
    assert "close fridge_0 first" in result.message


@pytest.mark.parametrize(("target", "open"), [("pillow_0", 1.48), ("milk_0", 1.0)])
def test_no_door_is_blamed_that_helps_nothing_or_that_the_target_is_behind(target, open):
    house = load_house("small_flat")
    narrow = Scene(graph=build_graph(house, known="all"), map=rasterize(house))
    set_part(narrow, "fridge_0", open)
    x, y, z = narrow.graph["pillow_0"].position
    narrow.graph.change("pillow_0", position=(x - 0.6, y, z))
    result = place_base(narrow, STRETCH, target, "pick")
    assert (result.code, result.detail, result.target) == (Code.TOO_FAR, "", target)


TABLE = {
    "house": "table", "robot": {"pose": [0.6, 2.5, 0.0]},
    "rooms": [{"name": "dining_room", "category": "dining_room", "floor": [[0, 0], [5, 0], [5, 5], [0, 5]]}],
    "furniture": [{"name": "table_0", "category": "dining_table", "room": "dining_room", "pose": [2.5, 2.5, 0.0],
                   "size": [0.8, 0.8, 0.74]}],
    "objects": [{"name": "mug_0", "category": "mug", "on": "table_0", "at": [0.0, 0.0]}],
}


def test_where_outlines_of_rooms_are_a_guess_the_walls_of_the_map_count():
    two = TABLE | {"rooms": [{"name": "hall", "category": "hall", "floor": [[0, 0], [2.9, 0], [2.9, 5], [0, 5]]},
                             {"name": "den", "category": "den", "floor": [[2.9, 0], [5, 0], [5, 5], [2.9, 5]]}]}
    two["furniture"] = [TABLE["furniture"][0] | {"room": "hall", "pose": [2.3, 2.5, 0.0]}]
    house = House.model_validate(two)
    scene = Scene(graph=build_graph(house, known="all"), map=rasterize(house))
    told = place_base(scene, STRETCH, "table_0", "place")
    # Both rooms in one; and most of the other one.
    for outline in ([(0, 0), (5, 0), (5, 5), (0, 5)], [(1.7, 0), (5, 0), (5, 5), (1.7, 5)]):
        scene.graph.change("hall", polygon=tuple(outline), provenance="detection")
        assert place_base(scene, STRETCH, "table_0", "place") == told


def test_a_stance_is_on_a_side_from_which_the_arm_gets_past_what_stands_there():
    house = House.model_validate(TABLE)
    table = Scene(graph=build_graph(house, known="all"), map=rasterize(house))
    mug = np.array(table.graph["mug_0"].position)
    sides: list[float] = []
    for i in range(5):
        pose = place_base(table, STRETCH, "mug_0", "pick")
        assert isinstance(pose, Pose2)
        sides.append(pose.yaw)
        out = np.array(pose[:2]) - mug[:2]
        x, y = mug[:2] + 0.2 * out / np.linalg.norm(out)
        table.graph.put(Entity(f"vase_{i}", Kind.OBJECT, "vase", (x, y, 0.74 + 0.2), 0.0, (0.12, 0.12, 0.4)))
    apart = [abs(math.remainder(a - b, 2 * math.pi)) for a, b in combinations(sides[:4], 2)]
    assert min(apart) > 1.5, "a side each, one after the other"
    assert sides[4] in sides[:4], "something is in the way from everywhere: the nearest, as if nothing were"


CORNER = TABLE | {"house": "corner", "furniture": [
    {"name": "counter_0", "category": "counter", "room": "dining_room", "pose": [1.2, 0.3, math.pi / 2],
     "size": [0.6, 2.4, 0.88]},
    {"name": "counter_1", "category": "counter", "room": "dining_room", "pose": [0.3, 1.5, 0.0],
     "size": [0.6, 1.7, 0.88]}],
    "objects": [{"name": "mug_0", "category": "mug", "on": "counter_0", "at": [0.12, 0.7]}]}


def test_what_stands_in_the_corner_of_an_l_is_reached_over_it():
    """Neither counter has floor before its own front there."""
    house = House.model_validate(CORNER)
    corner = Scene(graph=build_graph(house, known="all"), map=rasterize(house))
    x, y, _ = corner.graph["mug_0"].position
    assert x < 0.6 and y < 0.6
    pose = place_base(corner, STRETCH, "mug_0", "pick")
    assert isinstance(pose, Pose2) and Costmap(corner.map, STRETCH).fits(pose)
    assert min(pose[:2]) > 0.6
