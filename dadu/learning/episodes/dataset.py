"""A LeRobot dataset v3.0 on the disk, one run after the other: a folder is whole, or it is not there.

What is written goes to ``DIR.partial``, where a run that is not whole leaves nothing behind; only what is finished is
called DIR. Each run has a file of rows, one of episodes and a film of its own.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

import numpy as np
from pydantic import BaseModel

from dadu.core.config import parse
from dadu.core.errors import ConfigError, MissingExtra

_KEY = "2"
"""every so-manieth frame is whole, as LeRobot has it: who trains reads frames in any order"""

Statistics: TypeAlias = Mapping[str, np.ndarray]
"""min, max, mean, std and quantiles, each of the feature's shape; count (1,)"""
QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}
_THINNED = 16
"""every so-manieth row and column of a picture is enough for its statistics"""

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ModuleNotFoundError:
    raise MissingExtra("datasets of episodes need pyarrow and av: pip install -e '.[episodes]'") from None

VERSION = "v3.0"
CAMERA = "observation.images.camera"
_NUMBERED = "chunk-{chunk_index:03d}/file-{file_index:03d}"
_CHUNK = 1000
"""files of a folder"""
_INDICES = {"timestamp": "float32", "frame_index": "int64", "episode_index": "int64", "index": "int64",
            "task_index": "int64"}
_LEDGER = "meta/dadu.json"


class RunEntry(BaseModel):
    """One run of a dataset."""

    source: str
    """where it was read from"""
    episodes: int
    frames: int
    statistics: list[dict[str, Any]]
    """of each episode, by feature"""
    notes: list[str]


class Ledger(BaseModel):
    """What a dataset is made of, and how: beside LeRobot's own files, for who goes on with it."""

    robot: str
    fps: int
    each: str
    width: int
    by: bool = False
    """its table of episodes has the column `by`, which older ones lack"""
    features: dict[str, Any]
    tasks: list[str] = []
    runs: list[RunEntry] = []


@dataclass
class EpisodeRows:
    """What one episode holds beside its pictures; rows of one length."""

    task: str
    columns: dict[str, np.ndarray]
    """by feature, (N, D), or (N,) of those of one number"""
    about: dict[str, str | int]
    """columns of the table of episodes"""
    pixels: list[np.ndarray] = field(default_factory=list)
    """of its pictures, thinned"""


