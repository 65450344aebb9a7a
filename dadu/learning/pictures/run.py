"""Makes the pictures of many homes; goes on where a run before was stopped."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from dadu.core.work import Workers, WorkEvent, kept
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.house.format import Furniture
from dadu.house.furniture.pieces import furniture_model
from dadu.learning.pictures.home import HomeOrder, make_home
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.pictures.splits import RULE, held_out_clusters
from dadu.learning.pictures.stage import part_category
from dadu.learning.pictures.store import HOMES, DataSheet, PictureFolder
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


def make_pictures(folder: PictureFolder, orders: Sequence[HomeOrder], workers: Workers
                  ) -> Iterator[WorkEvent[HomeOrder, Mapping[str, bytes]]]:
    """Makes the homes that are missing; a part is a picture. The same pictures whoever works."""
    missing = [order for order in orders if not folder.has(order.name)]
    events = workers.events(partial(home_pictures, settings=folder.sheet.settings), missing)
    return kept(events, lambda order, made: folder.add(order.name, made))


def home_pictures(order: HomeOrder, settings: PictureSettings) -> Generator[None, None, Mapping[str, bytes]]:
    """All of one home, one after the other: the contents of its files by name. Errors: as of `make_home`."""
    with TemporaryDirectory() as place:
        yield from make_home(order, settings, Path(place))
        return {path.name: path.read_bytes() for path in (Path(place) / HOMES / order.name).iterdir()}
