"""Makes colours.onnx and namer.onnx, eyes without training, for tests: red things are mugs, green ones bananas,
blue is a table.

Needs onnx: python test/perception/data/make_colours.py
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dadu.knowledge.embedding import default_embedder
from dadu.knowledge.phrases import phrases_of
from dadu.perception.learned.channels import CHANNELS
from dadu.perception.learned.crops import SIDE, SIZES
from dadu.perception.learned.instances import FURNITURE
from dadu.perception.learned.namer import FILE, namer_metadata
from dadu.perception.learned.naming import names_of
from dadu.perception.learned.space import PhraseSpace
from dadu.perception.learned.weights import FURNITURE_SEEN, Calibration, metadata

SIZE = 8
PHRASES = ("mug", "banana", "table", "sofa", "lamp", "book", "knife", "milk", "screwdriver", "pillow", "shirt", "phone")


def main() -> None:
    embedder = default_embedder()
    known = phrases_of(embedder)
    space = PhraseSpace.fitted(known.of(PHRASES), SIZE)
    colours = space.mean_of_names([known.of(names_of(name)) for name in ("mug", "banana", "table")])
    weight, bias = np.zeros((6 + SIZE, 6), np.float32), np.zeros(6 + SIZE, np.float32)
    weight[1, :3], bias[1] = (-3, -3, 6), -6  # furniture
    weight[2, :3], bias[2] = (6, 6, -12), -6  # object
    bias[3] = -8  # nowhere a middle
    weight[6:, :3], bias[6:] = colours.T / 2, colours.sum(axis=0) / 2
    nodes = [
        helper.make_node("Conv", ["picture", "weight", "bias"], ["all"], kernel_shape=[1, 1], strides=[2, 2]),
        helper.make_node("Split", ["all", "sizes"], ["kind", "middle", "offset", "meaning"], axis=1),
        helper.make_node("Softmax", ["kind"], ["kinds"], axis=1),
        helper.make_node("Sigmoid", ["middle"], ["middles"]),
        helper.make_node("Concat", ["kinds", "middles", "offset"], ["geometry"], axis=1),
        helper.make_node("Gather", ["kinds", "furniture"], ["chance"], axis=1),
        helper.make_node("Greater", ["chance", "seen"], ["mask"]),
        helper.make_node("NonZero", ["mask"], ["axes"]),
        helper.make_node("Transpose", ["axes"], ["places"], perm=[1, 0]),
        helper.make_node("Transpose", ["meaning"], ["meanings"], perm=[0, 2, 3, 1]),
        helper.make_node("GatherND", ["meanings", "places"], ["embedding"]),
    ]
    constants = {"weight": weight[..., None, None], "bias": bias, "sizes": np.array([3, 1, 2, SIZE]),
                 "furniture": np.array(FURNITURE), "seen": np.array(FURNITURE_SEEN, np.float32)}
    graph = helper.make_graph(
        nodes, "colours", [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 6, "h", "w"])],
        [helper.make_tensor_value_info("geometry", TensorProto.FLOAT, [1, 6, "y", "x"]),
         helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", SIZE])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])
    _write(graph, metadata(space, embedder.name, Calibration(), "{}"), "colours.onnx")
    _write(_namer(colours), namer_metadata(space, embedder.name, "{}"), FILE)


def _namer(colours: np.ndarray) -> onnx.GraphProto:
    """The mean colour where the mask is: of (3, D) the mean of those that are in it."""
    nodes = [
        helper.make_node("Split", ["pictures", "parts"], ["rgb", "mask", "relief"], axis=1),
        helper.make_node("Mul", ["rgb", "mask"], ["masked"]),
        helper.make_node("ReduceSum", ["masked", "axes"], ["sum"], keepdims=0),
        helper.make_node("ReduceSum", ["mask", "axes"], ["count"], keepdims=0),
        helper.make_node("Div", ["sum", "count"], ["mean"]),
        helper.make_node("Add", ["mean", "one"], ["bright"]),
        helper.make_node("MatMul", ["bright", "colours"], ["embedding"]),
    ]
    constants = {"parts": np.array([3, 1, 2]), "axes": np.array([2, 3]), "one": np.ones(1, np.float32),
                 "colours": colours.astype(np.float32)}
    return helper.make_graph(
        nodes, "namer", [helper.make_tensor_value_info("pictures", TensorProto.FLOAT, ["n", CHANNELS, SIDE, SIDE]),
                         helper.make_tensor_value_info("sizes", TensorProto.FLOAT, ["n", SIZES])],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["n", SIZE])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])


def _write(graph: onnx.GraphProto, beside: dict[str, str], name: str) -> None:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, beside)
    onnx.checker.check_model(model)
    (Path(__file__).parent / name).write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