class EpisodeDataset:
    """Open from construction to `finish`; `add` makes a run part of it."""

    def __init__(self, out: Path, ledger: Ledger) -> None:
        """`ledger`: how it is to be made. One at `out`, or begun there, is gone on with.

        Errors: ConfigError for a folder that is none, or that was made otherwise.
        """
        self.out, self._work = out, out.with_name(out.name + ".partial")
        if not self._work.exists() and out.exists():
            if not (out / _LEDGER).exists():
                raise ConfigError(f"{out} is there already, and no dataset of episodes; choose another --out")
            begun = self._work.with_name(self._work.name + ".new")
            shutil.rmtree(begun, ignore_errors=True)
            shutil.copytree(out, begun, copy_function=os.link)
            begun.rename(self._work)
        self._work.mkdir(parents=True, exist_ok=True)
        self.ledger = self._begun(ledger)
        # Removes what belongs to no whole run.
        count = len(self.ledger.runs)
        for path in self._work.glob("**/file-*"):
            chunk, file = (int(name.split("-")[1]) for name in (path.parent.name, path.stem))
            if chunk * _CHUNK + file >= count:
                path.unlink()

    def has(self, source: str) -> bool:
        return any(run.source == source for run in self.ledger.runs)

    def film(self) -> Film:
        """For the next run's pictures."""
        path = self._path(f"videos/{CAMERA}", "mp4")
        path.parent.mkdir(parents=True, exist_ok=True)
        return Film(path, self.ledger.fps)

    def add(self, source: str, episodes: Sequence[EpisodeRows], notes: Sequence[str] = ()) -> None:
        """A run whose film is written. Its episodes, from the first to the last, are as long as the film."""
        tasks = list(self.ledger.tasks)
        tasks += [task for task in dict.fromkeys(episode.task for episode in episodes) if task not in tasks]
        statistics = [_statistics(episode) for episode in episodes]
        frames = sum(_length(episode) for episode in episodes)
        self._write_rows(episodes, tasks)
        self._write_episodes(episodes, statistics)
        entry = RunEntry(source=source, episodes=len(episodes), frames=frames, notes=list(notes),
                         statistics=[{key: {name: value.tolist() for name, value in found.items()}
                                      for key, found in by_feature.items()} for by_feature in statistics])
        self.ledger = self.ledger.model_copy(update={"tasks": tasks, "runs": [*self.ledger.runs, entry]})
        _replace(self._work / _LEDGER, self.ledger.model_dump_json())  # from here on the run is part of it

    def finish(self) -> None:
        """Writes what is said of the whole, and puts it in its place. Errors: ConfigError where nothing is in it."""
        if not self.ledger.runs or not sum(run.episodes for run in self.ledger.runs):
            raise ConfigError(f"no skill was carried out in what was read: {self.out} is not made")
        _write_tasks(self._work / "meta/tasks.parquet", self.ledger.tasks)
        _replace(self._work / "meta/stats.json", json.dumps(self._all_statistics(), indent=2))
        _replace(self._work / "meta/info.json", json.dumps(self._info(), indent=2))
        old = self.out.with_name(self.out.name + ".old")
        shutil.rmtree(old, ignore_errors=True)
        if self.out.exists():
            self.out.rename(old)
        self._work.rename(self.out)
        shutil.rmtree(old, ignore_errors=True)

    def _begun(self, ledger: Ledger) -> Ledger:
        path = self._work / _LEDGER
        if not path.exists():
            return ledger
        found = parse(Ledger, json.loads(path.read_text()), str(path))
        differ = [name for name in ("robot", "fps", "each", "width", "features")
                  if getattr(found, name) != getattr(ledger, name)]
        if differ:
            raise ConfigError(f"{self.out} was made with another {' and '.join(differ)}; choose another --out")
        return found

    @property
    def _where(self) -> dict[str, int]:
        chunk, file = divmod(len(self.ledger.runs), _CHUNK)
        return {"chunk_index": chunk, "file_index": file}

    def _path(self, folder: str, suffix: str) -> Path:
        return self._work / folder / f"{_NUMBERED.format(**self._where)}.{suffix}"

    @property
    def _counts(self) -> tuple[int, int]:
        """Episodes and frames so far."""
        return sum(run.episodes for run in self.ledger.runs), sum(run.frames for run in self.ledger.runs)

    def _write_rows(self, episodes: Sequence[EpisodeRows], tasks: list[str]) -> None:
        first_episode, first = self._counts
        columns: dict[str, list[np.ndarray]] = {}
        for number, episode in enumerate(episodes, first_episode):
            count = _length(episode)
            order = np.arange(count)
            own = {"timestamp": order / self.ledger.fps, "frame_index": order,
                   "episode_index": np.full(count, number), "index": first + order,
                   "task_index": np.full(count, tasks.index(episode.task))}
            first += count
            for name, values in (*episode.columns.items(), *own.items()):
                columns.setdefault(name, []).append(values)
        arrays = {name: _array(np.concatenate(values), self.ledger.features[name]) for name, values in columns.items()}
        _write(pa.table(arrays), self._path("data", "parquet"))

    def _write_episodes(self, episodes: Sequence[EpisodeRows], statistics: Sequence[dict[str, Statistics]]) -> None:
        (number, first), rows, shown = self._counts, [], 0
        where = self._where
        for episode, found in zip(episodes, statistics, strict=True):
            count = _length(episode)
            film = {**where, "from_timestamp": shown / self.ledger.fps,
                    "to_timestamp": (shown + count) / self.ledger.fps}
            about = {name: said for name, said in episode.about.items() if name != "by" or self.ledger.by}
            rows.append({
                "episode_index": number, "tasks": [episode.task], "length": count,
                **{f"data/{name}": value for name, value in where.items()},
                "dataset_from_index": first, "dataset_to_index": first + count,
                **{f"videos/{CAMERA}/{name}": value for name, value in film.items()},
                **{f"meta/episodes/{name}": value for name, value in where.items()}, **about,
                **{f"stats/{key}/{name}": value.tolist() for key, by_name in found.items()
                   for name, value in by_name.items()}})
            number, first, shown = number + 1, first + count, shown + count
        _write(pa.Table.from_pylist(rows), self._path("meta/episodes", "parquet"))

    def _all_statistics(self) -> dict[str, dict[str, Any]]:
        found = [by_feature for run in self.ledger.runs for by_feature in run.statistics]
        return {key: {name: value.tolist() for name, value in together(
            [{name: np.array(value) for name, value in by_feature[key].items()} for by_feature in found]).items()}
                for key in found[0]}

    def _info(self) -> dict[str, Any]:
        episodes, frames = self._counts
        return {"codebase_version": VERSION, "robot_type": self.ledger.robot, "total_episodes": episodes,
                "total_frames": frames, "total_tasks": len(self.ledger.tasks), "chunks_size": _CHUNK,
                "data_files_size_in_mb": 100, "video_files_size_in_mb": 200, "fps": self.ledger.fps,
                "splits": {"train": f"0:{episodes}"}, "data_path": f"data/{_NUMBERED}.parquet",
                "video_path": f"videos/{{video_key}}/{_NUMBERED}.mp4", "features": self.ledger.features}


def features(states: list[str], actions: list[str], efforts: list[str], shape: tuple[int, int], fps: int
             ) -> dict[str, Any]:
    """What each frame holds, as ``info.json`` says it; `shape`: height and width of the pictures [px]."""
    def vector(names: list[str]) -> dict[str, Any]:
        return {"dtype": "float32", "shape": [len(names)], "names": names}

    def one(dtype: str) -> dict[str, Any]:
        return {"dtype": dtype, "shape": [1], "names": None}
    film = {"video.height": shape[0], "video.width": shape[1], "video.codec": "h264", "video.pix_fmt": "yuv420p",
            "video.is_depth_map": False, "video.fps": fps, "video.channels": 3, "has_audio": False}
    return {CAMERA: {"dtype": "video", "shape": [*shape, 3], "names": ["height", "width", "channels"], "info": film},
            "observation.state": vector(states), "observation.effort": vector(efforts), "action": vector(actions),
            "step": one("int64"), "outcome": one("int64"), "next.done": one("bool"), "next.success": one("bool"),
            **{name: one(dtype) for name, dtype in _INDICES.items()}}


