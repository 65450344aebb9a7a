"""Furniture that the robot could not use is moved by as little as helps, with what stands on it."""

import math

import pytest

from dadu.homes.working_places import WorkingPlaces
from dadu.house.files import parse_house
from dadu.imports.report import ImportReport
from dadu.imports.usable import made_usable
from dadu.robots.loader import load_robot

ROBOT = load_robot("stretch")
ROOM = {"name": "den", "category": "kitchen", "floor": [[0, 0], [4, 0], [4, 4], [0, 4]]}
FRIDGE = {"name": "fridge", "category": "fridge", "room": "den", "pose": [2.0, 0.4, math.pi / 2],
          "size": [0.65, 0.84, 1.0]}
CABINET = {"name": "wall", "category": "cabinet", "room": "den", "pose": [2.0, 1.4, math.pi], "size": [0.5, 0.6, 0.9]}
RADIO = {"name": "set", "category": "television", "room": "den", "size": [0.2, 0.3, 0.3], "elevation": 1.0,
         "pose": [2.0, 0.4, math.pi / 2]}


def house(*furniture):
    return parse_house({"house": "home", "rooms": [ROOM], "furniture": list(furniture),
                        "robot": {"pose": [1.5, 2.5, 0.0]}}, "home")


def moves(before, after):
    return {p.name: math.dist(p.pose[:2], after.piece(p.name).pose[:2]) for p in before.furniture}


def test_what_can_be_used_stays():
    home, report = house(FRIDGE, RADIO), ImportReport("home")
    assert made_usable(home, ROBOT, report) == home and not report.changes


def test_a_blocked_fridge_is_moved_with_what_stands_on_it_and_the_report_says_by_how_much():
    home, report = house(FRIDGE, CABINET, RADIO), ImportReport("home")
    assert list(WorkingPlaces(home, ROBOT).faults("fridge"))
    after = made_usable(home, ROBOT, report)
    assert not list(WorkingPlaces(after, ROBOT).faults("fridge"))
    moved = moves(home, after)
    assert 0 < moved["fridge"] <= 0.6 and moved["set"] == pytest.approx(moved["fridge"])
    assert {c.item: c.by for c in report.changes}["fridge"] == pytest.approx(moved["fridge"])


def test_where_nothing_near_helps_it_goes_elsewhere_in_its_room():
    row = {"name": "row", "category": "counter", "room": "den", "pose": [2.0, 1.4, math.pi / 2],
           "size": [0.6, 3.6, 0.9]}
    home = house(FRIDGE, row, RADIO)
    after = made_usable(home, ROBOT, ImportReport("home"))
    fridge, radio = after.piece("fridge").pose2, after.piece("set").pose2
    assert list(WorkingPlaces(home, ROBOT).faults("fridge")) and not list(WorkingPlaces(after, ROBOT).faults("fridge"))
    assert moves(home, after)["fridge"] > 0.6 and (fridge.inverse() * radio)[:2] == pytest.approx((0, 0), abs=1e-3)


def test_what_faces_along_the_counter_that_it_stands_on_is_turned_to_the_room():
    counter = {"name": "top", "category": "counter", "room": "den", "pose": [2.0, 0.4, math.pi / 2],
               "size": [0.6, 2.4, 0.9]}
    oven = {"name": "oven", "category": "microwave", "room": "den", "size": [0.35, 0.5, 0.3], "elevation": 0.9,
            "pose": [2.0, 0.4, 0.0]}
    home, report = house(counter, oven), ImportReport("home")
    after = made_usable(home, ROBOT, report)
    assert list(WorkingPlaces(home, ROBOT).faults("oven")) and not list(WorkingPlaces(after, ROBOT).faults("oven"))
    assert after.piece("oven").pose == pytest.approx((2.0, 0.4, math.pi / 2), abs=1e-3)
    assert [(change.item, round(change.by), change.unit) for change in report.changes] == [("oven", 90, "degrees")]
