"""All pictures of one home."""

from __future__ import annotations

import zlib
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import ndimage

from dadu.core.errors import ConfigError
from dadu.core.robot import CameraFrame
from dadu.homes.home import generate_home
from dadu.house.files import house_path, load_house
from dadu.house.format import House
from dadu.house.furniture.pieces import furniture_model
from dadu.learning.pictures.crowd import crowded, settled
from dadu.learning.pictures.posing import Posing
from dadu.learning.pictures.scene import TRIES, Scenery
from dadu.learning.pictures.sensor import measured, photographed
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.pictures.splits import held_out_clusters
from dadu.learning.pictures.stage import Stage
from dadu.learning.pictures.store import HomeSheet, HomeWriter, InstanceLabel, PictureLabels, Split
from dadu.learning.pictures.views import SHARES, Eyes, ViewKind
from dadu.robots import load_robot

_RETAKES = 20
_LEAST = {"gaze": 0.05, "close": 0.05, "room": 0.02, "robot": 0.03}
"""share of a picture that must show things or furniture"""
_MOST = 0.85
"""share that one thing may fill"""
_HIDDEN = 0.05
"""how often a picture is taken though something stands before what it was meant to show"""
_BARE = 0.12
"""how often a picture without a thing is kept"""
_VISIBLE = 60
"""pixels of a thing that count as seeing it, at the stored size"""
_TOO_NEAR = 0.5
"""share that may be nearer than a camera can see sharply"""
_SHARP = 0.12
"""[m]"""


@dataclass(frozen=True)
class HomeOrder:
    """What to make: a generated home, or a variation of a house file."""

    seed: int
    split: Split
    file: str = ""
    digest: str = ""
    """of the file's content, which tells it from others of the same name"""

    @classmethod
    def from_file(cls, file: str, variation: int, split: Split) -> HomeOrder:
        """`file`: a name in maps/ or a path. Errors: ConfigError where it is no house."""
        load_house(file)
        return cls(variation, split, file, f"{zlib.crc32(house_path(file).read_bytes()):08x}")

    @property
    def name(self) -> str:
        """Of its folder."""
        stem = Path(self.file).name.removesuffix(".yaml").removesuffix(".house")
        return f"{stem}-{self.digest}-{self.seed}" if self.file else str(self.seed)


def make_home(order: HomeOrder, settings: PictureSettings, folder: Path) -> Generator[None, None, None]:
    """Writes one home into a picture folder, picture by picture, whole or not at all.

    Errors: ConfigError where no such home can be made, or meshes cannot be read.
    """
    rng = np.random.default_rng([order.seed, 1])
    house = house_of(order, settings, rng)
    stage = Stage(house, load_robot(settings.robot), settings, rng)
    sheet = HomeSheet(home=order.name, split=order.split, seed=order.seed, rooms=len(house.rooms),
                      pictures=settings.pictures)
    try:
        with HomeWriter(folder, sheet, (settings.width, settings.height)) as writer:
            photographer = Photographer(stage, settings)
            for i in range(settings.pictures):
                if i % settings.scene == 0:
                    photographer.scenery.change(rng)
                writer.add(*photographer.picture(i, rng))
                yield
            writer.finish(house)
    finally:
        stage.close()


def house_of(order: HomeOrder, settings: PictureSettings, rng: np.random.Generator) -> House:
    """The home, more crowded and colourful than people have it. Errors: ConfigError."""
    held_out = held_out_clusters(settings.held_out, settings.held_out_seed)
    without = {category for cluster in held_out for category in cluster} if order.split == "train" else set()
    if order.file:
        return crowded(settled(load_house(order.file)), without, settings, rng)
    for _ in range(TRIES - 1):
        try:
            home = generate_home(order.seed, int(rng.integers(settings.rooms[0], settings.rooms[1] + 1)),
                                 robot=settings.robot)
            break
        except ConfigError:  # a few plans leave a door that the robot does not get through
            continue
    else:
        home = generate_home(order.seed, settings.rooms[0], robot=settings.robot)
    return crowded(home, without, settings, rng)


