"""Namers: their registry, and what several say together."""

import sys
from pathlib import Path

import numpy as np
import pytest
from colour_pictures import GREEN, RED, frame
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.errors import ConfigError, MissingExtra
from dadu.perception.detectors import make_detector
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
    assert named("own") == ("own",) and named("own + clip") == ("own", "clip")
    for wrong, complaint in (("telepathy", "unknown namer 'telepathy'; valid: clip, own"),
                             ("own+own", "each once"), ("own+", "unknown namer ''")):
        with pytest.raises(ConfigError, match=complaint):
            named(wrong)
    with pytest.raises(ConfigError, match="names things itself"):
        make_detector("ground_truth", namer="own")
    monkeypatch.setitem(NAMERS, "heavy", Registration("no_such_library.x:Y", "vision"))
    with pytest.raises(MissingExtra, match=r"\.\[vision\]"):
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
