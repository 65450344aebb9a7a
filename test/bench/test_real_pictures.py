"""The labels of real pictures are whole, and a made-up picture is scored as it should be."""

import hashlib

import cv2
import numpy as np
import pytest

from bench.real_pictures import LABELS, Figures, Labels, Level, answers, overlap, pose
from dadu.core.config import load, parse
from dadu.core.errors import DaduError
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.perception.detector import Segment, Segmentation
from dadu.world.graph import UNIDENTIFIED

K = np.array([[300.0, 0, 80], [0, 300.0, 60], [0, 0, 1]])


def pictures():
    return [picture for path in LABELS.glob("*.yaml") for picture in load(Labels, path).pictures]


def test_labels_name_what_the_catalogue_has_and_half_was_never_tuned_to():
    known = {*object_categories(), *furniture_categories()}
    for picture in pictures():
        for thing in (*picture.things, *picture.furniture):
            assert set(thing.names) <= known and thing.box[0] < thing.box[2] and thing.box[1] < thing.box[3]
            assert not thing.names or thing.called
    told = [(picture.tuned, len(picture.things)) for picture in pictures()]
    assert len(told) >= 12 and sum(n for tuned, n in told if not tuned) >= sum(n for _, n in told) / 2


@pytest.mark.parametrize("tilt", [0.2, 0.8, 1.5])
def test_where_the_camera_was_is_found_from_what_is_level(tilt):
    v, u = np.mgrid[:120, :160]
    up = np.array([0, -np.cos(tilt), -np.sin(tilt)])  # in the optical frame
    rays = np.stack([(u - 80) / 300, (v - 60) / 300, np.ones(u.shape)], axis=-1) @ up
    depth = np.where(rays < -0.05, -1.1 / np.minimum(rays, -0.05), 0).astype(np.float32)
    T = pose(depth, K, Level(region=(10, 80, 150, 118), height=0.7))
    assert T[2, 3] == pytest.approx(1.8, abs=0.01) and T[2, :3] == pytest.approx(up, abs=0.01)
    assert np.linalg.det(T[:3, :3]) == pytest.approx(1)
    with pytest.raises(DaduError, match="no depth"):
        pose(np.zeros_like(depth), K, Level(region=(10, 80, 150, 118), height=0.7))


class Eyes:
    """Sees a mug where one is, for certain, and something half on a cup that it does not know."""

    name = "made up"

    def segment(self, frame):
        labels = np.zeros(frame.depth.shape, np.int16)
        labels[10:30, 20:50], labels[60:80, 100:130] = 1, 2
        return Segmentation(labels, (Segment("mug", 0.9), Segment("bowl", 0.2, others=((UNIDENTIFIED, 0.6),))))


def picture_in(folder):
    depth = np.full((120, 160), 1000, np.uint16)
    depth += (np.arange(120)[::-1, None] * 4).astype(np.uint16)
    files = {}
    for kind, data in (("color", np.zeros((120, 160, 3), np.uint8)), ("depth", depth)):
        path = folder / f"{kind}.png"
        cv2.imwrite(str(path), data)
        files[kind] = {"file": path.name, "hash": hashlib.sha256(path.read_bytes()).hexdigest()[:16], "of": "a test"}
    things = [{"box": [20, 10, 50, 30], "names": ["mug"], "called": "mug"},
              {"box": [105, 60, 135, 80], "names": ["cup"], "called": "cup"}, {"box": [0, 90, 20, 110]}]
    told = {**files, "focal": [300, 300], "middle": [80, 60], "level": {"region": [0, 60, 160, 120], "height": 0.0},
            "tuned": False, "things": things}
    return parse(Labels, {"pictures": [told]}, "test").pictures[0]


def test_cut_right_wrong_and_unknown_are_told_apart(tmp_path):
    picture = picture_in(tmp_path)
    figures = Figures()
    answers(Eyes(), picture, tmp_path, figures)
    mug, cup, other = figures.answers
    assert mug.right and mug.named and cup.segment and not cup.right and not cup.named and other.segment is None
    told = dict(figures.lines())
    assert told["things: cut"] == "0.67 (2 of 3)" and told["things: named right among the catalogue"] == "0.50 (1 of 2)"
    assert told["said not to be known, of all cut"] == "0.50 (1 of 2)"
    (tmp_path / "color.png").write_bytes(b"another")
    with pytest.raises(DaduError, match="not the picture"):
        answers(Eyes(), picture, tmp_path, figures)


def test_boxes_overlap_by_intersection_over_union():
    assert overlap((0, 0, 2, 2), (1, 0, 3, 2)) == pytest.approx(1 / 3) and overlap((0, 0, 1, 1), (2, 2, 3, 3)) == 0
