"""Back-projection inverts projection, keeps what is seen and drops what bleeds over a mask's edge."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage
from tiers import examples

from dadu.core import geometry
from dadu.core.robot import GRAIN
from dadu.perception.backprojection import BackprojectionSettings
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.world.detection import DEPTH_STRIDE
from test.support.boxworld import K, SceneBox, look, render

TABLE = SceneBox("table_0", (2, 0, 0.7), (1.0, 1.6, 0.04))
CAMERA = look((0.2, 0, 1.35), (2, 0, 0.7))


def detect(boxes, camera=CAMERA, frame=None, **options):
    names = [box.name for box in boxes]
    detector = InstanceDetector(names, {name: name.rsplit("_", 1)[0] for name in names})
    frame = frame or render(boxes, camera, scale=2)
    seen = perceive(frame, detector, BackprojectionSettings(**options))
    return {d.instance: d for d in seen.detections}


def test_points_project_back_into_the_box_and_lie_on_the_surface():
    mug = SceneBox("mug_0", (1.8, 0.1, 0.78), (0.08, 0.09, 0.12), (200, 20, 20))
    d = detect([TABLE, mug])["mug_0"]
    outside = np.abs(d.points - mug.center) - np.array(mug.size) / 2
    assert np.abs(outside.max(axis=1)).max() < 1e-3
    camera = geometry.apply(geometry.inverse(CAMERA), d.points)
    uv = camera[:, :2] / camera[:, 2:] * 300 + (160, 120)
    x, y, width, height = d.box
    slack = 300 * GRAIN / camera[:, 2].min()
    assert (uv >= (x - slack, y - slack)).all() and (uv <= (x + width - 1 + slack, y + height - 1 + slack)).all()
    assert d.label == "mug" and d.attributes["color"] == "red" and not d.truncated


@examples(25)
@given(x=st.floats(1.5, 2.3), y=st.floats(-0.5, 0.5), size=st.tuples(*[st.floats(0.06, 0.25)] * 3))
def test_centre_and_size_of_any_box_that_shows_three_faces(x, y, size):
    box = SceneBox("box_0", (x, y, 0.72 + size[2] / 2), size)
    d = detect([TABLE, box])["box_0"]
    pixel = 2.6 / 300
    assert (d.size <= np.array(size) + 1e-3).all()
    np.testing.assert_allclose(d.size[1:], size[1:], atol=4 * pixel)
    np.testing.assert_allclose(d.centroid[1:], box.center[1:], atol=2 * pixel)


def test_noise_moves_the_estimate_no_more_than_itself():
    mug = SceneBox("mug_0", (1.8, 0.1, 0.78), (0.1, 0.1, 0.12))
    frame = render([TABLE, mug], CAMERA, scale=2)
    noise = np.random.default_rng(0).normal(0, 0.004, frame.depth.shape)
    noisy = dataclasses.replace(frame, depth=(frame.depth + noise).astype(np.float32))
    d = detect([TABLE, mug], frame=noisy)["mug_0"]
    np.testing.assert_allclose(d.centroid, mug.center, atol=0.015)


@pytest.mark.parametrize("by", [1, 2])
@pytest.mark.parametrize("behind", [SceneBox("wall_0", (3, 0, 1), (0.1, 4, 2)), TABLE])
def test_mask_that_bleeds_onto_what_is_behind_and_a_stray_patch_do_not_stretch_the_box(by, behind):
    can = SceneBox("can_0", (1.8, 0, 0.78), (0.07, 0.07, 0.12))
    frame = render([behind, can], CAMERA, scale=2)
    fat = ndimage.binary_dilation(frame.instances == 2, iterations=by)
    fat[10:12, 10:12] = True
    frame = dataclasses.replace(frame, instances=np.where(fat, 2, frame.instances).astype(np.int32))
    d = detect([behind, can], frame=frame)["can_0"]
    assert (d.size < np.array(can.size) + 0.012).all()


def test_a_handle_is_no_outlier():
    pan, handle = (SceneBox("pan_0", (1.8, y, 0.74), (size, size, 0.04)) for y, size in ((0.0, 0.2), (0.2, 0.04)))
    handle = dataclasses.replace(handle, size=(0.02, 0.2, 0.02))
    frame = render([TABLE, pan, handle], CAMERA, scale=2)
    frame = dataclasses.replace(frame, instances=np.where(frame.instances == 3, 2, frame.instances))
    assert detect([TABLE, pan, handle], frame=frame)["pan_0"].size[1] > 0.38


def test_evidence_truncation_range_and_missing_depth():
    near_edge = SceneBox("box_0", (1.5, 0.88, 0.8), (0.2, 0.2, 0.2))
    tiny = SceneBox("pea_0", (2.2, 0, 0.73), (0.01, 0.01, 0.01))
    seen = detect([TABLE, near_edge, tiny])
    assert seen["box_0"].truncated and "pea_0" not in seen
    frame = render([TABLE, near_edge], CAMERA, scale=2)
    for reading in (0.0, np.nan, np.inf):
        blind = dataclasses.replace(frame, depth=np.full_like(frame.depth, reading))
        assert detect([TABLE, near_edge], frame=blind) == {}
    assert "table_0" not in detect([TABLE], range=(0.2, 0.9))


def test_cloud_is_bounded_and_covers_what_is_seen():
    boxes = [TABLE, SceneBox("box_0", (1.8, 0, 0.9), (0.3, 0.3, 0.36))]
    for d in detect(boxes, camera=look((0.5, 0, 1.3), (2, 0, 0.7))).values():
        assert 100 < len(d.points) <= 512
        np.testing.assert_allclose(np.ptp(d.points, axis=0), d.size, atol=0.06)


def test_coarse_depth_is_the_middle_of_each_block():
    frame = render([TABLE], CAMERA)
    coarse = perceive(frame, InstanceDetector(["table_0"], {})).depth
    assert coarse.shape == (480 // DEPTH_STRIDE, 640 // DEPTH_STRIDE)
    assert coarse[40, 30] == frame.depth[40 * 8 + 4, 30 * 8 + 4]
    assert K[0, 0] == frame.K[0, 0]
