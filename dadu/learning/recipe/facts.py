"""What a network's file tells of its training, for its card and its evaluation."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dadu.core.config import Settings
from dadu.core.errors import ConfigError
from dadu.learning.pictures.store import HomePictures, PictureFolder, Split


class TrainingFacts(Settings):
    """Carried in the file's metadata as JSON."""

    categories: tuple[str, ...]
    """that were taught"""
    held_out: tuple[str, ...]
    """that no home of training held"""
    homes: int
    seeds: tuple[int, int]
    """least and greatest of those homes"""
    seed: int
    """of weights and of the order of pictures"""
    steps: int
    pictures: int
    """seen, with repetitions; of the namer crops, in both"""
    different: int
    """pictures there are"""
    hours: float
    """spent on steps"""
    machine: str
    parameters: int
    quantised: bool = False
    """convolutions in 8 bits"""
    base: TrainingFacts | None = None
    """of the weights that it began with, where those were not random"""


class DataFolders:
    """Folders of labelled pictures, taken together."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Errors: ConfigError for a folder that is none, or where one holds out what another shows in training."""
        self.folders = [PictureFolder(path) for path in paths]
        self.held_out = tuple(sorted({c for f in self.folders for cluster in f.sheet.held_out for c in cluster}))
        kept = {frozenset(c for cluster in folder.sheet.held_out for c in cluster) for folder in self.folders}
        if len(kept) > 1:
            raise ConfigError("these folders hold out different categories; give folders of the same settings")

    def homes(self, split: Split) -> list[tuple[HomePictures, np.ndarray]]:
        """The homes of a split, each with the intrinsics (3, 3) [px] of its pictures."""
        return [(home, np.array(folder.sheet.K)) for folder in self.folders for home in folder.homes(split)]

    def some_homes(self, split: Split) -> list[tuple[HomePictures, np.ndarray]]:
        """As `homes`, with intrinsics (3, 3) [px]. Errors: ConfigError where there is none."""
        found = self.homes(split)
        if not found:
            raise ConfigError(f"no home of split {split} in {', '.join(str(folder.path) for folder in self.folders)}; "
                              f"make some with: dadu data pictures --split {split}")
        return found


def machine() -> str:
    """This one, in words."""
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}"
