"""A trained detector's file: the network that cuts a picture into things."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dadu.core.errors import ConfigError
from dadu.perception.learned.channels import CHANNELS
from dadu.perception.learned.onnx_file import OnnxFile
from dadu.perception.learned.space import PhraseSpace, space_of, space_text

FORMAT = "dadu-detector-4"


FURNITURE_SEEN = 0.5
"""probability of furniture above which a pixel is some; the network tells of no others what they show"""
KNOWN = ("probability", "pixels", "middle", "agreement", "border", "distance")
"""what is known of a mask, see `dadu.perception.learned.cutter`"""


@dataclass(frozen=True)
class Curve:
    """From what is known of a mask to the chance that there is such a thing, by logistic regression."""

    weights: tuple[float, ...] = (1.0, *[0.0] * (len(KNOWN) - 1))
    bias: float = 0.0

    def score(self, evidence: np.ndarray) -> np.ndarray:
        """float64 (N,), unitless, 0 to 1, of evidence (N, len(KNOWN))."""
        return 1 / (1 + np.exp(-np.clip(evidence @ np.array(self.weights) + self.bias, -30, 30)))


@dataclass(frozen=True)
class Calibration:
    """A curve of each kind: furniture is cut by other means than objects."""

    objects: Curve = Curve()
    furniture: Curve = Curve()

    def score(self, evidence: np.ndarray, objects: int) -> np.ndarray:
        """float64 (N,), unitless, 0 to 1, of evidence (N, len(KNOWN)), of which so many first rows are objects'."""
        return np.concatenate([self.objects.score(evidence[:objects]), self.furniture.score(evidence[objects:])])


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
            curves = json.loads(metadata["calibration"])
            self.calibration = Calibration(_curve(*curves["objects"]), _curve(*curves["furniture"]))
        except (KeyError, ValueError, TypeError) as error:
            raise ConfigError(f"{path}: what belongs to the network is damaged: {error}") from None

    def run(self, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`DetectorNetwork.forward` of one picture float32 (H, W, 6), see `channels`; H and W multiples of 16.

        Returns geometry float32 (6, H / 2, W / 2) [px where it is an offset] and embeddings (N, D), of any length, of
        the pixels above `FURNITURE_SEEN`, row by row. Errors: ConfigError where the network is not what its file says.
        """
        assert picture.shape[2] == CHANNELS
        geometry, embedding = self._network.run(picture.transpose(2, 0, 1)[None])
        if geometry[0].shape[0] != 6 or embedding.shape[1:] != self.space.projection.shape[1:]:
            raise ConfigError(f"the network gives {geometry.shape} and {embedding.shape}; its phrases have "
                              f"{self.space.projection.shape[1]} numbers")
        return geometry[0], embedding


def metadata(space: PhraseSpace, encoder: str, calibration: Calibration, training: str) -> dict[str, str]:
    """What a file carries beside the network; `training`: facts for its card, as JSON."""
    curves = {"objects": calibration.objects, "furniture": calibration.furniture}
    return {"format": FORMAT, "encoder": encoder, "training": training, **space_text(space),
            "calibration": json.dumps({kind: [list(curve.weights), curve.bias] for kind, curve in curves.items()})}


def _curve(weights: list[float], bias: float) -> Curve:
    if len(weights) != len(KNOWN) or not np.isfinite([*weights, bias]).all():
        raise ValueError(f"the calibration is not {len(KNOWN)} weights and a bias")
    return Curve(tuple(float(weight) for weight in weights), float(bias))
