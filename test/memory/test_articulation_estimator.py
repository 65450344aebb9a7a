"""Doors and drawers that nobody told of: what the handles of every kind of furniture say, wherever it stands."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.core.geometry import Pose2, vector3
from dadu.house.catalogue import furniture_categories
from dadu.house.format import Furniture
from dadu.house.furniture.entity import furniture_entity
from dadu.memory.association.articulation_estimator import PICTURES, ArticulationEstimator
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.memory.association.inside import add_seen_surfaces
from dadu.memory.association.parts import observed_value
from dadu.memory.learning import learn
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world.bars import HandleBar, bars_as_text, bars_from_text
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, WorldGraph

OPENING = sorted(name for name, category in furniture_categories().items() if "open" in category.affordances)
UP = np.array((0.0, 0.0, 1.0))


def true_piece(category, pose=(2.0, 1.0, 0.7)):
    """As the house has it; what a robot finds has to come near."""
    return furniture_entity(Furniture(name="piece_0", category=category, room="room", pose=pose))


def bars_of(piece, shift=(0.0, 0.0, 0.0)):
    """What depth shows of a true piece that is shut."""
    out = []
    for part in piece.parts:
        normal, upright = np.array(part.normal), abs(part.handle_axis[2]) > 0.5
        across = np.cross(UP, normal)
        aside = across @ (np.array(part.handle) - np.array(piece.position))
        out.append(HandleBar(vector3(np.array(part.handle) + shift), upright, part.normal, 0.2,
                             piece.size[1] / 2 + aside, piece.size[1] / 2 - aside))
    return tuple(out)


def found(piece):
    """The same piece as a robot has it that knows no more than its box."""
    return replace(piece, surfaces=(), parts=(), yaw=0.0, provenance="detection")


def sighting(bars, label="fridge"):
    return Detection(label, 1.0, (0, 0, 100, 100), 5000, np.zeros((0, 3), np.float32), np.zeros(3), np.ones(3),
                     bars=tuple(bars))


def seen_often(piece, bars, articulations=None):
    articulations = articulations or ArticulationEstimator()
    for _ in range(PICTURES):
        piece = articulations.see(piece, sighting(bars), None)
    return piece


@pytest.mark.parametrize("category", OPENING)
def test_every_kind_of_furniture_gets_the_parts_that_it_has(category):
    true = true_piece(category)
    piece = seen_often(found(true), bars_of(true))
    assert len(piece.parts) == len(true.parts)
    for part in true.parts:
        mine = min(piece.parts, key=lambda p: np.linalg.norm(np.subtract(p.handle, part.handle)))
        np.testing.assert_allclose(mine.handle, part.handle, atol=1e-6)
        np.testing.assert_allclose(mine.normal, part.normal, atol=1e-6)
        assert mine.kind == part.kind
        np.testing.assert_allclose(mine.axis, part.axis, atol=1e-6, err_msg="it opens the other way")
        if part.kind == "hinge":
            np.testing.assert_allclose(mine.origin[:2], part.origin[:2], atol=0.03)
        assert mine.range <= part.range + 1e-6 and mine.range >= 0.6 * part.range
        inside = [s for s in piece.surfaces if s.part == mine.name]
        assert len(inside) == 1 and inside[0].inside


@examples(25)
@given(category=st.sampled_from(OPENING), x=st.floats(-5, 5), y=st.floats(-5, 5), yaw=st.floats(-3.1, 3.1))
def test_where_it_stands_and_how_it_is_turned_makes_no_difference(category, x, y, yaw):
    true = true_piece(category, (x, y, yaw))
    piece = seen_often(found(true), bars_of(true))
    for part in true.parts:
        mine = min(piece.parts, key=lambda p: np.linalg.norm(np.subtract(p.handle, part.handle)))
        for value in (0.0, 0.5 * mine.range, mine.range):
            np.testing.assert_allclose(mine.handle_at(value), part.handle_at(value), atol=0.05)
    front = np.array((np.cos(piece.yaw), np.sin(piece.yaw), 0.0))
    assert front @ np.array(piece.parts[0].normal) > np.cos(np.pi / 4) - 1e-6
    np.testing.assert_allclose(piece.bounds(), found(true).bounds(), atol=1e-6)


def test_one_picture_makes_no_door():
    true, articulations = true_piece("fridge"), ArticulationEstimator()
    piece = found(true)
    for _ in range(PICTURES - 1):
        piece = articulations.see(piece, sighting(bars_of(true)), None)
        assert piece.parts == ()
    assert len(articulations.see(piece, sighting(bars_of(true)), None).parts) == 1


def test_two_doors_that_meet_are_two_however_the_map_drifts():
    true, articulations = true_piece("wardrobe"), ArticulationEstimator()
    piece = seen_often(found(true), bars_of(true), articulations)
    along = 0.08 * np.cross(UP, true.parts[0].normal)
    for _ in range(60):
        piece = articulations.see(piece, sighting(bars_of(true, along)), None)
    assert [part.name for part in piece.parts] == ["left_door", "right_door"]
    for mine, part in zip(piece.parts, true.parts, strict=True):
        np.testing.assert_allclose(mine.handle, np.array(part.handle) + along, atol=0.015)


def test_a_bar_before_another_face_is_no_part_of_this_one():
    """Such as that of a door that stood open in a few pictures."""
    true, articulations = true_piece("fridge"), ArticulationEstimator()
    bar, = bars_of(true)
    turned = replace(bar, normal=vector3(np.cross(UP, bar.normal)), centre=vector3(np.add(bar.centre, (0.3, 0.3, 0.0))))
    piece = found(true)
    for seen in (bar, turned, bar, turned, bar, turned, bar):
        piece = articulations.see(piece, sighting([seen]), None)
    part, = piece.parts
    np.testing.assert_allclose(part.normal, bar.normal, atol=1e-6)


def test_bars_are_not_learned_while_something_is_open_or_the_hand_is_there_or_the_layout_was_told():
    true = true_piece("fridge")
    bar, = bars_of(true)
    known = seen_often(found(true), [bar])
    ajar = replace(known, parts=(replace(known.parts[0], value=0.8),))
    elsewhere = replace(bar, centre=vector3(np.add(bar.centre, (0.0, 0.0, 0.2))))
    assert seen_often(ajar, [elsewhere]) is ajar
    articulations, fresh = ArticulationEstimator(), found(true)
    for _ in range(2 * PICTURES):
        assert articulations.see(fresh, sighting([bar]), np.array(bar.centre)) is fresh
    told = replace(fresh, provenance="prior")
    assert seen_often(told, [bar]) is told


@pytest.mark.parametrize("category", ["fridge", "dresser", "wardrobe"])
def test_who_starts_anew_and_sees_one_handle_forgets_no_other(category):
    true = true_piece(category)
    known = seen_often(found(true), bars_of(true))
    again = seen_often(known, bars_of(true, (0.02, 0.0, 0.0))[:1])
    assert again is not known
    assert [part.name for part in again.parts] == [part.name for part in known.parts]
    for before, now in zip(known.parts, again.parts, strict=True):
        assert now.axis == before.axis
        np.testing.assert_allclose(now.handle, before.handle, atol=0.021)
        np.testing.assert_allclose(now.origin, before.origin, atol=0.05)


def test_a_part_stays_as_open_as_it_was_when_another_is_seen():
    true, articulations = true_piece("dresser"), ArticulationEstimator()
    bars = bars_of(true)
    piece = seen_often(found(true), bars[:1], articulations)
    assert [part.name for part in piece.parts] == ["drawer"]
    piece = seen_often(piece, bars, articulations)
    assert [part.name for part in piece.parts] == ["top_drawer", "middle_drawer", "bottom_drawer"]
    assert {s.part for s in piece.surfaces} == {part.name for part in piece.parts}


def board(piece, height, low=-0.15, high=0.15):
    """Points of a level board in the furniture, (N, 3) [m, map]."""
    x, y = np.meshgrid(np.arange(low, high, 0.03), np.arange(low, high, 0.03))
    return np.column_stack([piece.pose.apply(np.column_stack([x.ravel(), y.ravel()])), np.full(x.size, height)])


def test_shelves_behind_an_open_door_are_places_inside():
    true = true_piece("fridge")
    shut = seen_often(found(true), bars_of(true))
    shelves = np.concatenate([board(true, 0.55), board(true, 0.9)])
    assert [s.name for s in add_seen_surfaces(shut, shelves)] == ["in_door"], "nobody looks through a door"
    opened = replace(shut, parts=(replace(shut.parts[0], value=1.4),))
    surfaces = add_seen_surfaces(opened, shelves)
    assert sorted(round(s.height, 2) for s in surfaces) == [0.55, 0.9]
    for surface in surfaces:
        assert surface.inside and surface.part == "door" and surface.clearance < 1.0
        assert np.hypot(*(np.array(surface.pose[:2]) - true.position[:2])) < 0.05
        assert surface.pose.yaw == pytest.approx(true.yaw)
    again = replace(opened, surfaces=surfaces)
    assert add_seen_surfaces(again, shelves) == surfaces


def test_what_stands_on_a_piece_with_a_drawer_does_not_take_its_top_away():
    """A mask takes in the lamp, too: the highest of the piece is that."""
    true = true_piece("nightstand")
    shut = seen_often(found(true), bars_of(true))
    length, width, height = true.size
    with_a_lamp = replace(shut, size=(length, width, height + 0.1))
    (top,) = [s for s in add_seen_surfaces(with_a_lamp, board(true, height)) if not s.inside]
    assert top.height == pytest.approx(height)


def test_a_drawer_s_bottom_is_where_it_is_when_shut():
    true = true_piece("nightstand")
    shut = seen_often(found(true), bars_of(true))
    drawer, = shut.parts
    opened = replace(shut, parts=(replace(drawer, value=0.3),))
    out = 0.3 * np.array(drawer.normal)
    bottom = board(true, drawer.handle[2] - 0.08) + out
    edges = np.concatenate([board(true, drawer.handle[2] + 0.01, -0.21, 0.22), board(true, 0.53)[:6]]) + out
    surfaces = add_seen_surfaces(opened, np.concatenate([bottom, edges]))
    surface, = [s for s in surfaces if s.inside]
    assert len(surfaces) == 1, "what stands out of it is no top"
    assert surface.height == pytest.approx(drawer.handle[2] - 0.08, abs=0.01)
    assert surface.name == surface.part == "drawer"
    assert np.hypot(*(np.array(surface.pose[:2]) - true.position[:2])) < 0.05
    known = replace(opened, surfaces=(surface,))
    np.testing.assert_allclose(known.surface_pose(surface)[:2], true.position[:2] + 0.3 * np.array(drawer.normal[:2]),
                               atol=0.05)


def test_a_found_door_tells_how_far_it_is_open():
    true = true_piece("fridge")
    piece = seen_often(found(true), bars_of(true))
    part, = piece.parts
    heights, reach = np.meshgrid(np.arange(0.2, 1.4, 0.05), np.arange(0.2, 0.5, 0.03))
    hinge, lever = np.array(part.origin), np.array(part.handle) - np.array(part.origin)
    lever -= (lever @ np.array(part.normal)) * np.array(part.normal) + lever[2] * UP
    leaf = hinge + reach.reshape(-1, 1) * lever / np.linalg.norm(lever) + heights.reshape(-1, 1) * UP
    turned = replace(part, handle_axis=part.handle_axis)
    points = np.array([replace(turned, handle=vector3(p)).handle_at(1.3) for p in leaf])
    assert observed_value(piece.parts[0], points) == pytest.approx(1.3, abs=0.06)


def test_memory_finds_them_by_itself():
    """From detections as perception makes them to an entity that opens; and told furniture stays as told."""
    true = true_piece("fridge", (2.0, 1.0, 0.0))
    low, high = true.bounds()
    detection = replace(sighting(bars_of(true)), centroid=(low + high) / 2, size=high - low)
    memory, T = Associator(WorldGraph([])), np.eye(4)
    T[:3, 3] = 4.0, 1.0, 1.3
    for i in range(PICTURES + 1):
        frame = DetectionFrame(float(i), T, np.eye(3), 640, 480, np.zeros((60, 80), np.float32), (detection,))
        memory.update(frame, ObserverPose(Pose2(4.0, 1.0, 0.0)))
    piece, = memory.graph.of(Kind.FURNITURE)
    assert isinstance(piece, Entity) and [part.name for part in piece.parts] == ["door"] and piece.closed


def test_bars_survive_a_message():
    bars = bars_of(true_piece("dresser"))
    read = bars_from_text({"color": "red"} | bars_as_text(bars))
    for bar, other in zip(bars, read, strict=True):
        assert bar.upright == other.upright
        np.testing.assert_allclose((*bar.centre, *bar.normal, bar.length, bar.left, bar.right),
                                   (*other.centre, *other.normal, other.length, other.left, other.right), atol=1e-4)


def half_seen(true):
    """Of its front only so much was seen that the handle seems to be nearer to its hinge."""
    bar, = bars_of(true)
    wide, narrow = max(bar.left, bar.right), 0.15
    return replace(bar, left=narrow, right=0.2) if bar.left == wide else replace(bar, left=0.2, right=narrow)


@pytest.mark.parametrize("detail", [Detail.DOOR_STUCK, Detail.GRASP_SLIPPED, Detail.ARM_STALLED])
def test_a_door_that_does_not_turn_one_way_is_tried_the_other(detail):
    true = true_piece("fridge")
    memory = Associator(WorldGraph([]))
    piece = replace(seen_often(found(true), [half_seen(true)], memory.articulations), provenance="detection")
    memory.graph.put(piece)
    sides = [piece.parts[0].axis[2]]
    assert sides[0] == -true.parts[0].axis[2], "it seems to be hinged on the wrong side"
    failed = SkillResult(Code.EXECUTION_FAILED, "", detail, target="piece_0/door")
    for i in range(2):
        learn(memory, SkillCall("open", ("piece_0",)), failed, float(i), ObserverPose(Pose2(0.0, 0.0, 0.0)))
        sides.append(memory.graph["piece_0"].parts[0].axis[2])
    assert sides == [sides[0], -sides[0], sides[0]]


def test_a_door_whose_bar_is_at_its_edge_has_no_other_side():
    true = true_piece("fridge")
    articulations = ArticulationEstimator()
    piece = seen_often(found(true), bars_of(true), articulations)
    assert articulations.did_not_open(piece, "door").parts == piece.parts
    told = replace(piece, provenance="prior")
    assert articulations.did_not_open(told, "door") is told
