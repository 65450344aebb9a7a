"""Labelled pictures on disk: the contract between who makes them and who learns from them.

::

    DIR/data.yaml                 `DataSheet`: format, settings that made the pictures, intrinsics, splits, words
    DIR/homes/HOME/rgb.npy        uint8 (N, H, W, 3), sRGB
    DIR/homes/HOME/depth.npy      uint16 (N, H, W) [mm] along the optical axis, as a sensor measures it; 0: no reading
    DIR/homes/HOME/instances.npy  uint16 (N, H, W): number of the thing at each pixel, 0: background (walls, floor)
    DIR/homes/HOME/instances.jsonl  one line a picture: `PictureLabels`
    DIR/homes/HOME/home.yaml      `HomeSheet`: seed, split
    DIR/homes/HOME/house.yaml     the house file that was rendered

HOME is the seed of a generated home, or of a house file its name, a digest of its content and the number of the
variation. Plain arrays, so that training maps them into memory and decodes nothing. A home's folder appears in one
step, when it is whole. Numbers of things are those of one home: the same thing has the same number
in all of its pictures.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from dadu.core.config import Settings, load, load_lines, save
from dadu.house.files import save_house
from dadu.house.format import House
from dadu.learning.begun import begin
from dadu.learning.pictures.settings import PictureSettings

SHEET = "data.yaml"
HOMES = "homes"

Split = Literal["train", "validation", "test"]
InstanceKind = Literal["object", "furniture", "part", "robot", "person"]


class DataSheet(Settings):
    """What holds for all pictures of a folder."""

    format: Literal[1] = 1
    settings: PictureSettings
    K: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    """pinhole intrinsics [px], principal point by pixel centres"""
    split_rule: str
    """which homes are for training, in words; each home's own sheet says what it is"""
    held_out: tuple[tuple[str, ...], ...]
    """clusters of categories of objects that no home of split train contains"""
    categories: dict[str, tuple[str, ...]]
    """of objects, furniture and parts: all names that labels may have"""


class HomeSheet(Settings):
    """One home's part."""

    home: str
    split: Split
    seed: int
    """of the generator, or the number of the variation of a house file"""
    rooms: int
    pictures: int


class InstanceLabel(Settings):
    """One thing in one picture."""

    id: int
    """pixel value, from 1"""
    name: str
    """in the house: ``mug_0``, ``fridge_0``, ``fridge_0/door``"""
    category: str
    """of the catalogue (or the house's own); of a part: ``door``, ``drawer``...; ``robot``, ``person``"""
    kind: InstanceKind
    color: str | None = None
    """name of the main colour, as the house tells it; None where nobody tells"""
    states: dict[str, bool] = {}
    """by predicate (``is_powered_on``, ``is_filled``, ``is_clean``, ``is_sliced``), as in this picture: those that
    show, if not from every side"""
    openness: float | None = None
    """of a part: 0 shut, 1 as far as it goes"""
    held: bool = False
    """in the robot's gripper"""
    mesh: str = ""
    """name of the one that it has in place of primitives"""
    pixels: int
    """visible"""
    distance: float
    """mean over those, along the optical axis, without the sensor's noise [m]"""
    box: tuple[int, int, int, int]
    """x, y, width, height [px]"""


class PictureLabels(Settings):
    """One picture."""

    picture: int
    """index into the arrays"""
    view: str
    """how it was taken, see `dadu.learning.pictures.views`"""
    T_map_camera: tuple[tuple[float, float, float, float], ...]
    """4 rows of 4; optical frame"""
    instances: tuple[InstanceLabel, ...]
    """all things with a pixel in it; furniture without its parts, which are things of their own"""


