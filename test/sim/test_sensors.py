"""Camera and laser agree with the true geometry."""

import numpy as np
import pytest
from small_worlds import BLIND, CAN, FRIDGE, TABLE, move, simulation

from dadu.core.geometry import apply
from dadu.sim.mujoco.camera import intrinsics
from dadu.sim.settings import CameraSettings, LaserSettings, SimulationSettings

EXACT = SimulationSettings(camera=CameraSettings(rate=5), laser=LaserSettings(rate=10, noise=0))
LOOK_RIGHT = {"joint_head_pan": -1.5708, "joint_head_tilt": -0.6}


def visible(sim):
    """Pixels by instance name, and the picture."""
    frame = sim.render()
    values, counts = np.unique(frame.instances, return_counts=True)
    return {sim.instance_names[v - 1]: int(n) for v, n in zip(values, counts) if v}, frame


def points_of(frame, mask):
    """(N, 3) in map [m]."""
    v, u = np.nonzero(mask)
    z = frame.depth[v, u]
    K = frame.K
    return apply(frame.T_map_camera, np.stack([(u - K[0, 2]) * z / K[0, 0], (v - K[1, 2]) * z / K[1, 1], z], axis=1))


@pytest.fixture(scope="module")
def looking():
    sim = simulation(objects=[CAN | {"attributes": {"color": "red"}}], settings=EXACT)
    move(sim, LOOK_RIGHT, 2.0)
    yield sim
    sim.close()


def test_a_picture_has_the_announced_shape(looking):
    frame = looking.robot.observe().camera
    assert frame.rgb.shape == (480, 640, 3) and frame.depth.shape == frame.instances.shape == (480, 640)
    assert frame.rgb.dtype == np.uint8 and frame.depth.dtype == np.float32 and frame.instances.dtype == np.int32
    assert 2 * np.degrees(np.arctan(240 / frame.K[1, 1])) == pytest.approx(42.0)


def test_back_projected_pixels_lie_on_the_object(looking):
    pixels, frame = visible(looking)
    assert pixels["can_0"] > 200
    box = looking.ground_truth().bodies["can_0"].box
    points = points_of(frame, frame.instances == looking.instance_names.index("can_0") + 1)
    local = np.abs(box.local(points))
    assert np.quantile(local - box.size / 2, 0.99) < 0.004  # on or inside its box
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    # Only the near side is seen: across the line of sight and upwards the centre is that of the object.
    assert abs(centre[0] - box.centre[0]) < 0.01 and abs(centre[2] - box.centre[2]) < 0.01


def test_table_top_is_level_at_its_height(looking):
    _, frame = visible(looking)
    points = points_of(frame, frame.instances == looking.instance_names.index("table_0") + 1)
    top = points[points[:, 2] > 0.70]
    assert np.median(top[:, 2]) == pytest.approx(TABLE["size"][2], abs=0.002)


def test_the_camera_is_mounted_rotated(looking):
    _, frame = visible(looking)
    assert frame.T_map_camera[2, 0] < -0.7  # the picture's x points down
    assert frame.T_map_camera[1, 2] < -0.7  # and it looks to the robot's right


def test_a_picture_is_drawn_again_only_when_something_in_it_has_changed():
    sim = simulation(objects=[CAN], settings=EXACT)
    move(sim, LOOK_RIGHT, 4.0)
    first = sim.render()
    sim.advance(0.2)
    second = sim.render()
    assert second.rgb is first.rgb and second.depth is first.depth and second.stamp == pytest.approx(first.stamp + 0.2)
    sim.disturb("move", "can_0", position=(2.6, 1.0, 0.85))
    third = sim.render()
    assert third.rgb is not first.rgb and (third.depth != first.depth).any()
    sim.close()


def test_what_is_in_a_closed_fridge_is_not_seen():
    sim = simulation(furniture=[FRIDGE], objects=[{"name": "milk_0", "category": "milk_carton", "in": "fridge_0"}],
                     robot=(2.5, 1.6, 0.0), settings=EXACT)
    move(sim, LOOK_RIGHT, 2.0)
    assert "fridge_0" in visible(sim)[0] and "milk_0" not in visible(sim)[0]
    sim.disturb("open", target="fridge_0")
    assert "milk_0" in visible(sim)[0]
    sim.close()


def test_the_laser_measures_the_walls_and_not_the_robot():
    sim = simulation(furniture=[], objects=[], robot=(2.0, 2.0, 0.0), settings=EXACT)
    scan = sim.scan()
    angles = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
    ahead, left, back, right = (scan.ranges[np.argmin(np.abs(np.angle(np.exp(1j * (angles - a)))))]
                                for a in (0.0, np.pi / 2, np.pi, -np.pi / 2))
    # Walls are 0.1 m thick; the room is 5 m by 4 m.
    assert (ahead, left, back, right) == pytest.approx((2.95, 1.95, 1.95, 1.95), abs=0.01)
    assert scan.T_base_laser[2, 3] == pytest.approx(0.166)


def test_the_laser_sees_what_blocks_the_way():
    sim = simulation(furniture=[], objects=[], robot=(2.0, 2.0, 0.0), settings=EXACT)
    sim.disturb("block", position=(3.2, 2.0, 0.0))
    middle = len(sim.scan().ranges) // 2
    assert sim.scan().ranges[middle] == pytest.approx(1.0, abs=0.01)
    sim.disturb("unblock")
    assert sim.scan().ranges[middle] > 2.5


def test_sensors_keep_their_rates_in_observations():
    sim = simulation(settings=EXACT)
    stamps = set()
    for _ in range(40):
        observation = sim.robot.observe()
        stamps.add((observation.scan.stamp, observation.camera.stamp))
        sim.advance(0.05)
    assert len({scan for scan, _ in stamps}) == 20 and len({camera for _, camera in stamps}) == 10
    sim.close()


def test_sensors_that_are_switched_off_give_nothing():
    observation = simulation(settings=BLIND).robot.observe()
    assert observation.camera is None and observation.scan is None


def test_square_pixels():
    K = intrinsics(CameraSettings(width=320, height=240))
    assert K[0, 0] == K[1, 1] and tuple(K[:2, 2]) == (159.5, 119.5)
