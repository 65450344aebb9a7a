"""The network as an ONNX graph: matrices in 8 bits, by blocks of 32, with a scale and a zero of their own each.

Q4_1 has a smallest value for each block where the operator has a whole-numbered zero, so that 4 bits would not be the
same; 8 bits are to within 1/17 of Q4_1's own step, and take the adapter in, so that it costs nothing later.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from dadu.planner.model.small.weights import Matrix, Weights

CONTEXT = 2048
"""tokens of prompt and reply, at most"""
_BLOCK = 32
_OPSET, _MICROSOFT = 18, "com.microsoft"


def write_graph(weights: Weights, file: Path) -> None:
    """Inputs: ``ids`` [1, n], ``last`` [1, 1] (tokens known when these are, less one), ``total`` [1], and per layer
    ``k0`` and ``v0``, [1, kv heads, CONTEXT, head], which the outputs ``k0.new`` and ``v0.new`` may share. Output:
    ``logits`` [1, vocabulary] after the last of `ids`."""
    builder, shape = _Builder(), weights.shape
    angles = np.outer(np.arange(CONTEXT), shape.rope ** (-np.arange(0, shape.head, 2) / shape.head))
    builder.constant("cos", np.cos(angles).astype(np.float32))
    builder.constant("sin", np.sin(angles).astype(np.float32))
    embedding = builder.quantised("embedding", weights.matrix("token_embd"))
    x = builder.looked_up(embedding, shape.width)
    norm: dict[str, Any] = {"epsilon": shape.epsilon, "axis": -1, "stash_type": 1}
    for i in range(shape.layers):
        at, name = f"blk.{i}.", f"l{i}."
        normed = builder.node("SimplifiedLayerNormalization", [x, builder.constant(
            f"{name}norm1", weights.matrix(f"{at}attn_norm"))], **norm)
        qkv = builder.multiplied(normed, f"{name}qkv", np.concatenate(
            [weights.matrix(f"{at}attn_{part}") for part in "qkv"]))
        read = builder.node(
            "GroupQueryAttention", [qkv, "", "", f"k{i}", f"v{i}", "last", "total", "cos", "sin"],
            [f"{name}read", f"k{i}.new", f"v{i}.new"], _MICROSOFT,
            num_heads=shape.heads, kv_num_heads=shape.kv_heads, do_rotary=1, rotary_interleaved=0)
        x = builder.node("Add", [x, builder.multiplied(read, f"{name}out", weights.matrix(f"{at}attn_output"))])
        normed = builder.node("SimplifiedLayerNormalization", [x, builder.constant(
            f"{name}norm2", weights.matrix(f"{at}ffn_norm"))], **norm)
        both = builder.multiplied(normed, f"{name}in", np.concatenate(
            [weights.matrix(f"{at}ffn_{part}") for part in ("gate", "up")]))
        builder.node("Split", [both], [f"{name}gate", f"{name}up"], axis=-1, num_outputs=2)
        gate = builder.node("Mul", [f"{name}gate", builder.node("Sigmoid", [f"{name}gate"])])
        wide = builder.node("Mul", [gate, f"{name}up"])
        x = builder.node("Add", [x, builder.multiplied(wide, f"{name}down", weights.matrix(f"{at}ffn_down"))])
    end = builder.node("Gather", [x, builder.constant("end", np.int64(-1))], axis=1)
    normed = builder.node("SimplifiedLayerNormalization", [end, builder.constant(
        "norm", weights.matrix("output_norm"))], **norm)
    builder.times(normed, embedding, shape.vocabulary, shape.width, "logits")
    cache = [1, shape.kv_heads, CONTEXT, shape.head]
    caches = [f"{part}{i}" for i in range(shape.layers) for part in "kv"]
    graph = helper.make_graph(
        builder.nodes, "small",
        [helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "n"]),
         helper.make_tensor_value_info("last", TensorProto.INT32, [1, 1]),
         helper.make_tensor_value_info("total", TensorProto.INT32, [1]),
         *(helper.make_tensor_value_info(name, TensorProto.FLOAT, cache) for name in caches)],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, shape.vocabulary]),
         *(helper.make_tensor_value_info(f"{name}.new", TensorProto.FLOAT, cache) for name in caches)],
        builder.constants)
    model = helper.make_model(graph, ir_version=9, opset_imports=[
        helper.make_opsetid("", _OPSET), helper.make_opsetid(_MICROSOFT, 1)])
    onnx.save(model, file, save_as_external_data=True, location=f"{file.name}.data")


class _Builder:
    """Nodes and constants so far."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[TensorProto] = []

    def node(self, kind: str, inputs: list[str], outputs: list[str] | None = None, domain: str = "", **attributes: Any
             ) -> str:
        """The name of its first output."""
        outputs = outputs or [f"n{len(self.nodes)}"]
        self.nodes.append(helper.make_node(kind, inputs, outputs, domain=domain, **attributes))
        return outputs[0]

    def constant(self, name: str, value: Any) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def quantised(self, name: str, matrix: Matrix) -> list[str]:
        """Names of values, scales and zeros."""
        return [self.constant(f"{name}.{part}", value) for part, value in zip(
            ("values", "scales", "zeros"), quantise(matrix), strict=True)]

    def multiplied(self, x: str, name: str, matrix: Matrix) -> str:
        return self.times(x, self.quantised(name, matrix), len(matrix), matrix.shape[1], f"{name}.y")

    def times(self, x: str, quantised: list[str], outputs: int, inputs: int, name: str) -> str:
        return self.node("MatMulNBits", [x, *quantised], [name], _MICROSOFT, K=inputs, N=outputs, bits=8,
                         block_size=_BLOCK, accuracy_level=4)

    def looked_up(self, quantised: list[str], width: int) -> str:
        """The rows of `ids`, as floats [1, n, width]."""
        values, scales, zeros = (self.node("Gather", [name, "ids"], axis=0) for name in quantised)
        floats = [self.node("Cast", [part], to=TensorProto.FLOAT) for part in (values, zeros)]
        last = self.constant("axis", np.array([-1], np.int64))
        zero, scale = (self.node("Unsqueeze", [part, last]) for part in (floats[1], scales))
        blocks = self.node("Mul", [self.node("Sub", [floats[0], zero]), scale])
        return self.node("Reshape", [blocks, self.constant("flat", np.array([1, -1, width], np.int64))])


def quantise(matrix: Matrix) -> tuple[NDArray[np.uint8], Matrix, NDArray[np.uint8]]:
    """Values, [outputs, blocks, 32], scales and zeros, [outputs, blocks]: the matrix is (values - zeros) * scales to
    within half a scale."""
    blocks = matrix.reshape(len(matrix), -1, _BLOCK)
    low, high = np.minimum(blocks.min(2), 0), np.maximum(blocks.max(2), 0)
    scales = np.maximum((high - low) / 255, 1e-12).astype(np.float32)
    zeros = np.round(-low / scales)
    values = np.clip(np.round(blocks / scales[:, :, None]) + zeros[:, :, None], 0, 255)
    return values.astype(np.uint8), scales, zeros.astype(np.uint8)
