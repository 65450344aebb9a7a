"""A trained detector's file: an ONNX network that carries in its metadata what else is needed to use it."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

from dadu.core.errors import ConfigError
from dadu.perception.learned.channels import CHANNELS
from dadu.perception.learned.space import PhraseSpace

FORMAT = "dadu-detector-1"
_ERRORS = (ort_errors.Fail, ort_errors.InvalidGraph, ort_errors.InvalidProtobuf, ort_errors.InvalidArgument,
           ort_errors.NoSuchFile, ort_errors.NotImplemented, ort_errors.RuntimeException, RuntimeError,
           UnicodeDecodeError)


@dataclass(frozen=True)
class Calibration:
    """From what is known of a mask to the chance that there is such a thing, by logistic regression."""

    weights: tuple[float, ...] = (1.0, 0.0, 0.0)
    """of the logit of the mean probability, the logarithm of the number of pixels, the cosine to the name"""
    bias: float = 0.0

    def score(self, evidence: np.ndarray) -> np.ndarray:
        """float64 (N,), unitless, 0 to 1, of evidence (N, 3)."""
        return 1 / (1 + np.exp(-(evidence @ np.array(self.weights) + self.bias)))


def evidence(probability: np.ndarray, pixels: np.ndarray, cosine: np.ndarray) -> np.ndarray:
    """float64 (N, 3), unitless: what `Calibration` weighs; each of the arguments is (N,)."""
    clipped = np.clip(probability, 1e-3, 1 - 1e-3)
    return np.stack([np.log(clipped / (1 - clipped)), np.log(np.maximum(pixels, 1)), cosine], axis=1)


class DetectorWeights:
    """The network, ready to run."""

    def __init__(self, path: Path, threads: int = 1) -> None:
        """Errors: ConfigError where the file is missing, damaged, or of something else."""
        if not path.is_file():
            raise ConfigError(f"{path}: no such file of weights; dadu train detector makes one")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 4  # what is wrong is in the exception
        try:
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
            metadata = self._session.get_modelmeta().custom_metadata_map
        except _ERRORS as error:
            raise ConfigError(f"{path} holds no network: {str(error).splitlines()[0]}") from None
        names = [output.name for output in outputs]
        if metadata.get("format") != FORMAT or len(inputs) != 1 or names != ["geometry", "embedding"]:
            raise ConfigError(f"{path} holds another network, no {FORMAT}; dadu train detector makes one")
        self._input = inputs[0].name
        try:
            self.encoder: str = metadata["encoder"]
            self.training: str = metadata["training"]
            """JSON, see `TrainingFacts`"""
            self.space = _space(metadata)
            self.calibration = _calibration(metadata["calibration"])
        except (KeyError, ValueError, TypeError, binascii.Error) as error:
            raise ConfigError(f"{path}: what belongs to the network is damaged: {error}") from None

    def run(self, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`DetectorNetwork.forward` of one picture float32 (H, W, 6), see `channels`; H and W multiples of 16.

        Returns geometry float32 (6, H / 2, W / 2) [px where it is an offset] and embeddings (H / 2, W / 2, D) of unit
        length. Errors: ConfigError where the network is not what its file says.
        """
        assert picture.shape[2] == CHANNELS
        try:
            geometry, embedding = self._session.run(None, {self._input: picture.transpose(2, 0, 1)[None]})
        except _ERRORS as error:
            raise ConfigError(f"the network does not run: {str(error).splitlines()[0]}") from None
        if geometry[0].shape[0] != 6 or embedding.shape[-1] != self.space.projection.shape[1]:
            raise ConfigError(f"the network gives {geometry.shape} and {embedding.shape}; its phrases have "
                              f"{self.space.projection.shape[1]} numbers")
        return geometry[0], embedding[0]


def metadata(space: PhraseSpace, encoder: str, calibration: Calibration, training: str) -> dict[str, str]:
    """What a file carries beside the network; `training`: facts for its card, as JSON."""
    return {"format": FORMAT, "encoder": encoder, "training": training,
            "mean": _text(space.mean), "projection": _text(space.projection),
            "shape": json.dumps(space.projection.shape),
            "calibration": json.dumps([list(calibration.weights), calibration.bias])}


def _space(metadata: Mapping[str, str]) -> PhraseSpace:
    """Errors: KeyError, ValueError."""
    shape = tuple(int(size) for size in json.loads(metadata["shape"]))
    space = PhraseSpace(_array(metadata["mean"], (-1,)), _array(metadata["projection"], shape))
    if space.projection.ndim != 2 or len(space.projection) != len(space.mean):
        raise ValueError("sizes do not agree")
    if not (np.isfinite(space.mean).all() and np.isfinite(space.projection).all()):
        raise ValueError("numbers are not finite")
    return space


def _calibration(text: str) -> Calibration:
    """Errors: ValueError, TypeError."""
    weights, bias = json.loads(text)
    if len(weights) != len(Calibration.weights):
        raise ValueError("the calibration has another number of weights")
    return Calibration(tuple(float(weight) for weight in weights), float(bias))


def _text(array: np.ndarray) -> str:
    return base64.b64encode(array.astype("<f4").tobytes()).decode()


def _array(text: str, shape: tuple[int, ...]) -> np.ndarray:
    """Errors: ValueError."""
    return np.frombuffer(base64.b64decode(text, validate=True), "<f4").reshape(shape)
