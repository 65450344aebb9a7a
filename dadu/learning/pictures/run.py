"""Makes the pictures of many homes in several processes; goes on where a run before was stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread

from dadu.core.errors import ConfigError
from dadu.core.python_process import run_main, search_path
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.house.format import Furniture
from dadu.house.furniture.pieces import furniture_model
from dadu.learning.pictures.home import HomeOrder, make_home
from dadu.learning.pictures.settings import PictureSettings
from dadu.learning.pictures.splits import RULE, held_out_clusters
from dadu.learning.pictures.stage import part_category
from dadu.learning.pictures.store import DataSheet, PictureFolder
from dadu.sim.mujoco.camera import intrinsics
from dadu.sim.settings import CameraSettings


@dataclass(frozen=True)
class MakingEvent:
    """What a worker tells: a picture more, or, with `home`, that one is whole; `failed`: why it never will be."""

    home: str = ""
    failed: str = ""


_PICTURE = MakingEvent()


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
    waiting: SimpleQueue[HomeOrder] = SimpleQueue()
    for order in orders:
        if not folder.has(order.name):
            waiting.put(order)
    told: SimpleQueue[MakingEvent] = SimpleQueue()
    hands = [_Hand(folder.path, waiting, told) for _ in range(min(workers, waiting.qsize()))]
    try:
        while any(hand.is_alive() for hand in hands) or not told.empty():
            try:
                yield told.get(timeout=0.2)
            except Empty:
                continue
    finally:
        for hand in hands:
            hand.stop()
        folder.clean()


class _Hand(Thread):
    """Gives one process after the other's orders to it, and a new process its orders where one died."""

    def __init__(self, folder: Path, waiting: SimpleQueue[HomeOrder], told: SimpleQueue[MakingEvent]) -> None:
        super().__init__(daemon=True)
        self._folder, self._waiting, self._told = folder, waiting, told
        self._ended = Event()
        self._process = self._new_process()
        self.start()

    def run(self) -> None:
        while not self._ended.is_set():
            try:
                order = self._waiting.get_nowait()
            except Empty:
                break
            if self._process.poll() is not None:
                self._process = self._new_process()
            self._make(order)
        self.stop()

    def stop(self) -> None:
        """Ends the process."""
        self._ended.set()
        self._process.terminate()
        self._process.wait()

    def _make(self, order: HomeOrder) -> None:
        """Tells every picture, and what became of the home."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(asdict(order)) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it died just now: there is no answer to come
        for line in self._process.stdout:
            event = MakingEvent(**json.loads(line))
            self._told.put(event)
            if event.home:
                return
        if not self._ended.is_set():
            self._told.put(MakingEvent(order.name, f"the worker died with exit code {self._process.wait()}"))

    def _new_process(self) -> subprocess.Popen[str]:
        # Workers share the cores among themselves; so would the threads of a renderer without a GPU.
        environment = {**os.environ, **search_path(), "OMP_NUM_THREADS": "1", "LP_NUM_THREADS": "1"}
        # In a session of its own: Ctrl-C is for the parent, which ends its workers.
        return subprocess.Popen(run_main("dadu.learning.pictures.run", str(self._folder)), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True)


def main() -> None:
    """A worker: its one argument is the picture folder. Takes orders, a line each, until it is hung up on."""
    folder = PictureFolder(Path(sys.argv[1]))
    settings = folder.sheet.settings
    for line in sys.stdin:
        order = HomeOrder(**json.loads(line))
        try:
            make_home(order, settings, folder.path, done=lambda: _tell(_PICTURE))
            _tell(MakingEvent(order.name))
        except ConfigError as error:
            _tell(MakingEvent(order.name, str(error)))


def _tell(event: MakingEvent) -> None:
    """A parent that is gone ends the worker: BrokenPipeError."""
    sys.stdout.write(json.dumps(asdict(event)) + "\n")
    sys.stdout.flush()
