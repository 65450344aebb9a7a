"""An ONNX network in a file that carries in its metadata what else is needed to use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

from dadu.core.errors import ConfigError

_ERRORS = (ort_errors.Fail, ort_errors.InvalidGraph, ort_errors.InvalidProtobuf, ort_errors.InvalidArgument,
           ort_errors.NoSuchFile, ort_errors.NotImplemented, ort_errors.RuntimeException, RuntimeError,
           UnicodeDecodeError)


def session_of(model: Path | bytes, threads: int = 1) -> onnxruntime.InferenceSession:
    """Of a file, or its content. Errors: those of ONNX Runtime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4  # what is wrong is in the exception
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


class OnnxFile:
    """The network, ready to run."""

    def __init__(self, path: Path, format: str, inputs: int, outputs: Sequence[str], made_by: str, threads: int = 1
                 ) -> None:
        """`format`: what its metadata must say; `made_by`: the command that makes such files.

        Errors: ConfigError where the file is missing, damaged, or of something else.
        """
        if not path.is_file():
            raise ConfigError(f"{path}: no such file of weights; {made_by} makes one")
        try:
            self._session = session_of(path, threads)
            self._inputs = [each.name for each in self._session.get_inputs()]
            names = [each.name for each in self._session.get_outputs()]
            self.metadata: Mapping[str, str] = self._session.get_modelmeta().custom_metadata_map
        except _ERRORS as error:
            raise ConfigError(f"{path} holds no network: {_said(error)}") from None
        if self.metadata.get("format") != format or len(self._inputs) != inputs or names != list(outputs):
            raise ConfigError(f"{path} holds another network, no {format}; {made_by} makes one")

    def run(self, *inputs: np.ndarray) -> list[np.ndarray]:
        """Its outputs (N, ...), of its inputs (N, ...) in their order; the network says what they mean, unitless.
        Errors: ConfigError where it is not what its file says."""
        try:
            return list(self._session.run(None, dict(zip(self._inputs, inputs))))
        except _ERRORS as error:
            raise ConfigError(f"the network does not run: {_said(error)}") from None


def _said(error: Exception) -> str:
    """In one line; some of ONNX Runtime's errors have no words but their name."""
    return next(iter(str(error).splitlines()), type(error).__name__)
