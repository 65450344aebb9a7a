# ruff: noqa: T201 - a bench prints
"""What the detector sees of the same things by other renderers, beside the pictures that it knows.

``python -m bench.second_look DIR [--homes N] [--pictures N]``, with ``pip install vtk``, takes pictures of homes of
split test, each several times from one place: as the simulator shows the home, with light, colours and patterns varied
as for training, drawn by VTK with materials, light, walls and floors of its own (`bench/vtk_look.py`), and, where
``DADU_HABITAT_PYTHON`` names a Python that has it, by habitat-sim (`bench/habitat_look.py`). The camera's noise, depth
and what is where are the same. DIR/simulator, DIR/varied, DIR/vtk and DIR/habitat are folders as of ``dadu data
pictures``; given again, the same command goes on. Prints a table as Markdown.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from bench import vtk_look
from bench.habitat_look import HabitatLook
from dadu.learning.detector.evaluate import collect, report
from dadu.learning.pictures.home import HomeOrder, Photographer, house_of, reduced
from dadu.learning.pictures.looks import Looks
from dadu.learning.pictures.run import begin
from dadu.learning.pictures.sensor import photographed
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.pictures.splits import seeds
from dadu.learning.pictures.stage import Stage
from dadu.learning.pictures.store import HomeSheet, HomeWriter, PictureLabels
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.perception.learned.detector import LearnedDetector
from dadu.robots import load_robot
from dadu.sim.habitat.client import PYTHON

LOOKS = ("simulator", "varied", "vtk", *(("habitat",) if os.environ.get(PYTHON) else ()))
SETTINGS = PictureSettings(width=640, height=480, pictures=30, plain=1.0, crowd=(10, 20))
Shot = tuple[np.ndarray, np.ndarray, PictureLabels]
"""depth and numbers as the store has them, labels"""


class Home:
    """One, with its looks."""

    def __init__(self, seed: int, settings: PictureSettings, ask: Callable[..., Any]) -> None:
        """`ask` calls a function in the process of VTK."""
        self._rng, self._settings, self._ask = np.random.default_rng([seed, 1]), settings, ask
        self.house = house_of(HomeOrder(seed, "test"), settings, self._rng)
        self.stage = Stage(self.house, load_robot(settings.robot), settings, self._rng)
        self._photographer = Photographer(self.stage, settings)
        with tempfile.NamedTemporaryFile(suffix=".mjb") as file:
            mujoco.mj_saveModel(self.stage.world.model, file.name)
            ask(vtk_look.begin, file.name, self.stage.owner, (settings.width, settings.height), settings.field_of_view)

    def scene(self, first: int, pictures: int) -> Iterator[tuple[Shot, dict[str, np.ndarray]]]:
        """The next scene's pictures, numbered from `first`: what is there, and by look the colour, uint8 (H, W, 3)."""
        model = self.stage.world.model
        self._photographer.scenery.change(self._rng)
        small = np.array([False, *(thing.kind == "object" for thing in self.stage.things)])
        looks = Looks(model, self.stage.owner, small, self._settings.textured)
        seed = int(self._rng.integers(2**31))
        self._ask(vtk_look.change, seed, model.geom_rgba, model.geom_matid)
        shots = [self._shot(i) for i in range(first, first + pictures)]
        rgb = {"simulator": [self._drawn(shot) for shot in shots], "vtk": [self._drawn_by_vtk(shot) for shot in shots]}
        if "habitat" in LOOKS:
            rgb["habitat"] = self._drawn_by_habitat(seed, shots)
        looks.change(self._rng, np.array(shots[0][2].T_map_camera)[:2, 3])
        rgb["varied"] = [self._drawn(shot) for shot in shots]
        looks.reset()
        for i, shot in enumerate(shots):
            yield shot, {look: self._photographed(rgb[look][i], shot) for look in LOOKS}

    def _shot(self, number: int) -> Shot:
        """One that the robot's own body, which then moves on, is not in."""
        while True:
            _, depth, instances, labels = self._photographer.picture(number, self._rng)
            if labels.view != "robot":
                return depth, instances, labels

    def _drawn(self, shot: Shot) -> np.ndarray:
        return reduced(self.stage.render(np.array(shot[2].T_map_camera)), self.stage.oversampling)[0]

    def _drawn_by_vtk(self, shot: Shot) -> np.ndarray:
        shown = self.stage.world.snapshot()
        drawn: np.ndarray = self._ask(vtk_look.picture, shown.geom_xpos, shown.geom_xmat.reshape(-1, 3, 3),
                                      np.array(shot[2].T_map_camera))
        return drawn

    def _drawn_by_habitat(self, seed: int, shots: list[Shot]) -> list[np.ndarray]:
        model, view, settings = self.stage.world.model, self.stage.world.snapshot(), self._settings
        look = HabitatLook(model, view, model.geom_rgba, model.geom_matid, self.stage.owner, seed,
                           (settings.width, settings.height), settings.field_of_view)
        with closing(look):
            return [look.picture(np.array(labels.T_map_camera))[0] for _, _, labels in shots]

    def _photographed(self, rgb: np.ndarray, shot: Shot) -> np.ndarray:
        """With the same noise in every look."""
        return photographed(rgb, self._settings.color_noise, np.random.default_rng([shot[2].picture, 2]))


