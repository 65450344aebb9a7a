"""``dadu train namer``, from folders of pictures to the file of weights that names things."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dadu.knowledge.embedding import default_embedder
from dadu.learning.facts import DataFolders
from dadu.learning.namer.batches import CropBatches
from dadu.learning.namer.crops import kept_crops
from dadu.learning.namer.settings import NamerSettings
from dadu.learning.order import TrainOrder, ready
from dadu.learning.words import taught_words
from dadu.perception.learned.namer import FILE, namer_metadata

WORK, CROPS = "namer", "crops"
"""folders: of checkpoints beside the detector's, of crops in it"""


def train(order: TrainOrder[NamerSettings], tell: Callable[[str], None]) -> Path:
    """Trains the network that names things, or goes on training it, and writes the weights; returns their file.

    Errors: ConfigError for folders and checkpoints that do not fit; MissingExtra without PyTorch.
    """
    ready(order)
    import torch

    from dadu.learning.budget import Budget
    from dadu.learning.export import export
    from dadu.learning.lessons import beside, facts, kept_words
    from dadu.learning.namer.losses import losses
    from dadu.learning.namer.network import NamerNetwork, signature
    from dadu.learning.training import TrainingRun

    folders, embedder, work = DataFolders(order.data), default_embedder(), order.out / WORK
    taught = kept_words(work) or taught_words(embedder, folders.held_out, order.settings.network.embedding)
    homes = folders.homes("train")
    crops = kept_crops(work / CROPS, homes, taught.categories, order.settings.crops, tell)
    batches = CropBatches(crops, order.settings)
    network = NamerNetwork(order.settings.network, len(taught.categories))
    phrases = torch.from_numpy(taught.phrases).to(order.device)
    run = TrainingRun(work, order.settings, network,
                      lambda batch: losses(network, batch, phrases, order.settings), "crops", beside(taught),
                      order.device)
    tell(f"{len(batches)} crops of {len(homes)} homes, {len(taught.categories)} categories, "
         f"{len(folders.held_out)} held out; begins at step {run.step}")
    run.train(batches, Budget(order.hours, order.steps), tell)
    told = facts(run, taught, homes, folders.held_out, len(batches)).model_dump_json()
    path = order.out / FILE
    export(run.averaged(), signature(), namer_metadata(taught.space, embedder.name, told), path)
    tell(f"wrote {path}, {path.stat().st_size / 1e6:.1f} MB")
    return path
