"""``dadu train states``, from folders of pictures to the weights that tell states, and from these to figures."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dadu.core.errors import ConfigError
from dadu.learning.crop_records import crop_of
from dadu.learning.facts import DataFolders, TrainingFacts, machine
from dadu.learning.order import TrainOrder, ready
from dadu.learning.pictures.store import Split
from dadu.learning.states.batches import StateBatches
from dadu.learning.states.crops import UNKNOWN, kept_crops
from dadu.learning.states.figures import card, figures_of
from dadu.learning.states.settings import StateTrainSettings
from dadu.perception.states import FORMAT, STATES, StateReader, StateSettings

WEIGHTS, CARD, CROPS = "states.onnx", "README.md", "crops"
_LEAST_TAUGHT = 10
"""crops of a category, either way of a state, from which on it is told of"""
_PLAIN = [[1.0, 0.0]] * len(STATES)


def train(order: TrainOrder[StateTrainSettings], tell: Callable[[str], None]) -> Path:
    """Trains the network, or goes on training it, and writes the weights; returns their file.

    Errors: ConfigError for folders and checkpoints that do not fit; MissingExtra without PyTorch.
    """
    ready(order)
    import torch

    from dadu.learning.budget import Budget
    from dadu.learning.export import export
    from dadu.learning.states.network import StateNetwork, losses, signature
    from dadu.learning.training import TrainingRun

    folders = DataFolders(order.data)
    homes, least = folders.homes("train"), order.settings.least_pixels
    crops = kept_crops(order.out / CROPS, homes, least, tell)
    batches = StateBatches(crops, order.settings, order.processes)
    network = StateNetwork(order.settings.network)
    run = TrainingRun(order.out, order.settings, network, lambda batch: losses(network, batch), "crops",
                      device=order.device)
    tell(f"{len(batches)} crops of {len(homes)} homes; begins at step {run.step}")
    run.train(batches, Budget(order.hours, order.steps), tell)

    told, seeds = _taught(crops), [home.sheet.seed for home, _ in homes]
    facts = TrainingFacts(
        categories=tuple(told), held_out=folders.held_out, homes=len(homes), seeds=(min(seeds), max(seeds)),
        seed=run.settings.seed, steps=run.step, pictures=run.seen, different=len(batches), hours=run.hours,
        machine=f"{machine()}; {run.device}, {torch.get_num_threads()} threads", parameters=run.parameters)
    path = order.out / WEIGHTS

    def write(calibration: Sequence[Sequence[float]]) -> None:
        beside = {"format": FORMAT, "told": json.dumps(told), "calibration": json.dumps(calibration),
                  "training": facts.model_dump_json()}
        export(run.averaged(), signature(), beside, path)

    write(_PLAIN)
    validation = kept_crops(order.out / CROPS, folders.homes("validation"), least, tell)
    if validation:
        write(_calibration(StateReader(path), np.concatenate(validation)))
    tell(f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB"
         + ("" if validation else "; no home of split validation: its chances are not calibrated"))
    return path


def evaluate(weights: Path, data: Sequence[Path], split: Split, out: Path, detector: Path | None = None
             ) -> dict[str, Any]:
    """Figures on homes of a split; the card goes to `out`. With a `detector`'s weights also of what it finds, by the
    names that it gives. Errors: ConfigError for unusable weights, or where there is no such home."""
    reader, folders = StateReader(weights, StateSettings(most=sys.maxsize)), DataFolders(data)
    homes = folders.homes(split)
    if not homes:
        raise ConfigError(f"no home of split {split} in {', '.join(map(str, data))}; make some with: "
                          f"dadu data pictures --split {split}")
    figures = figures_of(reader, homes, detector)
    out.mkdir(parents=True, exist_ok=True)
    (out / CARD).write_text(card(TrainingFacts.model_validate_json(reader.training), figures, split))
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
    from dadu.learning.detector.calibrate import calibrated

    chances = np.clip(reader.chances([crop_of(record) for record in records]), 1e-6, 1 - 1e-6)
    logits, states = np.log(chances / (1 - chances)), records["states"]
    out = []
    for k in range(len(STATES)):
        shows = states[:, k] != UNKNOWN
        curve = calibrated(logits[shows, k:k + 1], states[shows, k] == 1)
        out.append([curve.weights[0], curve.bias] if shows.any() and len(curve.weights) == 1 else [1.0, 0.0])
    return out