@dataclass(frozen=True)
class HomePictures:
    """The pictures of one home, mapped into memory."""

    path: Path
    sheet: HomeSheet

    @cached_property
    def rgb(self) -> np.ndarray:
        """uint8 (N, H, W, 3)."""
        return self._array("rgb")

    @cached_property
    def depth(self) -> np.ndarray:
        """uint16 (N, H, W) [mm]; 0: no reading."""
        return self._array("depth")

    @cached_property
    def instances(self) -> np.ndarray:
        """uint16 (N, H, W); 0: background."""
        return self._array("instances")

    @cached_property
    def labels(self) -> tuple[PictureLabels, ...]:
        """One a picture, in their order."""
        return tuple(load_lines(PictureLabels, self.path / "instances.jsonl"))

    def whole(self, i: int) -> np.ndarray:
        """uint16 (H, W): the numbers of picture `i`, doors and drawers as their furniture where that is in view."""
        labels, instances = self.labels[i].instances, np.asarray(self.instances[i])
        number = {label.name: label.id for label in labels}
        owner = np.arange(max((int(instances.max()), *(label.id for label in labels))) + 1, dtype=instances.dtype)
        for label in labels:
            if label.kind == "part":
                owner[label.id] = number.get(label.name.partition("/")[0], label.id)
        return owner[instances]

    def _array(self, name: str) -> np.ndarray:
        return np.load(self.path / f"{name}.npy", mmap_mode="r", allow_pickle=False)


@dataclass(frozen=True)
class PictureFolder:
    """A folder of labelled pictures. Errors: ConfigError where it is none."""

    path: Path

    @cached_property
    def sheet(self) -> DataSheet:
        """Errors: ConfigError."""
        return load(DataSheet, self.path / SHEET)

    def homes(self, split: Split | None = None) -> Iterator[HomePictures]:
        """Those that are whole, in the order of their names; `split`: of that one alone."""
        for path in sorted((self.path / HOMES).glob("[!.]*"), key=lambda p: (len(p.name), p.name)):
            home = HomePictures(path, load(HomeSheet, path / "home.yaml"))
            if split in (None, home.sheet.split):
                yield home

    def has(self, home: str) -> bool:
        """True if that home is there, whole."""
        return (self.path / HOMES / home).is_dir()

    def add(self, home: str, files: Mapping[str, bytes]) -> None:
        """A home, by the contents of its files."""
        partial = self.path / HOMES / f".{home}"
        partial.mkdir()
        for name, content in files.items():
            (partial / name).write_bytes(content)
        partial.rename(self.path / HOMES / home)

    def begin(self, sheet: DataSheet) -> None:
        """Makes the folder, or goes on in one of the same sheet; what a killed run left half done is thrown away.

        Errors: ConfigError where it was made with other settings.
        """
        (self.path / HOMES).mkdir(parents=True, exist_ok=True)
        begin(self.path / SHEET, sheet)
        for rest in (self.path / HOMES).glob(".*"):
            shutil.rmtree(rest, ignore_errors=True)


class HomeWriter:
    """Writes one home beside the others and puts it among them when it is whole. A context; left early, the home is
    thrown away."""

    def __init__(self, folder: Path, sheet: HomeSheet, size: tuple[int, int]) -> None:
        """`size`: width and height of the pictures [px]."""
        self._sheet, self._final = sheet, folder / HOMES / sheet.home
        self._partial = self._final.with_name(f".{sheet.home}.{os.getpid()}")
        self._partial.mkdir(parents=True)
        shape = (sheet.pictures, size[1], size[0])
        self._rgb = self._create("rgb", (*shape, 3), np.uint8)
        self._depth = self._create("depth", shape, np.uint16)
        self._instances = self._create("instances", shape, np.uint16)
        self._lines: list[str] = []

    def __enter__(self) -> HomeWriter:
        return self

    def __exit__(self, *error: object) -> None:
        shutil.rmtree(self._partial, ignore_errors=True)

    def add(self, rgb: np.ndarray, depth: np.ndarray, instances: np.ndarray, labels: PictureLabels) -> None:
        """The next picture, as in the arrays above."""
        i = len(self._lines)
        self._rgb[i], self._depth[i], self._instances[i] = rgb, depth, instances
        self._lines.append(labels.model_dump_json(exclude_defaults=True))

    def finish(self, house: House) -> None:
        """Makes the home appear."""
        for array in (self._rgb, self._depth, self._instances):
            array.flush()
        (self._partial / "instances.jsonl").write_text("\n".join(self._lines) + "\n")
        save(self._sheet, self._partial / "home.yaml")
        save_house(house, self._partial / "house.yaml")
        os.rename(self._partial, self._final)

    def _create(self, name: str, shape: tuple[int, ...], kind: type[np.generic]) -> np.memmap:
        return np.lib.format.open_memmap(self._partial / f"{name}.npy", "w+", dtype=kind, shape=shape)
