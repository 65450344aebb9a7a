"""Recorded runs as episodes to learn from: every skill or task of each, however it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.learning.episodes.dataset import EpisodeDataset, EpisodeRows, Ledger, features, thinned
from dadu.learning.episodes.recording import RecordedSpan, RecordedTracks
from dadu.operator.run.run_info import read_privilege_report
from dadu.replay.bag import Bag
from dadu.robots.loader import load_robot
from dadu.robots.vectors import action_names, joint_names, state_names

_BETWEEN = -1
"""the step and the outcome of a frame between two skills"""


@dataclass(frozen=True)
class EpisodesOrder:
    """How a dataset is made."""

    out: Path
    fps: int = 10
    each: Literal["skill", "task"] = "skill"
    width: int = 0
    """of the pictures [px], at most; 0: as they are"""
    robot: str = ""
    """empty: as the runs say"""


def write_episodes(runs: Sequence[Path], order: EpisodesOrder) -> Iterator[tuple[Path, int]]:
    """Writes them; yields each run and how many episodes it gave, 0 for one that is in the dataset already. Stopped or
    killed, the same goes on after the last whole run.

    Errors: ConfigError for a dataset made otherwise, runs of several robots or none at all; UnusableBag, NotUsable.
    """
    dataset: EpisodeDataset | None = None
    for path in runs:
        with Bag(path) as bag:
            name = order.robot or str(bag.arguments.get("robot", ""))
            if not name:
                raise ConfigError(f"{path} does not say which robot it is of; name it by --robot")
            if dataset is not None and name != dataset.ledger.robot:
                raise ConfigError(f"{path} is of {name}, what was before of {dataset.ledger.robot}: one dataset is of "
                                  "one robot")
            if dataset is not None and dataset.has(_source(path)):
                yield path, 0
                continue
            run = _Run(path, bag, load_robot(name), order)
            dataset = dataset or run.dataset()
            yield path, 0 if dataset.has(_source(path)) else run.write(dataset)
    if dataset is None:
        raise ConfigError("no run is named")
    dataset.finish()


def _source(path: Path) -> str:
    return str(path.resolve())


class _Run:
    def __init__(self, path: Path, bag: Bag, robot: RobotDescription, order: EpisodesOrder) -> None:
        self._path, self._bag, self._robot, self._order = path, bag, robot, order
        self._recording = RecordedTracks(bag, robot)
        self._skills = self._recording.skills()

    def dataset(self) -> EpisodeDataset:
        """That which this run is of."""
        first = next(self._recording.pictures(np.zeros(1), self._order.width))
        found = features(state_names(self._robot), action_names(self._robot), list(joint_names(self._robot)),
                         (first.shape[0], first.shape[1]), self._order.fps)
        how = Ledger(robot=self._robot.name, fps=self._order.fps, each=self._order.each, width=self._order.width,
                     by=True, features=found)
        return EpisodeDataset(self._order.out, how)

    def write(self, dataset: EpisodeDataset) -> int:
        spans = self._skills if self._order.each == "skill" else self._recording.tasks()
        grids = [(span, np.arange(span.start, span.end, 1 / self._order.fps)) for span in spans]
        kept = [(span, stamps) for span, stamps in grids if len(stamps) >= 2]
        episodes = [self._episode(span, stamps) for span, stamps in kept]
        if kept:
            pictures = self._recording.pictures(np.concatenate([stamps for _, stamps in kept]), self._order.width)
            with dataset.film() as film:
                for (_, stamps), episode in zip(kept, episodes, strict=True):
                    for _ in stamps:
                        picture = next(pictures)
                        film.add(picture)
                        episode.pixels.append(thinned(picture))
            dataset.add(_source(self._path), episodes, self._notes(len(grids) - len(kept)))
        return len(kept)

    def _notes(self, left_out: int) -> list[str]:
        notes = [f"{left_out} that ended at once left out"] if left_out else []
        if not self._recording.commanded:
            notes.append("what joints were commanded is not in the bag: where they were a frame later stands for it")
        return notes + ([self._bag.damage] if self._bag.damage else [])

    def _episode(self, span: RecordedSpan, stamps: np.ndarray) -> EpisodeRows:
        step, outcome = self._labels(stamps)
        done = np.arange(len(stamps)) == len(stamps) - 1
        told = read_privilege_report(self._bag_folder())
        about: dict[str, Any] = {
            "run": self._path.name, "instruction": span.instruction, "skill": span.call,
            "outcome": span.result.code.name, "outcome_code": int(span.result.code), "detail": span.result.detail,
            "by": span.result.by,
            "message": span.result.message, "after": span.after, "privileges": told.line if told is not None else ""}
        return EpisodeRows(span.task, {
            "observation.state": self._recording.state(stamps), "observation.effort": self._recording.effort(stamps),
            "action": self._recording.action(stamps, 1 / self._order.fps), "step": step, "outcome": outcome,
            "next.done": done, "next.success": done & span.result.code.ok}, about)

    def _labels(self, stamps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(N,) and (N,): the number of the skill that runs, and the code by which it will end."""
        step, outcome = np.full(len(stamps), _BETWEEN), np.full(len(stamps), _BETWEEN)
        for number, skill in enumerate(self._skills):
            during = (stamps >= skill.start - 1e-9) & (stamps < skill.end)
            step[during], outcome[during] = number, int(skill.result.code)
        return step, outcome

    def _bag_folder(self) -> Path:
        return self._path if self._path.is_dir() and not (self._path / "metadata.yaml").exists() else self._path.parent
