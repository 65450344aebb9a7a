"""Makes the pictures of many homes in several processes; goes on where a run before was stopped."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from dadu.house.catalogue import furniture_categories, object_categories
from dadu.house.format import Furniture
from dadu.house.furniture.pieces import furniture_model
from dadu.learning.pictures.home import HomeOrder, make_home
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.pictures.splits import RULE, held_out_clusters
from dadu.learning.pictures.stage import part_category
from dadu.learning.pictures.store import DataSheet, PictureFolder
from dadu.learning.workers import MakingEvent, make_in_processes, serve
from dadu.sim.mujoco.camera import intrinsics
from dadu.sim.settings import CameraSettings


def begin(out: Path, settings: PictureSettings) -> PictureFolder:
    """The folder, new or the same again. Errors: ConfigError where it was made with other settings."""
    folder = PictureFolder(out)
    folder.begin(data_sheet(settings))
    return folder


def data_sheet(settings: PictureSettings) -> DataSheet:
    """What holds for all pictures made with these settings."""
    K = intrinsics(CameraSettings(width=settings.width, height=settings.height,
                                  field_of_view=settings.field_of_view)).tolist()
    pieces = [Furniture(name=name, category=name, room="room", pose=(0, 0, 0)) for name in furniture_categories()]
    parts = {part_category(part.name) for piece in pieces for part in furniture_model(piece).parts}
    return DataSheet(settings=settings, K=K, split_rule=RULE,
                     held_out=held_out_clusters(settings.held_out, settings.held_out_seed),
                     categories={"object": tuple(object_categories()), "furniture": tuple(furniture_categories()),
                                 "part": tuple(sorted(parts))})


def make_pictures(folder: PictureFolder, orders: Sequence[HomeOrder], workers: int) -> Iterator[MakingEvent]:
    """Makes the homes that are missing, `workers` at a time. Left early, it ends its processes, and what they had half
    done is thrown away."""
    missing = {order.name: asdict(order) for order in orders if not folder.has(order.name)}
    try:
        yield from make_in_processes(("dadu.learning.pictures.run", str(folder.path)), missing, workers)
    finally:
        folder.clean()


def main() -> None:
    """A worker: its one argument is the picture folder."""
    folder = PictureFolder(Path(sys.argv[1]))
    settings = folder.sheet.settings
    serve(lambda order, done: make_home(HomeOrder(**order), settings, folder.path, done))
