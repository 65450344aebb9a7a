"""What state a thing is in, as far as its picture tells: on, filled, clean, sliced.

A small network looks at each thing that may have such a state, cut out as for the namer. What it is not sure of, what
is too small, and what it was never shown, is not said.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dadu.core.config import Settings
from dadu.core.errors import ConfigError
from dadu.core.paths import shared
from dadu.core.robot import CameraFrame
from dadu.perception.detector import Segmentation
from dadu.perception.learned.channels import FOCAL
from dadu.perception.learned.crops import AROUND, MARGIN, SIDE, Crop, View, crop, network_input
from dadu.perception.learned.onnx_file import OnnxFile
from dadu.perception.upright import quarter_turns

FORMAT = "dadu-states-1"
WEIGHTS = "models/states/states.onnx"
STATES = ("is_powered_on", "is_filled", "is_clean", "is_sliced")
"""in the order of the network's answers"""
_FINEST = 3
"""pixels that are averaged in either direction, at most: a closer look costs more than it tells"""


class StateSettings(Settings):
    """When a state is told."""

    sure: float = 0.9
    """chance, of either way, from which on"""
    least_pixels: int = 60
    """of a thing, at the focal length of training"""
    least_score: float = 0.4
    """chance that the thing is what it is called"""
    most: int = 3
    """things looked at in one picture; where there are more, they take turns"""


class StateReader:
    """The network, ready to run."""

    def __init__(self, path: Path | None = None, settings: StateSettings | None = None, threads: int = 1) -> None:
        """`path`: of weights; None: the project's. Errors: ConfigError where the file is missing, damaged, or of
        something else."""
        path = path or shared(*WEIGHTS.split("/"))
        self.settings = settings or StateSettings()
        self._turn = 0
        self._network = OnnxFile(path, FORMAT, 2, ["logits"], "dadu train states", threads)
        try:
            self.training: str = self._network.metadata["training"]
            """JSON, see `TrainingFacts`"""
            # By category. Errors: ValueError for what is none of `STATES`, TypeError.
            states = json.loads(self._network.metadata["told"])
            told = {str(category): tuple(each) for category, each in dict(states).items()}
            if unknown := {state for each in told.values() for state in each} - set(STATES):
                raise ValueError(f"there is no state {sorted(unknown)[0]!r}")
            self._told = told
            self._scale = np.array(json.loads(self._network.metadata["calibration"]), np.float32)
            if self._scale.shape != (len(STATES), 2) or not np.isfinite(self._scale).all():
                raise ValueError("the calibration is not two numbers a state")
        except (KeyError, ValueError, TypeError) as error:
            raise ConfigError(f"{path}: what belongs to the network is damaged: {error}") from None

    def tells(self, category: str) -> Sequence[str]:
        """Predicates of the states that it can tell of such a thing."""
        return self._told.get(category, ())

    def read(self, frame: CameraFrame, found: Segmentation) -> Segmentation:
        """The same segments, with their states."""
        asked = self._asked(frame, found)
        if not asked:
            return found
        chances = self.chances([cut_out(frame, found, i) for i in asked])
        return found.with_states({i: self._sure(found.segments[i].label, row) for i, row in zip(asked, chances)})

    def chances(self, crops: Sequence[Crop]) -> np.ndarray:
        """float32 (N, states), unitless, 0 to 1: that each thing is in each of `STATES`."""
        logits, = self._network.run(*network_input(crops))
        scaled = logits * self._scale[:, 0] + self._scale[:, 1]
        chances: np.ndarray = 1 / (1 + np.exp(-np.clip(scaled, -30, 30)))
        return chances

    def _asked(self, frame: CameraFrame, found: Segmentation) -> list[int]:
        """Segments worth a closer look, whose turn it is."""
        settings = self.settings
        may = [i for i, segment in enumerate(found.segments)
               if segment.score >= settings.least_score and self.tells(segment.label) and found.boxes[i] is not None]
        least = settings.least_pixels * (frame.K[0, 0] / FOCAL) ** 2
        large = [i for i in may if np.count_nonzero(found.labels[found.boxes[i]] == i + 1) >= least]
        if len(large) <= settings.most:
            return large
        first, self._turn = self._turn % len(large), self._turn + settings.most
        return [*large[first:], *large[:first]][:settings.most]

    def _sure(self, category: str, chances: np.ndarray) -> dict[str, float]:
        told = {state: float(chances[STATES.index(state)]) for state in self.tells(category)}
        return {state: chance for state, chance in told.items() if max(chance, 1 - chance) >= self.settings.sure}


def cut_out(frame: CameraFrame, found: Segmentation, index: int) -> Crop:
    """Segment `index`, which has pixels, as the network is given it: upright. Only that part of the picture is touched,
    of what is large only every so manieth pixel."""
    box = found.boxes[index]
    assert box is not None
    side = AROUND * max(part.stop - part.start for part in box) + MARGIN * frame.K[0, 0] / FOCAL
    step = math.ceil(side / (_FINEST * SIDE))
    rows, columns = (_around(part, side, size, step) for part, size in zip(box, frame.depth.shape))
    K = (frame.K - np.array([[0, 0, columns.start], [0, 0, rows.start], [0, 0, 0]])) / [[step], [step], [1]]
    part = CameraFrame(frame.stamp, frame.rgb[rows, columns], frame.depth[rows, columns], K, frame.T_map_camera)
    mask = np.rot90(found.labels[rows, columns] == index + 1, quarter_turns(frame.T_map_camera[:3, :3]))
    return crop(View.from_frame(part), mask)


def _around(part: slice, side: float, size: int, step: int) -> slice:
    """Every `step`-th row or column of the square that is cut out, as far as the picture, of that `size`, goes; all in
    pixels."""
    middle, half = (part.start + part.stop) / 2, side / 2 + 2 * step
    return slice(max(0, int(middle - half)), min(size, int(middle + half) + 1), step)
