"""``dadu train namer``: from folders of pictures to the file of weights that names things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dadu.core.errors import ConfigError
from dadu.knowledge.embedding import default_embedder
from dadu.learning.detector.recipe import WEIGHTS as DETECTOR
from dadu.learning.detector.recipe import DetectorRecipe
from dadu.learning.detector.settings import TrainSettings
from dadu.learning.namer.batches import CropBatches, crops_of
from dadu.learning.namer.settings import NamerSettings
from dadu.learning.recipe.crops import kept_crops
from dadu.learning.recipe.eyes import EyesFile
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.learning.recipe.lesson import Lesson, Tell
from dadu.learning.recipe.order import EvaluationOrder, TrainOrder
from dadu.learning.recipe.recipe import Recipe, option
from dadu.learning.recipe.words import Taught, kept_words, taught_words
from dadu.perception.learned.cutter import Cutter
from dadu.perception.learned.namer import FILE, NamerWeights, namer_metadata
from dadu.perception.learned.naming import names_of, phrases_for


@dataclass(frozen=True)
class NamerRecipe(Recipe[NamerSettings]):
    """Train the network that names things.

    DIR is the detector's folder: weights go there, checkpoints to namer/ in it. Things are cut out of the pictures
    first, once. May run beside `dadu train detector`, each with --threads 1. With --evaluate: as `dadu train detector`,
    of both networks, which are measured together."""

    base: Path | None = option(None, "Begin with the weights of this file, such as models/detector/namer.onnx, in "
                                     "place of random ones.", "WEIGHTS")
    cut_by: Path | None = option(None, "Cut things out by the masks of this detector, too, such as "
                                       "models/detector/detector.onnx; best on homes that it was not trained on.",
                                 "WEIGHTS")

    kind: ClassVar[type[NamerSettings]] = NamerSettings
    out: ClassVar[Path] = Path("runs/detector")
    work: ClassVar[str] = "namer"
    examples: ClassVar[str] = "crops"

    def lesson(self, order: TrainOrder[NamerSettings], tell: Tell) -> Lesson:
        import torch

        from dadu.learning.namer.network import NamerNetwork, losses
        from dadu.learning.recipe.blocks import crop_signature
        from dadu.learning.recipe.pretrained import take_over

        settings, folders, embedder = order.settings, DataFolders(order.data), default_embedder()
        base = NamerWeights(self.base) if self.base else None
        taught = kept_words(order.out / self.work) or (
            _taught_by(base, folders) if base else taught_words(embedder, folders.held_out, settings.network.embedding))
        homes, cutter = folders.some_homes("train"), Cutter(self.cut_by, embedder) if self.cut_by else None
        index = {category: i for i, category in enumerate(taught.categories)}
        what = [list(taught.categories), settings.crops.model_dump(mode="json"),
                cutter.network.training if cutter else ""]
        crops = kept_crops(order.out / self.work / "crops", homes,
                           lambda home, K: crops_of(home, K, index, settings.crops, cutter), what, tell)
        batches = CropBatches(crops, settings, order.processes)
        network = NamerNetwork(settings.network, len(taught.categories))
        if self.base:
            first = batches.make(0)
            take_over(network, self.base, torch.from_numpy(first.pictures), torch.from_numpy(first.sizes))
        phrases = torch.from_numpy(taught.phrases).to(order.device)
        file = EyesFile(
            order.out / FILE, order, folders, homes, len(batches), taught.categories, crop_signature("embedding"),
            lambda facts, _: namer_metadata(taught.space, embedder.name, facts),
            base=TrainingFacts.model_validate_json(base.training) if base else None)
        return Lesson(
            network, lambda batch: losses(network, batch, phrases, settings), batches, settings,
            lambda trained: file.write(trained, tell),
            f"{len(batches)} crops of {len(homes)} homes, {len(taught.categories)} categories, "
            f"{len(folders.held_out)} held out", settings.average, beside=taught.beside())

    def evaluate(self, order: EvaluationOrder[NamerSettings], tell: Tell) -> Mapping[str, Any]:
        """As the detector beside it is."""
        both = EvaluationOrder(order.weights.with_name(DETECTOR), order.data, order.out, TrainSettings(), order.split,
                               order.limit)
        return DetectorRecipe().evaluate(both, tell)


def _taught_by(base: NamerWeights, folders: DataFolders) -> Taught:
    """What that one was taught: its words stay where they are. Errors: ConfigError where it knows what these folders
    hold out."""
    facts = TrainingFacts.model_validate_json(base.training)
    if facts.held_out != folders.held_out:
        raise ConfigError("the namer to begin with was trained on other pictures: it does not hold out the same "
                          "categories")
    vectors = phrases_for(base.encoder, default_embedder()).embed_lists([names_of(c) for c in facts.categories])
    return Taught(facts.categories, base.space.mean_of_names(vectors), base.space)