class Photographer:
    """Takes the pictures of one stage."""

    def __init__(self, stage: Stage, settings: PictureSettings) -> None:
        self._stage, self._settings, self._house = stage, settings, stage.world.house
        self._eyes, self._posing = Eyes(self._house), Posing(stage.world)
        self.scenery = Scenery(stage, settings)
        self._objects = np.array([thing.kind == "object" for thing in stage.things], bool)
        self._focal = settings.height / 2 / np.tan(np.radians(settings.field_of_view) / 2)

    def picture(self, index: int, rng: np.random.Generator
                ) -> tuple[np.ndarray, np.ndarray, np.ndarray, PictureLabels]:
        """The next picture as the store has it: colour uint8 (H, W, 3), depth uint16 (H, W) [mm], numbers uint16
        (H, W), labels. What shows next to nothing is taken again from elsewhere, a few times."""
        for _ in range(_RETAKES):
            kind: ViewKind = rng.choice(list(SHARES), p=list(SHARES.values()))
            shot = self._shot(kind, rng)
            if shot is not None and _worth(kind, shot[0]) and (self._shows_things(shot[0]) or rng.random() < _BARE):
                break
        else:
            while (shot := self._shot("room", rng)) is None:
                continue
            kind = "room"
        frame, held = shot
        rgb, depth, instances = reduced(frame, self._stage.oversampling)
        labels = PictureLabels(picture=index, view=kind, instances=labels_of(self._stage, instances, depth, held),
                               T_map_camera=tuple(tuple(row) for row in frame.T_map_camera.round(5).tolist()))
        photo = photographed(rgb, self._settings.color_noise, rng)
        reading = measured(depth, rgb, self._focal, self._settings.depth_noise, rng)
        return photo, reading, instances, labels

    def _shot(self, kind: ViewKind, rng: np.random.Generator) -> tuple[CameraFrame, str | None] | None:
        """A rendered view and what the robot holds in it; None where the view finds no place."""
        if kind == "room":
            rooms = self._house.rooms
            T = self._eyes.across(rooms[int(rng.integers(len(rooms)))].name, rng)
            return None if T is None else (self._stage.render(T), None)
        target, furniture, enclosed = self._target(rng)
        if kind == "robot":
            with self._posing.pose(target, rng) as own:
                return None if own is None else (self._stage.render(own.T_map_camera), own.held)
        T = self._eyes.gaze(kind, target, self._house.piece(furniture), enclosed, rng)
        if T is None or not (self._stage.clear(T[:3, 3], target) or rng.random() < _HIDDEN):
            return None
        return self._stage.render(T), None

    def _shows_things(self, frame: CameraFrame) -> bool:
        """True if at least one object is well in view."""
        assert frame.instances is not None
        pixels = np.bincount(frame.instances.ravel(), minlength=len(self._stage.things) + 1)[1:]
        return bool(pixels[self._objects].max(initial=0) >= _VISIBLE * self._stage.oversampling**2)

    def _target(self, rng: np.random.Generator) -> tuple[np.ndarray, str, bool]:
        """A point (3,) [m] in map worth looking at, the furniture it is on or in, and whether that is closed in."""
        names = list(self._stage.world.placements)
        if names and rng.random() < 0.85:
            placement = self._stage.world.placements[names[int(rng.integers(len(names)))]]
            point = self._stage.world.data.joint(placement.thing.name).qpos[:3].copy()
            return point, placement.thing.receptacle, self.scenery.encloses(placement)
        piece = self._house.furniture[int(rng.integers(len(self._house.furniture)))]
        decks = furniture_model(piece).decks
        height = decks[int(rng.integers(len(decks)))].height if decks else 0.6
        return np.array([*piece.pose[:2], height]), piece.name, False


def _worth(kind: ViewKind, frame: CameraFrame) -> bool:
    """True if a view shows something, and not one thing alone from too near."""
    assert frame.instances is not None
    counts = np.bincount(frame.instances[::4, ::4].ravel())
    share = counts / counts.sum()
    near = ((frame.depth > 0) & (frame.depth < _SHARP)).mean()
    return bool(1 - share[0] >= _LEAST[kind] and share[1:].max(initial=0) <= _MOST and near <= _TOO_NEAR)


def reduced(frame: CameraFrame, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Colour uint8 (H, W, 3), depth float32 (H, W) [m] and numbers uint16 (H, W) of a `frame`, `n` times smaller on
    each side: the colour averaged, as a sensor's pixels do."""
    assert frame.instances is not None
    height, width = frame.depth.shape
    blocks = frame.rgb.reshape(height // n, n, width // n, n, 3)
    rgb = frame.rgb if n == 1 else blocks.mean(axis=(1, 3), dtype=np.float32).astype(np.uint8)
    return rgb, frame.depth[::n, ::n], frame.instances[::n, ::n].astype(np.uint16)


def labels_of(stage: Stage, instances: np.ndarray, depth: np.ndarray, held: str | None) -> tuple[InstanceLabel, ...]:
    """Of numbers uint16 (H, W) and true depth (H, W) [m]; `held`: what is in the gripper."""
    count = len(stage.things) + 1
    pixels = np.bincount(instances.ravel(), minlength=count)
    sums = np.bincount(instances.ravel(), depth.ravel(), minlength=count)
    boxes = ndimage.find_objects(instances, count - 1)
    found = []
    for i in np.flatnonzero(pixels[1:]) + 1:
        thing, (rows, columns) = stage.things[i - 1], boxes[i - 1]
        found.append(InstanceLabel(
            id=int(i), name=thing.name, category=thing.category, kind=thing.kind, color=thing.color,
            states=stage.states(thing),
            openness=_openness(stage, thing.name) if thing.kind == "part" else None, held=thing.name == held,
            mesh=thing.mesh, pixels=int(pixels[i]), distance=round(float(sums[i] / pixels[i]), 3),
            box=(columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start)))
    return tuple(found)


def _openness(stage: Stage, part: str) -> float:
    """0 shut, 1 as far as it goes."""
    world = stage.world
    return round(float(world.data.joint(part).qpos[0] / world.model.joint(part).range[1]), 3)
