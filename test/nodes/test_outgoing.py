"""What the simulator sends keeps the contract of each message, which is more than ours."""

from types import SimpleNamespace

import numpy as np
import pytest
from dadu_nodes.simulator.publishers import Publishers
from good_messages import STUDIO
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import Image
from tf2_msgs.msg import TFMessage

from dadu.core.geometry import Pose2
from dadu.incoming.camera import camera_model
from dadu.incoming.numbers import joint_states
from dadu.robots import load_robot
from dadu.sim.backends import make_simulation
from dadu.sim.mujoco.robot.state import link_poses, robot_state
from dadu.sim.settings import CameraSettings, LaserSettings, SimulationSettings

NEAR = 1.5
"""[m] that the laser measures: walls and furniture of the house lie on both sides of that"""


class Radio:
    """In a node's place: keeps what is published, by topic."""

    context = SimpleNamespace(ok=lambda: True)

    def __init__(self):
        self.sent = {}

    def create_publisher(self, kind, topic, quality):
        return SimpleNamespace(publish=lambda message: self.sent.setdefault(topic, []).append(message))

    def has_parameter(self, name):
        return True

    def get_parameter(self, name):
        return SimpleNamespace(value="robot1_")


@pytest.fixture(scope="module")
def sent():
    robot, radio = load_robot("stretch"), Radio()
    settings = SimulationSettings(laser=LaserSettings(range_max=NEAR, noise=0.05),
                                  camera=CameraSettings(width=64, height=48))
    simulation = make_simulation("mujoco", STUDIO, [robot], 0, settings)
    publishers = Publishers(radio, robot, 0.1)
    view = simulation.snapshot()
    publishers.describe(link_poses(simulation.body, view, simulation.body.fixed_links))
    publishers.state(robot_state(simulation.body, simulation.data, view), Pose2(0.1, 0.2, 0.3))
    for _ in range(20):
        publishers.scan(simulation.scan(view))
    publishers.camera(simulation.robot.sensors.camera.render(view, 1.0))
    simulation.close()
    return radio.sent


def test_ranges_are_within_what_the_laser_measures_or_infinite(sent):
    for scan in sent["scan"]:
        ranges = np.array(scan.ranges)
        finite = ranges[np.isfinite(ranges)]
        assert 20 < len(finite) < len(ranges), "some see something, some nothing"
        assert (finite >= scan.range_min).all() and (finite <= scan.range_max).all() and not np.isnan(ranges).any()
        assert scan.angle_min + (len(ranges) - 1) * scan.angle_increment == pytest.approx(scan.angle_max, abs=1e-4)
        assert scan.scan_time > 0 and scan.header.frame_id == "robot1_laser"


def test_transforms_are_rotations_of_named_frames(sent):
    for topic in ("/tf", "/tf_static"):
        transforms = [t for data in sent[topic] for t in deserialize_message(data, TFMessage).transforms]
        assert transforms
        for t in transforms:
            q, p = t.transform.rotation, t.transform.translation
            assert np.linalg.norm((q.x, q.y, q.z, q.w)) == pytest.approx(1.0, abs=1e-6)
            assert np.isfinite((p.x, p.y, p.z)).all()
            assert t.header.frame_id and t.child_frame_id and t.header.frame_id != t.child_frame_id
        children = [t.child_frame_id for t in transforms]
        assert len(set(children)) == len(children), "each hangs in one frame"


def test_odometry_and_joints(sent):
    (odometry,), (joints,) = sent["odom"], sent["joint_states"]
    q = odometry.pose.pose.orientation
    assert np.linalg.norm((q.x, q.y, q.z, q.w)) == pytest.approx(1.0, abs=1e-9)
    covariance = np.array(odometry.pose.covariance).reshape(6, 6)
    assert (np.linalg.eigvalsh(covariance) > 0).all() and odometry.child_frame_id == "robot1_base_link"
    positions, efforts, lost = joint_states(joints.name, joints.position, joints.effort)
    assert not lost and len(positions) == len(efforts) == len(joints.name) == len(set(joints.name))


def test_a_camera_s_info_is_that_of_its_pictures(sent):
    (info,) = sent["camera/color/camera_info"]
    model = camera_model(info)
    for kind in ("color", "depth"):
        (image,) = sent[f"camera/{kind}/image_raw"]
        assert isinstance(image, Image) and image.header == info.header and len(image.data) == image.step * image.height
        assert np.array_equal(model.at(image.width, image.height), model.K)
    assert np.array_equal(np.array(info.p).reshape(3, 4)[:, :3].ravel(), info.k)
    assert np.array_equal(np.array(info.r).reshape(3, 3), np.eye(3)) and not any(info.d)
