"""EfficientNet-Lite (Tan and Le 2019) as a graph of ONNX, from its weights as PyTorch's users have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dadu.core.errors import ConfigError

STRIDES = (1, 2, 2, 2, 1, 2, 1)
"""of the seven stages, whose blocks have an output of one width each"""
_EPSILON = 1e-3
"""of batch normalisation, as in the paper's code"""


class _Graph:
    """Nodes, and the numbers in them. Normalisation is folded into the convolution before it."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        self._weights = weights
        self.nodes: list[Any] = []
        self.numbers: list[Any] = []
        self.scalar("zero", 0)
        self.scalar("six", 6)

    def add(self, kind: str, inputs: list[str], **how: Any) -> str:
        """The name of its output."""
        out = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], **how))
        return out

    def scalar(self, name: str, value: float) -> None:
        self.numbers.append(numpy_helper.from_array(np.array(value, np.float32), name))

    def number(self, name: str, value: np.ndarray) -> str:
        """Its name."""
        self.numbers.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name))
        return name

    def convolution(self, x: str, name: str, norm: str, stride: int = 1, depthwise: bool = False) -> str:
        kernel = self._weights[f"{name}.weight"]
        gain, offset, mean, variance = (self._weights[f"{norm}.{part}"]
                                        for part in ("weight", "bias", "running_mean", "running_var"))
        gain = gain / np.sqrt(variance + _EPSILON)
        inputs = [x, self.number(f"{name}.w", kernel * gain[:, None, None, None]),
                  self.number(f"{name}.b", offset - gain * mean)]
        return self.add("Conv", inputs, auto_pad="SAME_UPPER", strides=[stride] * 2,
                        group=len(kernel) if depthwise else 1)

    def clipped(self, x: str) -> str:
        return self.add("Clip", [x, "zero", "six"])

    def block(self, x: str, name: str, stride: int, alike: bool) -> str:
        """An inverted bottleneck; `alike`: what comes out is as wide as what goes in, and added to it."""
        y = x
        if f"{name}._expand_conv.weight" in self._weights:
            y = self.clipped(self.convolution(y, f"{name}._expand_conv", f"{name}._bn0"))
        y = self.clipped(self.convolution(y, f"{name}._depthwise_conv", f"{name}._bn1", stride, depthwise=True))
        y = self.convolution(y, f"{name}._project_conv", f"{name}._bn2")
        return self.add("Add", [x, y]) if alike else y


def network(weights: Mapping[str, np.ndarray]) -> bytes:
    """ONNX: from ``pictures``, float32 (N, 3, S, S), to ``logits`` (N, number of classes), unitless. Errors:
    ConfigError where these are the weights of another network."""
    graph = _Graph(weights)
    try:
        x = graph.clipped(graph.convolution("pictures", "_conv_stem", "_bn0", 2))
        strides, wide, i = iter(STRIDES), 0, 0
        while f"_blocks.{i}._project_conv.weight" in weights:
            width = len(weights[f"_blocks.{i}._project_conv.weight"])
            x = graph.block(x, f"_blocks.{i}", 1 if width == wide else next(strides), width == wide)
            wide, i = width, i + 1
        x = graph.clipped(graph.convolution(x, "_conv_head", "_bn1"))
        x = graph.add("Flatten", [graph.add("GlobalAveragePool", [x])])
        last = [x, graph.number("classes.w", weights["_fc.weight"]), graph.number("classes.b", weights["_fc.bias"])]
        graph.nodes.append(helper.make_node("Gemm", last, ["logits"], transB=1))
    except (KeyError, IndexError, StopIteration) as error:
        raise ConfigError(f"these are no weights of an EfficientNet-Lite: {error or 'more than 7 stages'}") from None
    pictures = helper.make_tensor_value_info("pictures", TensorProto.FLOAT, ["n", 3, "s", "s"])
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", len(weights["_fc.bias"])])
    made = helper.make_graph(graph.nodes, "efficientnet-lite", [pictures], [logits], graph.numbers)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