def _length(episode: EpisodeRows) -> int:
    return len(next(iter(episode.columns.values())))


def _statistics(episode: EpisodeRows) -> dict[str, Statistics]:
    rows = {name: of_rows(values.reshape(len(values), -1)) for name, values in episode.columns.items()}
    return {CAMERA: of_pictures(episode.pixels), **rows}


def _array(values: np.ndarray, feature: dict[str, Any]) -> pa.Array:
    kind = pa.bool_() if feature["dtype"] == "bool" else pa.type_for_alias(feature["dtype"])
    flat = pa.array(values.ravel(), kind)
    return flat if values.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, values.shape[1])


def _write_tasks(path: Path, tasks: list[str]) -> None:
    """As pandas writes and reads a table whose index are the tasks' words."""
    index = "__index_level_0__"
    meta = {"index_columns": [index], "column_indexes": [], "pandas_version": "2.2.0",
            "creator": {"library": "pyarrow", "version": pa.__version__},
            "columns": [{"name": "task_index", "field_name": "task_index", "pandas_type": "int64",
                         "numpy_type": "int64", "metadata": None},
                        {"name": None, "field_name": index, "pandas_type": "unicode", "numpy_type": "object",
                         "metadata": None}]}
    table = pa.table({"task_index": pa.array(range(len(tasks)), pa.int64()), index: pa.array(tasks, pa.string())})
    _write(table.replace_schema_metadata({"pandas": json.dumps(meta)}), path)


def _write(table: pa.Table, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".half")  # the one that is there may be another dataset's, too: a hard link
    pq.write_table(table, half, compression="snappy")
    half.replace(path)


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".half")
    half.write_text(text)
    half.replace(path)


class Film:
    """H.264 at a constant rate; a context manager. The file is whole once it is left."""

    def __init__(self, path: Path, fps: int) -> None:
        """Errors: MissingExtra."""
        try:
            import av
        except ModuleNotFoundError:
            raise MissingExtra("films need av: pip install -e '.[episodes]'") from None
        self._frame = av.VideoFrame.from_ndarray
        self._container = av.open(str(path), "w")
        self._stream = self._container.add_stream("libx264", rate=fps)
        self._stream.pix_fmt = "yuv420p"
        self._stream.options = {"preset": "veryfast", "crf": "23", "g": _KEY, "bf": "0"}
        self.frames = 0

    def __enter__(self) -> Film:
        return self

    def add(self, picture: np.ndarray) -> None:
        """uint8 (H, W, 3), all of one size, even in both directions."""
        if not self.frames:
            self._stream.height, self._stream.width = picture.shape[:2]
        self._container.mux(self._stream.encode(self._frame(picture, format="rgb24")))
        self.frames += 1

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None and self.frames:
            self._container.mux(self._stream.encode())
        self._container.close()


def of_rows(rows: np.ndarray) -> Statistics:
    """Of (N, D)."""
    rows = np.asarray(rows, float)
    spread = {name: np.quantile(rows, q, axis=0) for name, q in QUANTILES.items()}
    return {"min": rows.min(0), "max": rows.max(0), "mean": rows.mean(0), "std": rows.std(0),
            "count": np.array([len(rows)]), **spread}


def of_pictures(pixels: Sequence[np.ndarray]) -> Statistics:
    """Of pictures thinned by `thinned`; by channel (3, 1, 1), in shares of full brightness."""
    found = of_rows(np.concatenate(pixels).reshape(-1, 3) / 255.0)
    return {name: np.array([len(pixels)]) if name == "count" else value.reshape(3, 1, 1)
            for name, value in found.items()}


def thinned(picture: np.ndarray) -> np.ndarray:
    """uint8 (N, 3): some pixels of a picture (H, W, 3)."""
    return picture[::_THINNED, ::_THINNED].reshape(-1, 3)


def together(parts: Iterable[Statistics]) -> Statistics:
    """Of all the data of the parts; quantiles, as LeRobot has it, the parts' average."""
    parts = list(parts)
    counts = np.array([float(part["count"][0]) for part in parts])
    share = counts / counts.sum()

    def average(values: Sequence[np.ndarray]) -> np.ndarray:
        return np.tensordot(share, np.stack(values), 1)
    mean = average([part["mean"] for part in parts])
    variance = average([part["std"] ** 2 + (part["mean"] - mean) ** 2 for part in parts])
    return {"min": np.min([part["min"] for part in parts], axis=0),
            "max": np.max([part["max"] for part in parts], axis=0),
            "mean": mean, "std": np.sqrt(variance), "count": np.array([int(counts.sum())]),
            **{name: average([part[name] for part in parts]) for name in QUANTILES}}
