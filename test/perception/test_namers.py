"""Namers: their registry, what several say together, and a classifier of photographs without PyTorch."""

import io
import pickle
import struct
import sys
from collections import OrderedDict
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from colour_pictures import GREEN, RED, frame
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.errors import ConfigError, MissingExtra
from dadu.perception.detectors import make_detector
from dadu.perception.imagenet.state_dict import state_dict
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.namer import asked_next, nobody_knows, opinion
from dadu.perception.namers import NAMERS, make_namers, named
from dadu.perception.registry import Registration
from dadu.world.graph import UNIDENTIFIED

WEIGHTS = Path(__file__).parent / "data" / "colours.onnx"
MINE = """
import numpy as np

class Reds:
    name, weights, asked = "reds", "none", 0

    def chances(self, cuts, names):
        Reds.asked += len(cuts)
        told = np.zeros((len(cuts), len(names)))
        for row, cut in zip(told, cuts):
            assert cut.rgb.shape == (*cut.mask.shape, 3)
            row[names.index("teapot")] = 0.9 * (cut.rgb[cut.mask][:, 0] > 200).mean()
        return told
"""


def test_who_is_asked_is_named_and_what_is_wrong_told(monkeypatch):
    assert named("own") == ("own",) and named("own + imagenet") == ("own", "imagenet")
    for wrong, complaint in (("telepathy", "unknown namer 'telepathy'; valid: clip, imagenet, own"),
                             ("own+own", "each once"), ("own+", "unknown namer ''")):
        with pytest.raises(ConfigError, match=complaint):
            named(wrong)
    with pytest.raises(ConfigError, match="names things itself"):
        make_detector("ground_truth", namer="own")
    monkeypatch.setitem(NAMERS, "heavy", Registration("no_such_library.x:Y", "vision"))
    with pytest.raises(MissingExtra, match=r"dadu\[vision\]"):
        make_namers(("own", "heavy"))
    with pytest.raises(ConfigError, match="weights of 1 more namers; namer own has 0"):
        make_namers(("own",), ("some",))


opinions = st.lists(st.floats(0, 1), min_size=4, max_size=4).map(
    lambda raw: opinion(np.array([raw[:3]]) / max(sum(raw), 1e-3)))


@given(opinions, opinions)
def test_the_next_is_asked_what_the_first_does_not_know(first, second):
    both = asked_next(first, second)
    np.testing.assert_allclose(both.sum(axis=1), 1)
    assert (both[:, :-1] >= first[:, :-1] - 1e-9).all() and both[0, -1] == pytest.approx(first[0, -1] * second[0, -1])
    np.testing.assert_allclose(asked_next(first, nobody_knows(1, 3)), first)
    np.testing.assert_allclose(asked_next(nobody_knows(1, 3), second), second)


def test_a_namer_of_ones_own_names_what_the_detector_cuts_out(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    picture, mine = frame((RED, 60, 80, 30, 40, 1.4), (GREEN, 200, 90, 40, 30, 1.4)), f"{tmp_path / 'mine.py'}:Reds"
    alone = make_detector("learned", str(WEIGHTS), namer=mine).segment(picture).segments
    assert sorted(one.label for one in alone if one.score > dict(one.others).get(UNIDENTIFIED, 0)) == ["teapot"]
    assert all(one.embedding is not None for one in alone)
    asked = sys.modules["plugin_mine"].Reds
    before = asked.asked
    own = LearnedDetector(WEIGHTS, namer=f"own+{mine}").segment(picture).segments
    assert sorted(one.label for one in own) == ["banana", "mug"], "who is sure is believed"
    assert before == 2 and asked.asked == before, "and nobody else asked"


class _Tensor:
    def __init__(self, key, array):
        self.key, self.array = key, array

    def __reduce__(self):
        strides = tuple(step // self.array.itemsize for step in self.array.strides)
        return (sys.modules["torch._utils"]._rebuild_tensor_v2,
                (_Storage(self.key, self.array.size), 0, self.array.shape, strides, False, OrderedDict()))


class _Storage:
    def __init__(self, key, size):
        self.key, self.size = key, size


class _Pickler(pickle.Pickler):
    def persistent_id(self, thing):
        return (("storage", sys.modules["torch"].FloatStorage, thing.key, "cpu", thing.size, None)
                if isinstance(thing, _Storage) else None)


def saved(arrays):
    """Bytes of arrays as PyTorch 1.5 saved them, two of whose names are all that the format needs of it."""
    torch, utils, file = ModuleType("torch"), ModuleType("torch._utils"), io.BytesIO()
    torch.FloatStorage = type("FloatStorage", (), {"__module__": "torch"})
    utils._rebuild_tensor_v2 = lambda *_: None
    utils._rebuild_tensor_v2.__module__, utils._rebuild_tensor_v2.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "torch", torch)
        patch.setitem(sys.modules, "torch._utils", utils)
        for part in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}):
            pickle.dump(part, file, protocol=2)
        _Pickler(file, protocol=2).dump(OrderedDict((name, _Tensor(name, a)) for name, a in arrays.items()))
        pickle.dump(list(arrays), file, protocol=2)
    for array in arrays.values():
        file.write(struct.pack("<q", array.size) + array.ravel(order="K").tobytes())
    return file.getvalue()


