"""Pictures of cameras that are calibrated, cut, binned or bent in any way: what is where is where it was."""

import math
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from dadu.core.errors import NotUsable
from dadu.core.geometry import transform
from dadu.incoming.camera import camera_model, depth_alone, looks_up, rgbd

K = np.array([[60.0, 0, 32.3], [0, 58.0, 23.1], [0, 0, 1]])
POINT = np.array([0.2, -0.1, 1.5])
"""[m] in the optical frame: there stands a red thing before a grey wall at 2 m"""
WALL = 2.0


def info(K=K, width=64, height=48, d=(), model="plumb_bob", roi=(0, 0, 0, 0), binning=(0, 0), frame="optical"):
    left, top, across, down = roi
    return SimpleNamespace(header=SimpleNamespace(frame_id=frame), k=K.ravel().tolist(), width=width, height=height,
                           d=list(d), distortion_model=model, binning_x=binning[0], binning_y=binning[1],
                           roi=SimpleNamespace(x_offset=left, y_offset=top, width=across, height=down))


def image(pixels, encoding, frame="optical"):
    pixels = np.ascontiguousarray(pixels)
    return SimpleNamespace(header=SimpleNamespace(frame_id=frame), width=pixels.shape[1], height=pixels.shape[0],
                           encoding=encoding, step=pixels.strides[0], is_bigendian=0, data=pixels.tobytes())


def seen(K, width, height, distortion=None, size=3):
    """Colour and depth pictures of the scene, by a camera of that matrix."""
    rgb, depth = np.full((height, width, 3), 90, np.uint8), np.full((height, width), WALL * 1000, np.uint16)
    d = np.zeros(5) if distortion is None else np.array(distortion)
    (u, v), = cv2.projectPoints(POINT[None], np.zeros(3), np.zeros(3), K, d)[0].reshape(-1, 2)
    spot = (slice(max(0, round(v) - size), round(v) + size + 1), slice(max(0, round(u) - size), round(u) + size + 1))
    rgb[spot], depth[spot] = (255, 0, 0), POINT[2] * 1000
    return rgb, depth


def where(frame):
    """[m] in the optical frame: the middle of what is red, by colour's pixels and depth's metres."""
    red = (frame.rgb[..., 0] > 200) & (frame.rgb[..., 1] < 50)
    assert red.any()
    v, u = (axis.mean() for axis in np.nonzero(red))
    z = float(np.median(frame.depth[red]))
    return np.array([(u - frame.K[0, 2]) * z / frame.K[0, 0], (v - frame.K[1, 2]) * z / frame.K[1, 1], z])


def made(color_info, color, depth, depth_info=None):
    camera = camera_model(color_info)
    of_depth = camera_model(depth_info) if depth_info is not None else None
    return rgbd(1.0, image(color, "rgb8"), image(depth, "16UC1"), camera, of_depth, np.eye(4))


def scaled(factor, K=K):
    larger = K.copy()
    larger[:2] *= factor
    larger[:2, 2] = (K[:2, 2] + 0.5) * factor - 0.5
    return larger


def test_a_calibrated_camera_sees_the_thing_where_it_is():
    rgb, depth = seen(K, 64, 48)
    assert np.allclose(where(made(info(), rgb, depth)), POINT, atol=0.02)


@pytest.mark.parametrize("factor", [2, 0.5])
def test_calibration_at_another_resolution(factor):
    rgb, depth = seen(scaled(factor), int(64 * factor), int(48 * factor))
    assert np.allclose(where(made(info(), rgb, depth)), POINT, atol=0.04)


def test_a_part_of_the_sensor_and_binning():
    part = K - [[0, 0, 10], [0, 0, 6], [0, 0, 0]]
    rgb, depth = seen(part, 40, 30)
    assert np.allclose(where(made(info(roi=(10, 6, 40, 30)), rgb, depth)), POINT, atol=0.02)
    rgb, depth = seen(scaled(0.5), 32, 24, size=1)
    assert np.allclose(where(made(info(binning=(2, 2)), rgb, depth)), POINT, atol=0.06)


@pytest.mark.parametrize("factor", [2, 0.5])
@pytest.mark.parametrize("told", [True, False])
def test_depth_of_another_size_is_registered(factor, told):
    rgb, _ = seen(K, 64, 48)
    _, depth = seen(scaled(factor), int(64 * factor), int(48 * factor), size=round(3 * factor))
    of_depth = info(scaled(factor), int(64 * factor), int(48 * factor)) if told else None
    frame = made(info(), rgb, depth, of_depth)
    assert frame.depth.shape == (48, 64)
    assert np.allclose(where(frame), POINT, atol=0.03)


