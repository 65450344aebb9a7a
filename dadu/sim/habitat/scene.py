"""Scenes that somebody else made, as they are: HSSD, ReplicaCAD and every other scene dataset.

``python -m dadu.sim.habitat.scene DATASET.scene_dataset_config.json SCENE --out DIR`` looks at a scene once and writes
what the rest of the graph needs: ``SCENE.house.yaml`` (one room over the navigable floor, no furniture: what stands
there has to be found), ``SCENE.map.yaml`` (its occupancy map) and ``SCENE.habitat.yaml``, by which `HabitatSimulation`
finds the scene again.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np
from scipy.ndimage import distance_transform_edt

from dadu.core.config import Settings, load, save
from dadu.house.files import house_path, save_house
from dadu.house.format import House, RobotStart, Room
from dadu.sim.habitat.client import HabitatClient
from dadu.sim.habitat.frames import to_map
from dadu.world.occupancy import FREE, OCCUPIED, OccupancyMap

RESOLUTION = 0.05
"""of the map [m]"""
SUFFIX = ".habitat.yaml"


class SceneFile(Settings):
    """Which scene of which dataset."""

    dataset: str
    """path of a ``*.scene_dataset_config.json``"""
    scene: str
    """handle of a scene instance in it"""


def scene_of(house: str | Path) -> SceneFile | None:
    """The scene that a house file made by `describe_scene` stands for; None for a house of our own. Errors:
    ConfigError."""
    path = house_path(house)
    beside = path.with_name(path.name.removesuffix(".house.yaml") + SUFFIX)
    return load(SceneFile, beside) if beside.exists() else None


def describe_scene(scene: SceneFile, out: str | Path, python: str = "", path: tuple[str, ...] = ()) -> Path:
    """Writes the three files into `out` and returns the house file. Errors: HabitatUnavailable."""
    client = HabitatClient(scene.model_dump() | {"width": 64, "height": 48}, python, path)
    try:
        free = client.call("floor_plan", {"resolution": RESOLUTION})["free"]
        corner = client.bounds[0]
    finally:
        client.close()
    # Rows run along Habitat's z, which is the map's -y: turned over, row 0 lies at the lowest y.
    low = to_map([corner[0], 0.0, corner[2] + len(free) * RESOLUTION])[:2]
    map = OccupancyMap(np.where(free[::-1], FREE, OCCUPIED).astype(np.int8), RESOLUTION, (float(low[0]), float(low[1])))
    house = _house(re.sub(r"\W", "_", f"scene_{Path(scene.scene).name}"), map)
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    save(scene, out / f"{house.house}{SUFFIX}")
    map.save(out / f"{house.house}.map.yaml")
    save_house(house, out / f"{house.house}.house.yaml")
    return out / f"{house.house}.house.yaml"


def _house(name: str, map: OccupancyMap) -> House:
    """One room over the whole map; the robot where there is most room."""
    x0, x1, y0, y1 = map.extent
    free = map.grid == FREE
    widest = np.unravel_index(np.argmax(distance_transform_edt(np.pad(free, 1))[1:-1, 1:-1]), free.shape)
    x, y = map.centres(np.array(widest))
    room = Room(name="everywhere", category="room", floor=((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    return House(house=name, rooms=(room,), robot=RobotStart(pose=(float(x), float(y), 0.0)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m dadu.sim.habitat.scene", description=__doc__.splitlines()[0])
    parser.add_argument("dataset", help="*.scene_dataset_config.json")
    parser.add_argument("scene", help="handle of a scene instance, such as apt_0 or 102344280")
    parser.add_argument("--out", default=".", help="directory for the three files")
    words = parser.parse_args()
    describe_scene(SceneFile(dataset=str(Path(words.dataset).resolve()), scene=words.scene), words.out)


if __name__ == "__main__":
    main()
