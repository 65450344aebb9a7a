"""Broken files of weights: networks, and the cards that they carry."""

import functools
import io
import json
import zipfile

import numpy as np

from dadu.core.paths import shared
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.learned.reader import CARD, LearnedReader
from dadu.language.learned.sentence import KnownNames
from dadu.perception.learned.channels import CHANNELS
from dadu.perception.learned.crops import SIDE, Crop
from dadu.perception.learned.namer import Namer
from dadu.perception.learned.weights import DetectorWeights
from dadu.perception.states import StateReader

from .mangling import mangled_bytes, mangled_data

CROP = Crop(np.zeros((SIDE, SIDE, 3), np.uint8), np.full((SIDE, SIDE), 255, np.uint8),
            np.zeros((SIDE, SIDE), np.int8), np.ones(3, np.float32))
TAIL = 4000
"""[byte] at a network's end, where what is told beside it stands"""


def weights(folder, rng):
    name = rng.choice(list(USES))
    path = folder / name.rpartition("/")[2]
    content = shared("models", *name.split("/")).read_bytes()
    if path.suffix == ".zip" and rng.random() < 0.7:
        _with_broken_card(content, path, rng)
    elif rng.random() < 0.5:
        path.write_bytes(_misspelt(content, rng))
    else:
        begin = rng.choice((0, len(content) // 2, len(content) - TAIL))
        path.write_bytes(content[:begin] + mangled_bytes(content[begin:], rng))
    USES[name](path)


def _with_broken_card(content, path, rng):
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            target.writestr(name, json.dumps(mangled_data(json.loads(data), rng)) if name == CARD else data)


def _misspelt(content, rng):
    """As long as before, so that a network's file stays one."""
    written = bytearray(content)
    for _ in range(rng.choice((1, 2, 5))):
        written[-rng.randrange(1, TAIL)] = rng.choice(b'[]{}",:.-09eN')
    return bytes(written)


@functools.cache
def _names():
    return KnownNames(default_vocabulary())


def _states(path):
    reader = StateReader(path)
    reader.tells("lamp")
    reader.chances([CROP])


USES = {
    "states/states.onnx": _states,
    "detector/detector.onnx": lambda path: DetectorWeights(path).run(np.zeros((32, 32, CHANNELS), np.float32)),
    "detector/namer.onnx": lambda path: Namer(path).embeddings([CROP]),
    "interpreter/interpreter.zip": lambda path: LearnedReader(path).read("put the mug on the table", _names()),
}
"""the project's weights, and how they are used"""
