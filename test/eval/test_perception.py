"""Physical episodes may be run with any registered detector."""

import numpy as np
import pytest

from dadu.eval.episode.backends import make_backend
from dadu.eval.options import EvalOptions
from dadu.perception import detectors
from dadu.perception.detector import Segment, Segmentation
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite
from dadu.world.graph import Kind


class Simple:
    """Takes the middle of every picture for a mug."""

    name = "simple"

    def segment(self, frame):
        labels = np.zeros(frame.depth.shape, np.int16)
        h, w = labels.shape
        labels[h // 2 - 20:h // 2 + 20, w // 2 - 20:w // 2 + 20] = 1
        return Segmentation(labels, (Segment("mug", 0.9),))


@pytest.fixture
def prepared(tmp_path):
    path = tmp_path / "s.suite.yaml"
    path.write_text("""{suite: s, episodes: [{id: a, instruction: go to the kitchen, house: flat, goal: {propositions: [
        {is_in_room: [[lemon_0], [kitchen]]}]}}]}""")
    return prepare_all(*load_suite(path))[0]


def test_what_the_detector_says_is_what_memory_knows(prepared, monkeypatch):
    monkeypatch.setitem(detectors.DETECTORS, "simple", detectors.Registration(f"{__name__}:Simple"))
    backend = make_backend(prepared, EvalOptions(perception="simple"))
    backend.settle()
    seen = {thing.category for thing in backend.stack.graph().of(Kind.OBJECT)}
    backend.stack.close()
    assert seen == {"mug"}
