"""``dadu train detector``, from folders of pictures to a file of weights, and from that to figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from dadu.core.errors import ConfigError
from dadu.knowledge.embedding import default_embedder
from dadu.learning.detector.batches import Batches, homes_of
from dadu.learning.detector.calibrate import calibration_of
from dadu.learning.detector.card import card
from dadu.learning.detector.evaluate import collect, report
from dadu.learning.detector.hits import HitSheet
from dadu.learning.detector.settings import TrainSettings
from dadu.learning.facts import DataFolders, TrainingFacts
from dadu.learning.order import TrainOrder, ready
from dadu.learning.pictures.store import Split
from dadu.learning.words import taught_words
from dadu.perception.learned.cutter import Cutter
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.weights import Calibration, metadata

WEIGHTS, CARD, SHEET = "detector.onnx", "README.md", "hits.png"
_CALIBRATION_HOMES = 12
_SHEET_PICTURES = 24


def train(order: TrainOrder[TrainSettings], tell: Callable[[str], None]) -> Path:
    """Trains the network that cuts pictures into things, or goes on training it, and writes the weights; returns their
    file.

    Errors: ConfigError for folders and checkpoints that do not fit; MissingExtra without PyTorch.
    """
    ready(order)
    import torch

    from dadu.learning.budget import Budget
    from dadu.learning.detector.losses import losses
    from dadu.learning.detector.network import DetectorNetwork, signature
    from dadu.learning.export import export
    from dadu.learning.lessons import checkpoint_words, facts, kept_words
    from dadu.learning.training import TrainingRun

    folders, embedder = DataFolders(order.data), default_embedder()
    taught = kept_words(order.out) or taught_words(embedder, folders.held_out, order.settings.network.embedding)
    homes = folders.homes("train")
    batches = Batches(homes_of(homes, taught.categories), order.settings, order.processes)
    network = DetectorNetwork(order.settings.network)
    phrases = torch.from_numpy(taught.phrases).to(order.device)
    run = TrainingRun(order.out, order.settings, network,
                      lambda batch: losses(network, batch, phrases, order.settings.loss), "pictures",
                      checkpoint_words(taught), order.device)
    tell(f"{len(homes)} homes, {len(taught.categories)} categories, {len(folders.held_out)} held out; "
         f"begins at step {run.step}")
    run.train(batches, Budget(order.hours, order.steps), tell)

    different = sum(home.sheet.pictures for home, _ in homes)
    told = facts(run, taught, homes, folders.held_out, different).model_dump_json()
    path = order.out / WEIGHTS

    def write(calibration: Calibration) -> None:
        export(run.averaged(), signature(), metadata(taught.space, embedder.name, calibration, told), path)

    write(Calibration())
    validation = folders.homes("validation")[:_CALIBRATION_HOMES]
    if validation:
        write(calibration_of(Cutter(path, embedder), validation))
    tell(f"wrote {path}, {path.stat().st_size / 1e6:.1f} MB"
         + ("" if validation else "; no home of split validation: its scores are not calibrated"))
    return path


def evaluate(weights: Path, data: Sequence[Path], split: Split, out: Path, limit: int = 0) -> dict[str, object]:
    """Figures on homes of a split, at most `limit` pictures of each where given; the card and the sheet go to `out`.

    Errors: ConfigError for unusable weights, or where there is no such home.
    """
    folders, detector = DataFolders(data), LearnedDetector(weights)
    homes = folders.homes(split)
    if not homes:
        raise ConfigError(f"no home of split {split} in {', '.join(map(str, data))}; make some with: "
                          f"dadu data pictures --split {split}")
    pictures = sum(min(home.sheet.pictures, limit or home.sheet.pictures) for home, _ in homes)
    sheet = HitSheet(every=math.ceil(pictures / _SHEET_PICTURES), most=_SHEET_PICTURES)
    facts, named = (TrainingFacts.model_validate_json(network.training)
                    for network in (detector.cutter.network, detector.namer))
    if facts.held_out != named.held_out:
        raise ConfigError(f"{weights} and its namer were trained on different pictures: they do not hold out the same "
                          "categories")
    figures = report(collect(detector, homes, limit=limit, shown=sheet.add), facts.held_out)
    out.mkdir(parents=True, exist_ok=True)
    (out / CARD).write_text(card(facts, named, figures, split, len(homes)))
    sheet.save(out / SHEET)
    return figures
