"""``dadu train namer``, from folders of pictures to the file of weights that names things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dadu.core.errors import ConfigError
from dadu.knowledge.embedding import default_embedder
from dadu.learning.facts import DataFolders, TrainingFacts
from dadu.learning.namer.batches import CropBatches
from dadu.learning.namer.crops import kept_crops
from dadu.learning.namer.settings import NamerSettings
from dadu.learning.order import TrainOrder, ready
from dadu.learning.words import Taught, taught_words
from dadu.perception.learned.cutter import Cutter
from dadu.perception.learned.namer import FILE, Namer, namer_metadata
from dadu.perception.learned.naming import names_of, phrases_for

WORK, CROPS = "namer", "crops"
"""folders: of checkpoints beside the detector's, of crops in it"""


@dataclass(frozen=True)
class NamerOrder(TrainOrder[NamerSettings]):
    """What to train, and what with."""

    base: Path | None = None
    """weights of a namer to begin with, in place of random ones"""
    cut_by: Path | None = None
    """weights of a detector, by whose masks things are cut out, too"""


def train(order: NamerOrder, tell: Callable[[str], None]) -> Path:
    """Trains the network that names things, or goes on training it, and writes the weights; returns their file.

    Errors: ConfigError for folders and checkpoints that do not fit; MissingExtra without PyTorch.
    """
    ready(order)
    import torch

    from dadu.learning.budget import Budget
    from dadu.learning.export import export
    from dadu.learning.lessons import checkpoint_words, facts, kept_words
    from dadu.learning.namer.losses import losses
    from dadu.learning.namer.network import NamerNetwork, signature
    from dadu.learning.pretrained import take_over
    from dadu.learning.training import TrainingRun

    folders, embedder, work = DataFolders(order.data), default_embedder(), order.out / WORK
    base = Namer(order.base) if order.base else None
    taught = kept_words(work) or (_taught_by(base, folders) if base else
                                  taught_words(embedder, folders.held_out, order.settings.network.embedding))
    homes = folders.homes("train")
    cutter = Cutter(order.cut_by, embedder) if order.cut_by else None
    crops = kept_crops(work / CROPS, homes, taught.categories, order.settings.crops, tell, cutter)
    batches = CropBatches(crops, order.settings, order.processes)
    network = NamerNetwork(order.settings.network, len(taught.categories))
    if order.base:
        first = batches.make(0)
        take_over(network, order.base, torch.from_numpy(first.pictures), torch.from_numpy(first.sizes))
    phrases = torch.from_numpy(taught.phrases).to(order.device)
    run = TrainingRun(work, order.settings, network,
                      lambda batch: losses(network, batch, phrases, order.settings), "crops", checkpoint_words(taught),
                      order.device)
    tell(f"{len(batches)} crops of {len(homes)} homes, {len(taught.categories)} categories, "
         f"{len(folders.held_out)} held out; begins at step {run.step}")
    run.train(batches, Budget(order.hours, order.steps), tell)
    told = facts(run, taught, homes, folders.held_out, len(batches)).model_copy(update={
        "base": base and TrainingFacts.model_validate_json(base.training)})
    path = order.out / FILE
    export(run.averaged(), signature(), namer_metadata(taught.space, embedder.name, told.model_dump_json()), path)
    tell(f"wrote {path}, {path.stat().st_size / 1e6:.1f} MB")
    return path


def _taught_by(base: Namer, folders: DataFolders) -> Taught:
    """What that one was taught: its words stay where they are. Errors: ConfigError where it knows what these folders
    hold out."""
    facts = TrainingFacts.model_validate_json(base.training)
    if facts.held_out != folders.held_out:
        raise ConfigError("the namer to begin with was trained on other pictures: it does not hold out the same "
                          "categories")
    vectors = phrases_for(base.encoder, default_embedder()).embed_lists([names_of(c) for c in facts.categories])
    return Taught(facts.categories, base.space.mean_of_names(vectors), base.space)
