"""From a checkpoint to the file that the robot uses."""

from __future__ import annotations

import tempfile
from pathlib import Path

import onnx
import torch

from dadu.learning.detector.network import DetectorNetwork
from dadu.perception.learned.channels import CHANNELS

_OPSET = 17


def export(network: DetectorNetwork, beside: dict[str, str], path: Path) -> None:
    """Writes `path`, for pictures of any size that is a multiple of 16; `beside`: see `metadata`."""
    example = torch.zeros(1, CHANNELS, 240, 320)
    free = {2: "height", 3: "width"}
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(network.eval(), (example,), str(plain), input_names=["picture"],
                          output_names=["geometry", "embedding"], opset_version=_OPSET, dynamo=False,
                          dynamic_axes={"picture": free, "geometry": free, "embedding": {1: "height", 2: "width"}})
        model = onnx.load(plain)
    onnx.helper.set_model_props(model, beside)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(model.SerializeToString())
    partial.replace(path)
