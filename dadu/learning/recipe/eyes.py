"""What the networks have in common that see: a file of ONNX comes of them, calibrated on homes of split validation,
with the facts of the training in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dadu.learning.recipe.crops import Homes
from dadu.learning.recipe.facts import DataFolders, TrainingFacts, machine
from dadu.learning.recipe.lesson import Tell, TrainedNetwork
from dadu.learning.recipe.order import TrainOrder

if TYPE_CHECKING:
    from dadu.learning.recipe.export import Signature


@dataclass(frozen=True)
class EyesFile:
    """What becomes of a network that was trained on pictures."""

    path: Path
    order: TrainOrder[Any]
    folders: DataFolders
    homes: Homes
    """that it learned from"""
    different: int
    """examples there are"""
    categories: tuple[str, ...]
    """that were taught"""
    signature: Signature
    metadata: Callable[[str, Any], Mapping[str, str]]
    """of facts as JSON, and of what `calibrated` returned, None before: what the file tells"""
    calibrated: Callable[[Path, Homes], Any] | None = None
    """what makes chances of what these weights say, by these homes; None: nothing does"""
    base: TrainingFacts | None = None
    """of the weights that it began with"""

    def write(self, trained: TrainedNetwork, tell: Tell) -> Path:
        """Once, or where it is calibrated, twice; returns the path."""
        from dadu.learning.recipe.export import export

        facts = self._facts(trained).model_dump_json()
        export(trained.network, self.signature, self.metadata(facts, None), self.path)
        validation = self.folders.homes("validation")
        if self.calibrated and validation:
            found = self.calibrated(self.path, validation)
            export(trained.network, self.signature, self.metadata(facts, found), self.path)
        lacking = "; no home of split validation: its scores are not calibrated"
        tell(f"wrote {self.path}, {self.path.stat().st_size / 1e6:.2f} MB"
             + (lacking if self.calibrated and not validation else ""))
        return self.path

    def _facts(self, trained: TrainedNetwork) -> TrainingFacts:
        import torch

        seeds = [home.sheet.seed for home, _ in self.homes]
        return TrainingFacts(
            categories=self.categories, held_out=self.folders.held_out, homes=len(seeds),
            seeds=(min(seeds), max(seeds)), seed=self.order.settings.seed, steps=trained.steps, pictures=trained.seen,
            different=self.different, hours=trained.hours, parameters=trained.parameters, base=self.base,
            machine=f"{machine()}; {self.order.device}, {torch.get_num_threads()} threads")
