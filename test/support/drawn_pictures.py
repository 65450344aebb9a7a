"""A small folder of labelled pictures, drawn instead of rendered: coloured boxes on a table before a wall."""

import numpy as np

from dadu.house.files import parse_house
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.pictures.store import DataSheet, HomeSheet, HomeWriter, InstanceLabel, PictureFolder, PictureLabels

SIZE = (96, 64)
POSE = ((0.0, 0.0, 1.0, 0.0), (-1.0, 0.0, 0.0, 0.0), (0.0, -1.0, 0.0, 1.2), (0.0, 0.0, 0.0, 1.0))
THINGS = {1: ("table", "furniture", (0, 0, 255)), 2: ("mug", "object", (255, 0, 0)),
          3: ("banana", "object", (0, 255, 0)), 4: ("door", "part", (0, 0, 200))}
HELD_OUT = ("toy_car", "toy_train")
HOUSE = {"house": "hut", "rooms": [{"name": "room", "category": "kitchen", "floor": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
         "doors": [], "furniture": [], "objects": [], "robot": {"pose": [2, 2, 0]}}


def picture(rng):
    """rgb, depth [mm] and numbers of things."""
    width, height = SIZE
    instances = np.zeros((height, width), np.uint16)
    instances[height // 2:, 8:-8] = 1
    instances[-10:, 12:30] = 4
    for number in (2, 3):
        x, y = int(rng.integers(10, width - 30)), int(rng.integers(8, height // 2))
        instances[y:y + 16, x:x + 14] = number
    rgb, depth = np.full((height, width, 3), 128, np.uint8), np.full((height, width), 3000, np.uint16)
    for number, (_, _, color) in THINGS.items():
        rgb[instances == number], depth[instances == number] = color, 1500 - 40 * number
    return rgb, depth, instances


def label(number, instances):
    category, kind, _ = THINGS[number]
    rows, columns = np.nonzero(instances == number)
    box = (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)
    name = "table_0/door" if kind == "part" else f"{category}_0"
    return InstanceLabel(id=number, name=name, category=category, kind=kind, pixels=len(rows), distance=1.4,
                         box=tuple(map(int, box)))


def draw(path):
    """Three homes of split train, one of validation, one of test, 6 pictures each."""
    width, height = SIZE
    made = PictureFolder(path)
    made.begin(DataSheet(settings=PictureSettings(width=width, height=height), split_rule="by hand",
                         K=((94.0, 0, 47.5), (0, 94.0, 31.5), (0, 0, 1)), held_out=(HELD_OUT,), categories={}))
    for seed, split in ((1, "train"), (2, "train"), (3, "train"), (4, "validation"), (5, "test")):
        rng = np.random.default_rng(seed)
        with HomeWriter(path, HomeSheet(home=str(seed), split=split, seed=seed, rooms=1, pictures=6), SIZE) as writer:
            for i in range(6):
                rgb, depth, instances = picture(rng)
                seen = [n for n in THINGS if (instances == n).any()]
                writer.add(rgb, depth, instances, PictureLabels(
                    picture=i, view="gaze", T_map_camera=POSE, instances=tuple(label(n, instances) for n in seen)))
            writer.finish(parse_house(HOUSE, "hut"))