@contextmanager
def vtk_process() -> Iterator[Callable[..., Any]]:
    """Calls functions in a process of its own: VTK and MuJoCo do not share one's display."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield lambda work, *given: pool.submit(work, *given).result()


def make(out: Path, homes: int, settings: PictureSettings) -> None:
    """Takes the pictures that are missing."""
    folders = [begin(out / look, settings) for look in LOOKS]
    for seed in seeds("test", homes):
        if all(folder.has(str(seed)) for folder in folders):
            continue
        with ExitStack() as stack:
            home = Home(seed, settings, stack.enter_context(vtk_process()))
            stack.callback(home.stage.close)
            sheet = HomeSheet(home=str(seed), split="test", seed=seed, rooms=len(home.house.rooms),
                              pictures=settings.pictures)
            writers = {look: stack.enter_context(HomeWriter(folder.path, sheet, (settings.width, settings.height)))
                       for look, folder in zip(LOOKS, folders) if not folder.has(str(seed))}
            for first in range(0, settings.pictures, settings.scene):
                count = min(settings.scene, settings.pictures - first)
                for (depth, numbers, labels), rgb in home.scene(first, count):
                    for look, writer in writers.items():
                        writer.add(rgb[look], depth, numbers, labels)
                print(f"home {seed}: {first + count} pictures", file=sys.stderr)
            for writer in writers.values():
                writer.finish(home.house)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="where the pictures are put")
    parser.add_argument("--homes", type=int, default=12)
    parser.add_argument("--pictures", type=int, default=SETTINGS.pictures, help="of each home")
    parser.add_argument("--weights", default="", help="of the detector; the project's own where empty")
    given = parser.parse_args()
    make(given.out, given.homes, SETTINGS.model_copy(update={"pictures": given.pictures}))
    detector = LearnedDetector(given.weights)
    held_out = TrainingFacts.model_validate_json(detector.namer.training).held_out
    print("| look | objects | recall | AP50 any name | AP50 right name, taught, within 2.5 m | named right by true "
          "masks, taught | furniture: recall | AP50 |\n" + "|---" * 8 + "|")
    for look in LOOKS:
        figures: dict[str, Any] = report(collect(detector, DataFolders([given.out / look]).homes("test")), held_out)
        pieces, naming = figures["furniture"], figures["naming_known"]
        print(f"| {look} | {figures['objects']} | {figures['recall']:.2f} | {figures['ap50_agnostic']:.2f} | "
              f"{figures['ap50_pooled_near_known']:.2f} | {naming['first']:.2f} | {pieces['recall']:.2f} | "
              f"{pieces['ap50_pooled']:.2f} |", flush=True)


if __name__ == "__main__":
    main()
