"""A trained detector's file: the network that cuts a picture into things."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dadu.core.errors import ConfigError
from dadu.perception.learned.channels import CHANNELS
from dadu.perception.learned.onnx_file import OnnxFile
from dadu.perception.learned.space import PhraseSpace
from dadu.perception.learned.space_text import space_of, space_text

FORMAT = "dadu-detector-2"


@dataclass(frozen=True)
class Calibration:
    """From what is known of a mask to the chance that there is such a thing, by logistic regression."""

    weights: tuple[float, ...] = (1.0, 0.0)
    """of the logit of the mean probability, and the logarithm of the number of pixels"""
    bias: float = 0.0

    def score(self, evidence: np.ndarray) -> np.ndarray:
        """float64 (N,), unitless, 0 to 1, of evidence (N, 2)."""
        return 1 / (1 + np.exp(-(evidence @ np.array(self.weights) + self.bias)))


def evidence(probability: np.ndarray, pixels: np.ndarray) -> np.ndarray:
    """float64 (N, 2), unitless: what `Calibration` weighs; each of the arguments is (N,)."""
    clipped = np.clip(probability, 1e-3, 1 - 1e-3)
    return np.stack([np.log(clipped / (1 - clipped)), np.log(np.maximum(pixels, 1))], axis=1)


class DetectorWeights:
    """The network, ready to run."""

    def __init__(self, path: Path, threads: int = 1) -> None:
        """Errors: ConfigError where the file is missing, damaged, or of something else."""
        self._network = OnnxFile(path, FORMAT, 1, ["geometry", "embedding"], "dadu train detector", threads)
        metadata = self._network.metadata
        try:
            self.encoder: str = metadata["encoder"]
            self.training: str = metadata["training"]
            """JSON, see `TrainingFacts`"""
            self.space = space_of(metadata)
            self.calibration = _calibration(metadata["calibration"])
        except (KeyError, ValueError, TypeError) as error:
            raise ConfigError(f"{path}: what belongs to the network is damaged: {error}") from None

    def run(self, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`DetectorNetwork.forward` of one picture float32 (H, W, 6), see `channels`; H and W multiples of 16.

        Returns geometry float32 (6, H / 2, W / 2) [px where it is an offset] and embeddings (H / 2, W / 2, D) of unit
        length. Errors: ConfigError where the network is not what its file says.
        """
        assert picture.shape[2] == CHANNELS
        geometry, embedding = self._network.run(picture.transpose(2, 0, 1)[None])
        if geometry[0].shape[0] != 6 or embedding.shape[-1] != self.space.projection.shape[1]:
            raise ConfigError(f"the network gives {geometry.shape} and {embedding.shape}; its phrases have "
                              f"{self.space.projection.shape[1]} numbers")
        return geometry[0], embedding[0]


def metadata(space: PhraseSpace, encoder: str, calibration: Calibration, training: str) -> dict[str, str]:
    """What a file carries beside the network; `training`: facts for its card, as JSON."""
    return {"format": FORMAT, "encoder": encoder, "training": training, **space_text(space),
            "calibration": json.dumps([list(calibration.weights), calibration.bias])}


def _calibration(text: str) -> Calibration:
    """Errors: ValueError, TypeError."""
    weights, bias = json.loads(text)
    if len(weights) != len(Calibration.weights):
        raise ValueError("the calibration has another number of weights")
    return Calibration(tuple(float(weight) for weight in weights), float(bias))
