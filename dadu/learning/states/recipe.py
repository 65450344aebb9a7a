"""``dadu train states``: from folders of pictures to the weights that tell states, and from these to figures."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from dadu.learning.detector.calibrate import calibrated
from dadu.learning.recipe.crops import Homes, crop_of, kept_crops
from dadu.learning.recipe.eyes import EyesFile
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.learning.recipe.lesson import Lesson, Tell
from dadu.learning.recipe.order import EvaluationOrder, TrainOrder
from dadu.learning.recipe.recipe import Recipe
from dadu.learning.states.batches import UNKNOWN, StateBatches, crops_of
from dadu.learning.states.figures import figures_of, write
from dadu.learning.states.settings import StateTrainSettings
from dadu.perception.states import FORMAT, STATES, StateReader, StateSettings

WEIGHTS = "states.onnx"
_LEAST_TAUGHT = 10
"""crops of a category, either way of a state, from which on it is told of"""
_PLAIN = [[1.0, 0.0]] * len(STATES)


@dataclass(frozen=True)
class StatesRecipe(Recipe[StateTrainSettings]):
    """Train the network that tells whether things are on, filled, clean, sliced.

    Things are cut out of the pictures first, once. With --evaluate: precision and recall by distance on homes that were
    never trained on, and a model card (README.md)."""

    kind: ClassVar[type[StateTrainSettings]] = StateTrainSettings
    out: ClassVar[Path] = Path("runs/states")
    examples: ClassVar[str] = "crops"

    def lesson(self, order: TrainOrder[StateTrainSettings], tell: Tell) -> Lesson:
        from dadu.learning.recipe.blocks import crop_signature
        from dadu.learning.states.network import StateNetwork, losses

        settings, folders = order.settings, DataFolders(order.data)

        def crops(homes: Homes) -> list[np.ndarray]:
            least = settings.least_pixels
            return kept_crops(order.out / "crops", homes, lambda home, K: crops_of(home, K, least), least, tell)

        homes = folders.some_homes("train")
        batches, taught = StateBatches(crops(homes), settings, order.processes), _taught(crops(homes))
        network = StateNetwork(settings.network)
        file = EyesFile(
            order.out / WEIGHTS, order, folders, homes, len(batches), tuple(taught), crop_signature("logits"),
            lambda facts, curves: {"format": FORMAT, "told": json.dumps(taught), "training": facts,
                                   "calibration": json.dumps(curves or _PLAIN)},
            lambda path, some: _calibration(StateReader(path), np.concatenate(crops(some))))
        return Lesson(network, lambda batch: losses(network, batch), batches, settings,
                      lambda trained: file.write(trained, tell), f"{len(batches)} crops of {len(homes)} homes",
                      settings.average)

    def evaluate(self, order: EvaluationOrder[StateTrainSettings], tell: Tell) -> Mapping[str, Any]:
        """See `Recipe`."""
        reader = StateReader(order.weights, StateSettings(most=sys.maxsize))
        figures = figures_of(reader, DataFolders(order.data).some_homes(order.split))
        write(order.out, TrainingFacts.model_validate_json(reader.training), figures, order.split)
        return figures


def _taught(homes: Sequence[np.ndarray]) -> dict[str, list[str]]:
    """By category, the states that were shown of it often enough, either way."""
    category = np.concatenate([home["category"] for home in homes])
    states = np.concatenate([home["states"] for home in homes])
    told = {}
    for name in sorted(set(category.tolist())):
        mine = states[category == name]
        shown = [state for k, state in enumerate(STATES)
                 if min((mine[:, k] == 0).sum(), (mine[:, k] == 1).sum()) >= _LEAST_TAUGHT]
        if shown:
            told[name] = shown
    return told


def _calibration(reader: StateReader, records: np.ndarray) -> list[list[float]]:
    """Factor and offset of the logit of each state that make a chance of it, on homes that were not trained on."""
    chances = np.clip(reader.chances([crop_of(record) for record in records]), 1e-6, 1 - 1e-6)
    logits, states = np.log(chances / (1 - chances)), records["states"]
    out = []
    for k in range(len(STATES)):
        shows = states[:, k] != UNKNOWN
        curve = calibrated(logits[shows, k:k + 1], states[shows, k] == 1)
        out.append([curve.weights[0], curve.bias] if shows.any() and len(curve.weights) == 1 else [1.0, 0.0])
    return out
