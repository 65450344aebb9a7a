"""``dadu train detector``, from folders of pictures to a file of weights, and from that to figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dadu.core.errors import ConfigError, MissingExtra
from dadu.knowledge.embedding import default_embedder
from dadu.learning.detector.batches import Batches, homes_of
from dadu.learning.detector.calibrate import calibration_of
from dadu.learning.detector.card import card
from dadu.learning.detector.evaluate import collect, report
from dadu.learning.detector.facts import DataFolders, TrainingFacts, machine
from dadu.learning.detector.hits import HitSheet
from dadu.learning.detector.settings import TrainSettings
from dadu.learning.detector.words import taught_words
from dadu.learning.pictures.store import Split
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.weights import Calibration, metadata

WEIGHTS, CARD, SHEET = "detector.onnx", "README.md", "hits.png"
_CALIBRATION_HOMES = 12
_SHEET_PICTURES = 24


@dataclass(frozen=True)
class TrainOrder:
    """What to train, on what, for how long: hours or steps, the other 0."""

    data: Sequence[Path]
    out: Path
    settings: TrainSettings
    hours: float = 0.0
    steps: int = 0
    threads: int = 0
    """0: as many as there are cores"""
    device: str = "cpu"


def train(order: TrainOrder, tell: Callable[[str], None]) -> Path:
    """Trains, or goes on training, and writes the weights; returns their file.

    Errors: ConfigError for folders and checkpoints that do not fit; MissingExtra without PyTorch.
    """
    try:
        import onnx  # noqa: F401
        import torch
    except ModuleNotFoundError as error:
        raise MissingExtra(f"dadu train needs {error.name}: pip install -e '.[train]'") from None
    from dadu.learning.detector.export import export
    from dadu.learning.detector.training import Budget, TrainingRun, kept_words

    if order.threads:
        torch.set_num_threads(order.threads)
    folders, embedder = DataFolders(order.data), default_embedder()
    taught = kept_words(order.out) or taught_words(embedder, folders.held_out, order.settings.network.embedding)
    homes = folders.homes("train")
    batches = Batches(homes_of(homes, taught.categories), order.settings)
    run = TrainingRun(order.out, order.settings, taught, order.device)
    tell(f"{len(homes)} homes, {len(taught.categories)} categories, {len(folders.held_out)} held out; "
         f"begins at step {run.step}")
    run.train(batches, Budget(order.hours, order.steps), tell)

    facts = TrainingFacts(
        categories=run.taught.categories, held_out=folders.held_out, homes=len(homes),
        seeds=(min(h.sheet.seed for h, _ in homes), max(h.sheet.seed for h, _ in homes)), seed=order.settings.seed,
        steps=run.step, pictures=run.pictures, different=sum(h.sheet.pictures for h, _ in homes),
        hours=round(run.seconds / 3600, 2), machine=f"{machine()}; {order.device}, {torch.get_num_threads()} threads",
        parameters=sum(p.numel() for p in run.network.parameters()))
    path = order.out / WEIGHTS

    def write(calibration: Calibration) -> None:
        export(run.averaged(), metadata(run.taught.space, embedder.name, calibration, facts.model_dump_json()), path)

    write(Calibration())
    validation = folders.homes("validation")[:_CALIBRATION_HOMES]
    if validation:
        write(calibration_of(LearnedDetector(path), validation))
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
    facts = TrainingFacts.model_validate_json(detector.network.training)
    figures = report(collect(detector, homes, limit=limit, shown=sheet.add), detector, facts.held_out)
    out.mkdir(parents=True, exist_ok=True)
    (out / CARD).write_text(card(facts, figures, split, len(homes)))
    sheet.save(out / SHEET)
    return figures
