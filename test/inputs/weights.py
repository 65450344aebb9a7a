"""Broken files of weights: networks, and the cards that they carry."""

import numpy as np

from dadu.core.paths import shared
from dadu.perception.learned.channels import CHANNELS
from dadu.perception.learned.crops import SIDE, Crop
from dadu.perception.learned.namer import NamerWeights
from dadu.perception.learned.weights import DetectorWeights
from dadu.perception.states import StateReader

from .mangling import mangled_bytes

CROP = Crop(np.zeros((SIDE, SIDE, 3), np.uint8), np.full((SIDE, SIDE), 255, np.uint8),
            np.zeros((SIDE, SIDE), np.int8), np.ones(3, np.float32))
TAIL = 4000
"""[byte] at a network's end, where what is told beside it stands"""


def weights(folder, rng):
    name = rng.choice(list(USES))
    path = folder / name.rpartition("/")[2]
    content = shared("models", *name.split("/")).read_bytes()
    if rng.random() < 0.5:
        path.write_bytes(_misspelt(content, rng))
    else:
        begin = rng.choice((0, len(content) // 2, len(content) - TAIL))
        path.write_bytes(content[:begin] + mangled_bytes(content[begin:], rng))
    USES[name](path)


def _misspelt(content, rng):
    """As long as before, so that a network's file stays one."""
    written = bytearray(content)
    for _ in range(rng.choice((1, 2, 5))):
        written[-rng.randrange(1, TAIL)] = rng.choice(b'[]{}",:.-09eN')
    return bytes(written)


def _states(path):
    reader = StateReader(path)
    reader.tells("lamp")
    reader.chances([CROP])


USES = {
    "states/states.onnx": _states,
    "detector/detector.onnx": lambda path: DetectorWeights(path).run(np.zeros((32, 32, CHANNELS), np.float32)),
    "detector/namer.onnx": lambda path: NamerWeights(path).embeddings([CROP]),
}
"""the project's weights, and how they are used"""
