"""Convolutions in 8 bits in place of 32, which halves a network's time on a processor, and its file.

By ONNX Runtime's static quantisation: the ranges of what a layer gives out are those of some examples, weights have a
scale for each channel. They have 7 bits, for processors without VNNI add two products up in 16. Left as they are: the
first convolution, whose inputs have little in common (colours, pixels a metre, heights), and those behind which no
other comes, for the same reason (probabilities, pixels to the middle of a thing).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from dadu.learning.recipe.export import halve
from dadu.learning.recipe.facts import TrainingFacts

_IN_8_BITS = ["Conv", "Add", "Relu"]
Inputs = Mapping[str, np.ndarray]
"""what a network is given, by the names of its inputs"""


def quantise(path: Path, examples: Iterable[Inputs], out: Path) -> None:
    """Writes to `out` the network of `path`, with all that this file carries beside it."""
    with tempfile.TemporaryDirectory() as folder:
        plain, small = Path(folder) / "plain.onnx", Path(folder) / "small.onnx"
        # With weights of 32 bits, and none that are cast when it is loaded.
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(plain)
        onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        quantize_static(plain, small, _Reader(examples), quant_format=QuantFormat.QDQ, per_channel=True,
                        reduce_range=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
                        op_types_to_quantize=_IN_8_BITS, nodes_to_exclude=_outermost(onnx.load(plain).graph))
        model = onnx.load(small)
    halve(model.graph)
    beside = {entry.key: entry.value for entry in onnx.load(path).metadata_props}
    facts = TrainingFacts.model_validate_json(beside["training"]).model_copy(update={"quantised": True})
    onnx.helper.set_model_props(model, {**beside, "training": facts.model_dump_json()})
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.with_suffix(".partial")
    partial.write_bytes(model.SerializeToString())
    partial.replace(out)


class _Reader(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, examples: Iterable[Inputs]) -> None:
        self._examples = iter(examples)

    def get_next(self) -> dict[str, np.ndarray] | None:
        example = next(self._examples, None)
        return None if example is None else dict(example)


def _outermost(graph: onnx.GraphProto) -> list[str]:
    """Names of the first convolution and of those behind which no other comes."""
    users: dict[str, list[onnx.NodeProto]] = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)

    def leads_to_one(node: onnx.NodeProto, seen: set[str]) -> bool:
        for user in (user for name in node.output for user in users.get(name, [])):
            if user.name not in seen:
                seen.add(user.name)
                if user.op_type == "Conv" or leads_to_one(user, seen):
                    return True
        return False
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    return [convolutions[0].name, *(node.name for node in convolutions if not leads_to_one(node, set()))]
