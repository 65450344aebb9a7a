"""From a network to the file that the robot uses: two graphs of ONNX, their weights in half precision."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from dadu.language.learned.reader import CARD, DECODER, ENCODER
from dadu.learning.interpreter.network import DecoderPart, EncoderPart, InterpreterNetwork

_OPSET = 17
_LARGE = 256
"""numbers of a tensor from which on it is kept in half precision"""


def export(network: InterpreterNetwork, card: Mapping[str, Any], path: Path) -> None:
    """Writes `path`, a ZIP of both graphs and the card as JSON."""
    network = network.eval()
    vectors, heads = network.words.in_features, network.encoder[0].attention.heads
    width, layers = network.words.out_features, len(network.decoder)
    states = torch.zeros(1, 5, width)
    keys = torch.zeros(2 * layers, heads, 5, width // heads)
    encoder = _graph(EncoderPart(network), (torch.zeros(1, 5, vectors), torch.zeros(1, 5, dtype=torch.long)),
                     ["vectors", "marks"], ["states", "keys"],
                     {"vectors": {1: "words"}, "marks": {1: "words"}, "states": {1: "words"}, "keys": {2: "words"}})
    decoder = _graph(DecoderPart(network), (torch.zeros(1, 1, dtype=torch.long), torch.zeros(1, dtype=torch.long),
                                            states, keys, keys[:, :, :3]),
                     ["before", "step", "states", "keys", "past"], ["scores", "kept"],
                     {"states": {1: "words"}, "keys": {2: "words"}, "past": {2: "steps"}, "scores": {0: "choices"},
                      "kept": {2: "written"}})
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    facts = {**card, "layers": layers, "heads": heads, "width": width}
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as file:
        for name, content in ((CARD, json.dumps(facts)), (ENCODER, encoder), (DECODER, decoder)):
            file.writestr(zipfile.ZipInfo(name), content)  # of no date: the same weights are the same file
    partial.replace(path)


def _graph(module: torch.nn.Module, example: tuple[torch.Tensor, ...], inputs: list[str], outputs: list[str],
           free: dict[str, dict[int, str]]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(module.eval(), example, str(plain), input_names=inputs, output_names=outputs,
                          opset_version=_OPSET, dynamo=False, dynamic_axes=free)
        return _halved(onnx.load(plain)).SerializeToString()


def _halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """With large tensors in half precision; they are made whole once, when the graph is loaded."""
    casts, kept = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _LARGE:
            kept.append(tensor)
            continue
        kept.append(numpy_helper.from_array(values.astype(np.float16), f"{tensor.name}.half"))
        casts.append(helper.make_node("Cast", [f"{tensor.name}.half"], [tensor.name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes)
    return model
