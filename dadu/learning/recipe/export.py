"""From a checkpoint to the file that the robot uses."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

_OPSET = 17
_LARGE = 4096
"""[bytes]"""


@dataclass(frozen=True)
class Signature:
    """How a network is called."""

    inputs: Mapping[str, Tensor]
    """examples"""
    outputs: Sequence[str]
    free: Mapping[str, Mapping[int, str]]
    """of inputs and outputs, the axes that may have any length, and what they are called"""


def export(network: nn.Module, signature: Signature, beside: Mapping[str, str], path: Path) -> None:
    """Writes `path`; `beside`: its metadata."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(network.eval(), tuple(signature.inputs.values()), str(plain), opset_version=_OPSET,
                          input_names=list(signature.inputs), output_names=list(signature.outputs), dynamo=False,
                          dynamic_axes={name: dict(axes) for name, axes in signature.free.items()})
        model = onnx.load(plain)
    halve(model.graph)
    onnx.helper.set_model_props(model, dict(beside))
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(model.SerializeToString())
    partial.replace(path)


def halve(graph: onnx.GraphProto) -> None:
    """Keeps large weights as float16, which halves the file; ONNX Runtime makes float32 of them when it is loaded, and
    computes as before."""
    for weight in [w for w in graph.initializer if w.data_type == onnx.TensorProto.FLOAT and len(w.raw_data) > _LARGE]:
        name = weight.name
        halved = onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weight).astype(np.float16), f"{name}.half")
        weight.CopyFrom(halved)
        graph.node.insert(0, onnx.helper.make_node("Cast", [halved.name], [name], to=onnx.TensorProto.FLOAT))
