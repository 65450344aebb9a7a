"""The plan is well-formed whatever the names, and lies inside its picture."""

import xml.etree.ElementTree as ET

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.operator.floor_plan import FloorPlan, Marker
from dadu.world.graph import Entity, Kind, WorldGraph


def test_default_house_is_well_formed_and_inside():
    house = load_house("flat")
    plan = FloorPlan(build_graph(house), house.doors)
    plan.path(np.array([[6.4, 3.9], [5.0, 4.3], [4.4, 1.8]]))
    plan.move((0.4, 1.9), (8.0, 1.0), "milk_0")
    plan.markers([Marker("1", 4.4, 1.8), Marker("2", 4.4, 1.8, "bad", 'a "title" <here>')])
    plan.robot(Pose2(4.4, 1.8, 1.0))
    root = ET.fromstring(plan.svg())
    width, height = plan.size
    points = [tuple(map(float, p.split(","))) for e in root.iter() if "points" in e.attrib
              for p in e.attrib["points"].split()]
    assert points and all(0 <= x <= width and 0 <= y <= height for x, y in points)
    doors = [e for e in root.iter() if e.attrib.get("class") == "fp-door"]
    assert len(doors) == len(house.doors)
    level = [e.attrib["y1"] == e.attrib["y2"] for e in doors]
    assert level == [False, False, True, False, False, True]


def test_y_goes_up():
    plan = FloorPlan(WorldGraph([Entity("r", Kind.ROOM, "room", polygon=((0, 0), (2, 0), (2, 2), (0, 2)))]))
    assert plan.xy(1, 1.5)[1] < plan.xy(1, 0.5)[1] and plan.xy(1.5, 1)[0] > plan.xy(0.5, 1)[0]
