"""States by their looks: what is asked of the network, what is told, and what the shipped one makes of pictures."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.core.robot import CameraFrame
from dadu.perception.detector import Segment, Segmentation
from dadu.perception.learned.crops import View, crop
from dadu.perception.pipeline import perceive
from dadu.perception.states import STATES, StateReader, StateSettings, cut_out
from dadu.perception.upright import quarter_turns
from test.support.boxworld import SceneBox, look, render

LAMP = SceneBox("lamp_0", (1.6, 0.1, 0.8), (0.12, 0.12, 0.16), (200, 190, 150))
WALL = SceneBox("wall_0", (3, 0, 1.2), (0.1, 8, 2.4))


def picture(turned=0):
    frame = render([WALL, LAMP], look((0, 0, 1.3), (1.6, 0.0, 0.8)))
    labels = (frame.instances == 2).astype(np.int16)
    if turned:  # the camera lies on its side
        R = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
        T = frame.T_map_camera.copy()
        T[:3, :3] = T[:3, :3] @ R.T
        rgb, depth, labels = (np.ascontiguousarray(np.rot90(a, -1)) for a in (frame.rgb, frame.depth, labels))
        K = np.array([[frame.K[1, 1], 0, frame.depth.shape[0] - 1 - frame.K[1, 2]], [0, frame.K[0, 0], frame.K[0, 2]],
                      [0, 0, 1]])
        frame = CameraFrame(0.0, rgb, depth, K, T)
    return frame, Segmentation(labels, (Segment("lamp"),))


class Fixed(StateReader):
    """With answers of one's own."""

    def __init__(self, **chances):
        self.settings, self.asked, self._turn = StateSettings(), 0, 0
        self._told = {"lamp": ["is_powered_on"], "mug": ["is_filled", "is_clean"]}
        self._answer = np.array([chances.get(state, 0.5) for state in STATES])

    def chances(self, crops):
        self.asked = len(crops)
        return np.tile(self._answer, (len(crops), 1))


@pytest.mark.parametrize("turned", [0, 1])
def test_a_part_of_the_picture_gives_the_same_crop_as_the_whole(turned):
    frame, found = picture(turned)
    turns = quarter_turns(frame.T_map_camera[:3, :3])
    assert (turns != 0) == bool(turned)
    whole, part = crop(View.from_frame(frame), np.rot90(found.labels == 1, turns)), cut_out(frame, found, 0)
    np.testing.assert_allclose(part.sizes, whole.sizes, rtol=1e-4)
    for name in ("rgb", "mask", "relief"):
        one, other = (getattr(c, name).astype(int) for c in (part, whole))
        assert np.abs(one - other).max() <= 1, name


def test_what_is_large_is_cut_out_coarser_and_is_as_large():
    frame = render([WALL, LAMP], look((1.1, 0, 1.0), (1.6, 0.1, 0.8)))
    found = Segmentation((frame.instances == 2).astype(np.int16), (Segment("lamp"),))
    whole, part = crop(View.from_frame(frame), found.labels == 1), cut_out(frame, found, 0)
    assert part.sizes[2] < whole.sizes[2] / 1.5
    assert part.sizes[0] == pytest.approx(whole.sizes[0], rel=0.03)
    assert np.abs(part.rgb.astype(int) - whole.rgb).mean() < 6 and np.abs(part.mask.astype(int) - whole.mask).mean() < 6


def test_states_that_are_sure_are_told_with_their_chance_and_reach_the_detection():
    frame, found = picture()
    reader = Fixed(is_powered_on=0.97, is_filled=0.99)

    class Detector:
        name = "mine"

        def segment(self, frame):
            return found

    seen, = perceive(frame, Detector(), states=reader).detections
    assert dict(seen.states) == {"is_powered_on": 0.97} and reader.asked == 1
    seen, = perceive(frame, Detector()).detections
    assert seen.states == {}


@pytest.mark.parametrize(("segment", "told"), [
    (Segment("lamp"), {}),
    (Segment("mug"), {"is_clean": 0.02}),
    (Segment("mug", 0.2), {}),
    (Segment("sofa"), {}),
])
def test_nothing_is_told_that_is_not_sure_or_of_what_it_does_not_know(segment, told):
    frame, found = picture()
    seen = Fixed(is_powered_on=0.6, is_filled=0.75, is_clean=0.02).read(frame, replace(found, segments=(segment,)))
    assert dict(seen.segments[0].states) == told


def test_what_is_small_is_not_looked_at_and_many_take_turns():
    frame, found = picture()
    rows, columns = found.boxes[0]
    labels = np.zeros_like(found.labels)
    labels[rows.start:rows.start + 5, columns.start:columns.start + 5] = 1
    reader = Fixed(is_powered_on=0.97)
    assert reader.read(frame, Segmentation(labels, found.segments)).segments[0].states == {} and reader.asked == 0
    labels = np.zeros_like(found.labels)
    for i in range(20):
        labels[100:125 + i, 20 * i:20 * i + 18] = i + 1
    found, turns = Segmentation(labels, (Segment("lamp"),) * 20), []
    for _ in range(7):
        told = [i for i, segment in enumerate(reader.read(frame, found).segments) if segment.states]
        assert len(told) == reader.settings.most
        turns += told
    assert set(turns) == set(range(20)) and len(turns) == 21


def test_another_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="no such file"):
        StateReader(tmp_path / "states.onnx")
    (tmp_path / "states.onnx").write_bytes(b"nothing")
    with pytest.raises(ConfigError, match="holds no network"):
        StateReader(tmp_path / "states.onnx")
