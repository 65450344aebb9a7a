"""``dadu train detector``: from labelled pictures to the weights that cut pictures into things, and to figures of both
networks of the eyes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dadu.core.errors import ConfigError
from dadu.knowledge.embedding import default_embedder
from dadu.learning.detector.batches import Batches, homes_of
from dadu.learning.detector.calibrate import calibration_of
from dadu.learning.detector.card import write
from dadu.learning.detector.evaluate import collect, report
from dadu.learning.detector.hits import HitSheet
from dadu.learning.detector.settings import TrainSettings
from dadu.learning.recipe.eyes import EyesFile
from dadu.learning.recipe.facts import DataFolders, TrainingFacts
from dadu.learning.recipe.lesson import Lesson, Tell
from dadu.learning.recipe.order import EvaluationOrder, TrainOrder
from dadu.learning.recipe.recipe import Recipe
from dadu.learning.recipe.words import kept_words, taught_words
from dadu.perception.learned.cutter import Cutter
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.weights import Calibration, metadata

WEIGHTS, SHEET = "detector.onnx", "hits.png"
_CALIBRATION_HOMES = 12
_SHEET_PICTURES = 24


@dataclass(frozen=True)
class DetectorRecipe(Recipe[TrainSettings]):
    """Train the network that finds things, or evaluate it with the one that names them.

    With --evaluate: mask AP50, recall and naming on homes that were never trained on, a model card (README.md) and a
    sheet of hits and misses (hits.png)."""

    kind: ClassVar[type[TrainSettings]] = TrainSettings
    out: ClassVar[Path] = Path("runs/detector")
    examples: ClassVar[str] = "pictures"

    def lesson(self, order: TrainOrder[TrainSettings], tell: Tell) -> Lesson:
        import torch

        from dadu.learning.detector.network import DetectorNetwork, losses, signature

        settings, folders, embedder = order.settings, DataFolders(order.data), default_embedder()
        taught = kept_words(order.out) or taught_words(embedder, folders.held_out, settings.network.embedding)
        homes = folders.some_homes("train")
        network, phrases = DetectorNetwork(settings.network), torch.from_numpy(taught.phrases).to(order.device)
        file = EyesFile(
            order.out / WEIGHTS, order, folders, homes, sum(home.sheet.pictures for home, _ in homes),
            taught.categories, signature(),
            lambda facts, curves: metadata(taught.space, embedder.name, curves or Calibration(), facts),
            lambda path, some: calibration_of(Cutter(path, embedder), some[:_CALIBRATION_HOMES]))
        return Lesson(
            network, lambda batch: losses(network, batch, phrases, settings.loss),
            Batches(homes_of(homes, taught.categories), settings, order.processes), settings,
            lambda trained: file.write(trained, tell),
            f"{len(homes)} homes, {len(taught.categories)} categories, {len(folders.held_out)} held out",
            settings.average, beside=taught.beside())

    def evaluate(self, order: EvaluationOrder[TrainSettings], tell: Tell) -> Mapping[str, Any]:
        """See `Recipe`; at most `limit` pictures of each home."""
        detector, limit = LearnedDetector(order.weights), order.limit or 0
        homes = DataFolders(order.data).some_homes(order.split)
        pictures = sum(min(home.sheet.pictures, limit or home.sheet.pictures) for home, _ in homes)
        sheet = HitSheet(every=math.ceil(pictures / _SHEET_PICTURES), most=_SHEET_PICTURES)
        facts, named = (TrainingFacts.model_validate_json(network.training)
                        for network in (detector.cutter.network, detector.namer))
        if facts.held_out != named.held_out:
            raise ConfigError(f"{order.weights} and its namer were trained on different pictures: they do not hold out "
                              "the same categories")
        figures = report(collect(detector, homes, limit=limit, shown=sheet.add), facts.held_out)
        write(order.out, facts, named, figures, f"{len(homes)} homes of split {order.split}")
        sheet.save(order.out / SHEET)
        return figures
