"""Training runs of the eyes: what their checkpoints keep of words, and what is said of them on cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from dadu.learning.facts import TrainingFacts, machine
from dadu.learning.pictures.store import HomePictures
from dadu.learning.training import CHECKPOINT, TrainingRun, kept_beside, unusable
from dadu.learning.words import Taught
from dadu.perception.learned.space import PhraseSpace


def checkpoint_words(taught: Taught) -> dict[str, Any]:
    """What a checkpoint keeps of it: the catalogue may change while a run goes on."""
    return {"categories": list(taught.categories), "mean": torch.from_numpy(taught.space.mean),
            "projection": torch.from_numpy(taught.space.projection), "phrases": torch.from_numpy(taught.phrases)}


def kept_words(folder: Path) -> Taught | None:
    """What the run of that folder was taught, if there is one. Errors: ConfigError where its checkpoint is damaged."""
    kept = kept_beside(folder)
    if kept is None:
        return None
    try:
        space = PhraseSpace(kept["mean"].numpy(), kept["projection"].numpy())
        return Taught(tuple(kept["categories"]), kept["phrases"].numpy(), space)
    except (KeyError, AttributeError, TypeError) as error:
        raise unusable(folder / CHECKPOINT, error) from None


def facts(run: TrainingRun, taught: Taught, homes: Sequence[tuple[HomePictures, np.ndarray]], held_out: Sequence[str],
          different: int) -> TrainingFacts:
    """For its card; `homes`: each with its intrinsics (3, 3) [px]; `different`: see there."""
    seeds = [home.sheet.seed for home, _ in homes]
    return TrainingFacts(
        categories=taught.categories, held_out=tuple(held_out), homes=len(homes), seeds=(min(seeds), max(seeds)),
        seed=run.settings.seed, steps=run.step, pictures=run.seen, different=different, hours=run.hours,
        machine=f"{machine()}; {run.device}, {torch.get_num_threads()} threads", parameters=run.parameters)