def test_depth_of_another_view_from_the_same_place_is_registered_by_its_own_calibration():
    wide = np.array([[40.0, 0, 40.0], [0, 40.0, 20.0], [0, 0, 1]])
    rgb, _ = seen(K, 64, 48)
    _, depth = seen(wide, 80, 40, size=2)
    assert np.allclose(where(made(info(), rgb, depth, info(wide, 80, 40))), POINT, atol=0.03)
    with pytest.raises(NotUsable, match="80 x 40.*camera_info"):
        made(info(), rgb, depth)


@pytest.mark.parametrize(("model", "d"), [
    ("plumb_bob", (-0.3, 0.1, 0.002, -0.001, 0.0)), ("rational_polynomial", (-0.3, 0.1, 0, 0, 0, 0, 0, 0)),
    ("plumb_bob", (-0.3, 0.1, 0.002, -0.001) + (0,) * 8)])
def test_a_bent_picture_is_straightened(model, d):
    large = scaled(4)
    rgb, depth = seen(large, 256, 192, d)
    frame = made(info(large, 256, 192, d, model), rgb, depth)
    assert np.allclose(where(frame), POINT, atol=0.01)
    straight, _ = seen(large, 256, 192)
    assert np.abs(frame.rgb.astype(int) - straight).mean() < 3


@pytest.mark.parametrize(("model", "told"), [("plumb_bob", 4), ("plumb_bob", 5), ("equidistant", 4),
                                             ("rational_polynomial", 8), ("rational_polynomial", 12)])
@pytest.mark.parametrize("more", range(7))
def test_zeros_at_the_end_of_a_distortion_say_nothing(model, told, more):
    d = (0.01,) * told
    assert camera_model(info(d=d + (0.0,) * more, model=model)).distortion == d


@pytest.mark.parametrize(("amiss", "said"), [
    (info(np.zeros((3, 3))), "not calibrated"), (info(K * np.nan), "not calibrated"),
    (info(K * 1000), "cannot be that"), (info(K.T), "row by row"),
    (info(d=(np.nan,) * 5), "not finite"), (info(d=(1.0, 2.0)), "distortion"),
    (info(d=(0.1,) * 5, model="mine"), "'mine'"), (info(roi=(60, 0, 10, 10)), "sends"), (info(width=0), "no picture")])
def test_cameras_that_are_none(amiss, said):
    with pytest.raises(NotUsable, match=said):
        camera_model(amiss)


def test_pictures_that_do_not_go_together_are_refused_in_a_sentence():
    rgb, depth = seen(K, 64, 48)
    camera = camera_model(info())
    with pytest.raises(NotUsable, match="depth is seen from other, colour from optical"):
        rgbd(1.0, image(rgb, "rgb8"), image(depth, "16UC1", "other"), camera, None, np.eye(4))
    with pytest.raises(NotUsable, match="calibrated for 64 x 48.*64 x 40"):
        rgbd(1.0, image(rgb[:40], "rgb8"), image(depth[:40], "16UC1"), camera, None, np.eye(4))
    with pytest.raises(NotUsable, match="instances are 64 x 40"):
        rgbd(1.0, image(rgb, "rgb8"), image(depth, "16UC1"), camera, None, np.eye(4), image(depth[:40], "16UC1"))
    blind = image(np.zeros_like(depth), "16UC1")
    for look in (lambda: rgbd(1.0, image(rgb, "rgb8"), blind, camera, None, np.eye(4)),
                 lambda: depth_alone(1.0, blind, camera, None, np.eye(4))):
        with pytest.raises(NotUsable, match="not one reading"):
            look()


@given(yaw=st.floats(-math.pi, math.pi), pitch=st.floats(-1.4, 0.4), roll=st.floats(-0.3, 0.3))
def test_a_camera_s_body_is_told_from_its_optics(yaw, pitch, roll):
    """`pitch` [rad] downward is negative: a camera on a robot looks ahead, or down."""
    body = transform(Rotation.from_euler("ZYX", (yaw, -pitch, roll)).as_matrix(), (0, 0, 1))
    optics = body @ transform(np.array([[0, 0, 1], [-1, 0, 0], [0, -1, 0]]), (0, 0, 0))
    assert not looks_up(optics, "camera_optical")
    if abs(pitch) < 0.3 and abs(roll) < 0.2:
        assert "camera_link" in looks_up(body, "camera_link")


def test_depth_alone_goes_by_the_camera_of_its_frame():
    _, depth = seen(scaled(2), 128, 96)
    color, of_depth = camera_model(info(frame="color")), camera_model(info(scaled(2), 128, 96, frame="depth"))
    frame = depth_alone(1.0, image(depth, "16UC1", "depth"), color, of_depth, np.eye(4))
    assert frame.depth.shape == (96, 128) and np.allclose(frame.K, scaled(2))
    with pytest.raises(NotUsable, match="depth is seen from depth, and calibrated are: color"):
        depth_alone(1.0, image(depth, "16UC1", "depth"), color, None, np.eye(4))
