"""How far names are trusted, and what is left over: that nobody knows what it is."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dadu.core.errors import ConfigError
from dadu.perception.learned.crops import SIDE, Crop
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.trust import SIGNS, digest, signs
from dadu.perception.namer import opinion

DATA = Path(__file__).parent / "data"


def crop(rng):
    square = (SIDE, SIDE)
    return Crop(rng.integers(0, 256, (*square, 3)).astype(np.uint8), rng.choice([0, 255], square).astype(np.uint8),
                rng.integers(-128, 128, square).astype(np.int8), rng.random(3).astype(np.float32))


@given(st.integers(0, 8), st.integers(0, 99))
def test_signs_are_finite_whatever_is_seen(count, seed):
    rng = np.random.default_rng(seed)
    told = signs([crop(rng) for _ in range(count)], rng.choice([0.0, 0.5, 1.0], count), rng.uniform(-1, 1, count),
                 rng.choice([0.0, 1.0, 40.0], count))
    assert told.shape == (count, len(SIGNS)) and np.isfinite(told).all()


@given(arrays.arrays(float, (4, 3), elements=st.floats(0.01, 1)), st.floats(0, 1))
def test_chances_are_only_lowered_and_what_is_left_is_unknown(raw, right):
    chances = raw / raw.sum(axis=1, keepdims=True)
    told = opinion(chances, np.full(len(raw), right))
    np.testing.assert_allclose(told.sum(axis=1), 1)
    assert (told[:, :-1] <= chances + 1e-9).all() and (told[:, :-1].max(axis=1) <= right + 1e-9).all()
    np.testing.assert_array_equal(told[:, :-1].argmax(axis=1) if right else 0, chances.argmax(axis=1) if right else 0)


def detector_with(tmp_path, **changed):
    for name in ("colours.onnx", "namer.onnx"):
        shutil.copy(DATA / name, tmp_path / name)
    told = {"namer": digest(tmp_path / "namer.onnx"), "weights": [0.0] * len(SIGNS), "bias": 0.0} | changed
    (tmp_path / "trust.yaml").write_text(yaml.safe_dump(told))
    return LearnedDetector(tmp_path / "colours.onnx")


def test_what_lies_beside_another_namer_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="another namer"):
        detector_with(tmp_path, namer="0" * 16)
    with pytest.raises(ConfigError, match="signs"):
        detector_with(tmp_path, weights=[1.0])
    (_, trust), = detector_with(tmp_path).asked
    assert trust is not None and LearnedDetector(DATA / "colours.onnx").asked == [(None, None)]
