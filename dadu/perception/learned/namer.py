"""The namer: a second, smaller network that looks at each thing by itself, as large as it can be had.

What a thing is takes a far closer look than where it is: a few hundred pixels of a thing decide, and the others of the
picture only cost. So things are cut out and named one by one, as with the regions of Mask R-CNN (He et al. 2017).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dadu.core.errors import ConfigError
from dadu.perception.learned.crops import Crop, network_input
from dadu.perception.learned.onnx_file import OnnxFile
from dadu.perception.learned.space import PhraseSpace, space_of, space_text, unit

FORMAT = "dadu-namer-1"
FILE = "namer.onnx"
"""beside the detector's file"""


class NamerWeights:
    """The network, ready to run."""

    def __init__(self, path: Path, threads: int = 1) -> None:
        """Errors: ConfigError where the file is missing, damaged, or of something else."""
        self._network = OnnxFile(path, FORMAT, 2, ["embedding"], "dadu train namer", threads)
        try:
            self.encoder: str = self._network.metadata["encoder"]
            self.training: str = self._network.metadata["training"]
            """JSON, see `TrainingFacts`"""
            self.taught = frozenset(map(str, json.loads(self.training).get("categories", ())))
            """categories of objects; none: nobody says"""
            self.space = space_of(self._network.metadata)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise ConfigError(f"{path}: what belongs to the network is damaged: {error}") from None

    def embeddings(self, crops: Sequence[Crop]) -> np.ndarray:
        """float32 (N, D), rows of unit length, in `space`. Errors: as of `vectors`."""
        return unit(self.vectors(crops))

    def vectors(self, crops: Sequence[Crop]) -> np.ndarray:
        """float32 (N, D), unitless: embeddings as the network gives them, of any length. Errors: ConfigError where the
        network is not what its file says."""
        width = self.space.projection.shape[1]
        if not crops:
            return np.zeros((0, width), np.float32)
        embedding, = self._network.run(*network_input(crops))
        if embedding.shape != (len(crops), width):
            raise ConfigError(f"the network gives {embedding.shape}; its phrases have {width} numbers")
        return np.asarray(embedding)


def namer_metadata(space: PhraseSpace, encoder: str, training: str) -> dict[str, str]:
    """What a file carries beside the network; `training`: facts for its card, as JSON."""
    return {"format": FORMAT, "encoder": encoder, "training": training, **space_text(space)}