ARRAYS = {"plain": np.arange(6, dtype=np.float32).reshape(2, 3),
          "turned": np.arange(20, dtype=np.float32).reshape(4, 5).T}
SAVED = saved(ARRAYS)


def test_weights_of_pytorch_are_read_without_it_as_they_lie(tmp_path):
    (tmp_path / "weights.pth").write_bytes(SAVED)
    read = state_dict(tmp_path / "weights.pth")
    assert list(read) == list(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(read[name], array)


@given(st.integers(0, 2**32), st.integers(0, 20))
def test_a_mangled_file_ends_in_a_sentence_and_runs_nothing(tmp_path_factory, seed, count):
    path, rng, content = tmp_path_factory.getbasetemp() / "mangled.pth", np.random.default_rng(seed), bytearray(SAVED)
    for place in rng.integers(len(content), size=count):
        content[place] = rng.integers(256)
    path.write_bytes(content[:rng.integers(len(content))] if seed % 2 else content)
    try:
        state_dict(path)
    except ConfigError as error:
        assert "holds no weights" in str(error)
    else:
        assert not seed % 2, "something is lacking"


@pytest.mark.parametrize("content", [pickle.dumps(print), b"", b"PK\x03\x04"])
def test_another_file_is_refused(tmp_path, content):
    (tmp_path / "x.pth").write_bytes(content)
    with pytest.raises(ConfigError, match="holds no weights of a network"):
        state_dict(tmp_path / "x.pth")


def tiny(widths=(2, 3, 4, 5, 6, 7, 8), classes=9):
    """Weights of the smallest EfficientNet-Lite, drawn at random."""
    rng, out = np.random.default_rng(0), {}

    def layer(name, norm, *shape):
        out[f"{name}.weight"] = rng.normal(size=shape).astype(np.float32)
        out.update({f"{norm}.{part}": rng.uniform(0.5, 1, shape[0]).astype(np.float32)
                    for part in ("weight", "bias", "running_mean", "running_var")})

    layer("_conv_stem", "_bn0", 2, 3, 3, 3)
    before = 2
    for i, width in enumerate(widths):
        block = f"_blocks.{i}"
        layer(f"{block}._expand_conv", f"{block}._bn0", 2 * before, before, 1, 1)
        layer(f"{block}._depthwise_conv", f"{block}._bn1", 2 * before, 1, 3, 3)
        layer(f"{block}._project_conv", f"{block}._bn2", width, 2 * before, 1, 1)
        before = width
    layer("_conv_head", "_bn1", 10, before, 1, 1)
    return out | {"_fc.weight": rng.normal(size=(classes, 10)).astype(np.float32), "_fc.bias": np.zeros(classes)}


def test_the_network_of_weights_runs_and_others_are_refused():
    from dadu.perception.imagenet.efficientnet_lite import network
    from dadu.perception.learned.onnx_file import session_of

    pictures = np.random.default_rng(0).normal(size=(2, 3, 33, 33)).astype(np.float32)
    together, = session_of(network(tiny())).run(None, {"pictures": pictures})
    alone, = session_of(network(tiny())).run(None, {"pictures": pictures[1:]})
    assert together.shape == (2, 9) and np.isfinite(together).all()
    np.testing.assert_allclose(together[1:], alone, rtol=1e-4, atol=1e-4)
    lacking = {name: array for name, array in tiny().items() if name != "_blocks.3._bn1.bias"}
    for wrong in (lacking, {}, tiny(range(2, 10))):
        with pytest.raises(ConfigError, match="no weights of an EfficientNet-Lite"):
            network(wrong)


@pytest.mark.thorough
@pytest.mark.needs("imagenet")
def test_classes_of_imagenet_are_shared_out_among_names_that_mean_the_same():
    from dadu.perception.imagenet.namer import ImageNetNamer
    from dadu.perception.namer import Cut

    namer, names = ImageNetNamer(), ["mug", "banana", "laptop", "water_bottle"]
    cuts = [Cut(np.full((side, side, 3), 200, np.uint8), np.ones((side, side), bool)) for side in (1, 90, 400)]
    told = namer.chances(cuts, names)
    np.testing.assert_allclose(told.sum(axis=1), 1)
    assert [names[i] for i in namer._share(tuple(names))[[504, 954, 620, 898]].argmax(axis=1)] == names
