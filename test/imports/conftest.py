"""A house in ProcTHOR's format, invented here: an L-shaped room and a square one, a door between them."""

import json

import pytest

ASSETS = {"CounterTop": [("Countertop_L_6x4", (1.83, 0.9, 1.22))], "TVStand": [("Stand_1", (1.2, 0.5, 0.4))],
          "Television": [("Screen_1", (0.8, 0.5, 0.2)), ("Screen_2", (1.0, 0.6, 0.06))],
          "Bed": [("Bed_1", (1.0, 1.0, 2.0))], "Dresser": [("Dresser_1", (0.8, 1.2, 0.4))],
          "Mug": [("Mug_1", (0.08, 0.1, 0.11))], "Pillow": [("Pillow_1", (0.5, 0.15, 0.3))],
          "BasketBall": [("Ball_1", (0.24, 0.24, 0.24))], "Painting": [("Painting_1", (0.6, 0.4, 0.02))],
          "Microwave": [("Microwave_1", (0.5, 0.3, 0.35))], "Submarine": [("Submarine_1", (1.0, 1.0, 1.0))]}


def xyz(x, y, z):
    return {"x": x, "y": y, "z": z}


def thing(id, asset, x, y, z, turn=0.0, children=()):
    return {"id": id, "assetId": asset, "position": xyz(x, y, z), "rotation": xyz(0, turn, 0),
            "children": list(children)}


def floor(*corners):
    return [xyz(x, 0, z) for x, z in corners]


def wall(id, start, end, height=2.5):
    (x0, z0), (x1, z1) = start, end
    return {"id": id, "polygon": [xyz(x0, 0, z0), xyz(x1, 0, z1), xyz(x0, height, z0), xyz(x1, height, z1)]}


def hole(id, room0, room1, wall0, low, high):
    return {"id": id, "assetId": "hole", "room0": room0, "room1": room1, "wall0": wall0,
            "holePolygon": [xyz(*low, 0), xyz(*high, 0)]}


HOUSE = {
    "rooms": [{"id": "room|1", "roomType": "LivingRoom",
               "floorPolygon": floor((0, 0), (5, 0), (5, 3), (3, 3), (3, 5), (0, 5))},
              {"id": "room|2", "roomType": "Bedroom", "floorPolygon": floor((5, 0), (9, 0), (9, 3), (5, 3))}],
    "walls": [wall("wall|1|a", (5, 3), (5, 0)), wall("wall|1|b", (0, 5), (0, 0)), wall("wall|1|c", (0, 0), (5, 0))],
    "doors": [hole("door|1|2", "room|1", "room|2", "wall|1|a", (1.0, 0), (2.2, 2.1)),
              hole("door|0|1", "room|1", "room|1", "wall|1|c", (2.0, 0), (3.0, 2.1))],
    "windows": [hole("window|1", "room|1", "room|1", "wall|1|b", (1.0, 1.0), (2.0, 2.0))],
    "objects": [
        thing("counter", "Countertop_L_6x4", 1.5, 0.45, 4.38, 180,
              [thing("cup", "Mug_1", 1.5, 0.95, 4.7), thing("oven", "Microwave_1", 2.0, 1.05, 4.72, 180)]),
        thing("stand", "Stand_1", 4.0, 0.25, 0.2, 0,
              [thing("screen", "Screen_1", 4.0, 0.75, 0.2, 0), thing("mug", "Mug_1", 3.7, 0.25, 0.2)]),
        thing("telly", "Screen_2", 0.03, 1.5, 1.0, 90),
        thing("picture", "Painting_1", 6.5, 1.5, 0.01, 0),
        thing("bed", "Bed_1", 8.0, 0.5, 1.0, 0,
              [thing("pillow", "Pillow_1", 8.0, 0.575, 0.3), thing("hovers", "Pillow_1", 8.0, 1.075, 0.7)]),
        thing("dresser", "Dresser_1", 6.5, 0.6, 2.8, 180, [thing("tall", "Mug_1", 6.5, 1.25, 2.8)]),
        thing("ball", "Ball_1", 2.5, 0.12, 2.5),
        thing("u-boat", "Submarine_1", 2.5, 0.5, 1.5), thing("ghost", "Ghost_1", 2.5, 0.5, 1.5),
    ],
    "metadata": {"agent": {"position": xyz(2.0, 0.9, 1.5), "rotation": xyz(0, 90, 0)}},
}


@pytest.fixture
def houses(tmp_path):
    """A file of that house, its asset database beside it."""
    database = {kind: [{"assetId": id, "objectType": kind, "boundingBox": dict(zip("xyz", box, strict=True))}
                       for id, box in assets] for kind, assets in ASSETS.items()}
    (tmp_path / "asset-database.json").write_text(json.dumps(database))
    file = tmp_path / "cottage.json"
    file.write_text(json.dumps(HOUSE))
    return file
