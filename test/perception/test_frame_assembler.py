"""Pictures are paired by stamp, wait for their transform, and gaps are counted."""

import numpy as np
import pytest

from dadu.core.transforms import TransformError, TransformTree
from dadu.perception.frame_assembler import FrameAssembler, LossCounter


class Rig:
    def __init__(self, kinds=("rgb", "depth")):
        self.tree = TransformTree(extrapolation=0.0)
        self.frames = FrameAssembler(kinds, lambda frame, stamp: self.tree.lookup("map", frame, stamp))

    def tf(self, stamp, x=0.0):
        self.tree.set("map", "camera", (x, 0, 0), (0, 0, 0, 1), stamp)

    def add(self, stamp, *kinds):
        for kind in kinds:
            self.frames.add(kind, stamp, "camera", f"{kind} {stamp}")

    def take(self):
        return [(stamp, pictures["rgb"], T[0, 3]) for stamp, pictures, T in self.frames.take()]


def test_sets_are_handed_out_once_in_order_with_the_pose_at_their_stamp():
    rig = Rig()
    rig.tf(0.0, x=0.0)
    rig.tf(1.0, x=1.0)
    rig.add(0.4, "depth", "rgb")
    rig.add(0.2, "rgb", "depth")
    assert rig.take() == [(0.2, "rgb 0.2", pytest.approx(0.2)), (0.4, "rgb 0.4", pytest.approx(0.4))]
    assert rig.take() == []


def test_where_only_the_newest_counts_the_others_are_passed_over():
    rig = Rig()
    rig.tf(0.0)
    rig.tf(1.0)
    for stamp in (0.2, 0.3, 0.4):
        rig.add(stamp, "rgb", "depth")
    rig.add(0.5, "rgb")
    assert [stamp for stamp, _, _ in rig.frames.take_newest()] == [0.4] and rig.frames.passed_over == 2
    rig.add(0.5, "depth")
    assert [stamp for stamp, _, _ in rig.frames.take_newest()] == [0.5] and rig.frames.passed_over == 2
    assert not list(rig.frames.take_newest())


def test_a_set_waits_for_its_last_picture_and_its_transform():
    rig = Rig()
    rig.add(0.5, "rgb")
    assert rig.take() == []
    rig.add(0.5, "depth")
    assert rig.take() == []
    rig.tf(0.4)
    assert rig.take() == []
    rig.tf(0.6)
    assert len(rig.take()) == 1


def test_what_does_not_become_complete_is_dropped_and_counted():
    rig = Rig()
    rig.tf(0.0)
    rig.tf(1.9)
    rig.add(0.5, "rgb")
    rig.add(1.8, "rgb", "depth")
    rig.add(3.2, "rgb", "depth")
    assert [stamp for stamp, *_ in rig.take()] == [1.8]
    rig.add(5.0, "rgb", "depth")
    assert rig.take() == []
    assert (rig.frames.incomplete, rig.frames.unplaced) == (1, 1)


def test_time_that_goes_back_starts_afresh():
    rig = Rig()
    rig.add(500.0, "rgb")
    rig.tf(0.0)
    rig.tf(2.0)
    rig.add(1.0, "rgb", "depth")
    assert len(rig.take()) == 1


def test_an_unknown_frame_is_no_error_of_the_assembler():
    def pose(frame, stamp):
        raise TransformError("no such frame")
    frames = FrameAssembler(("rgb",), pose)
    for stamp in np.arange(0, 3, 0.2):
        frames.add("rgb", float(stamp), "nowhere", None)
        assert list(frames.take()) == []
    assert frames.unplaced >= 8


@pytest.mark.parametrize("period", [0.2, 1 / 30])
def test_losses_are_counted_from_gaps(period):
    counter = LossCounter()
    rng = np.random.default_rng(0)
    gone = {20, 21, 50}
    for i in range(100):
        if i not in gone:
            counter.add(i * period + rng.normal(0, 0.05 * period))
    assert (counter.received, counter.lost) == (97, 3)
    counter.add(0.0)
    assert counter.lost == 3
