import mujoco
import numpy as np
import pinocchio as pin
import pytest

from dadu.config import ConfigError
from dadu.robots import UnknownRobot, list_robots, load_robot
from dadu.robots.loader import robots_directory

FRAMES = ("grasp_center", "camera_color_optical_frame", "gripper_camera_color_optical_frame", "laser", "link_gripper")


@pytest.fixture(scope="module")
def robot():
    return load_robot("stretch")


def test_published_places_at_zero(robot):
    model = pin.buildModelFromUrdf(robot.urdf)
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))

    def at(frame):
        return data.oMf[model.getFrameId(frame)]

    np.testing.assert_allclose(at("grasp_center").translation, [-0.021, -0.415, 0.115], atol=1e-6)
    np.testing.assert_allclose(at("camera_color_optical_frame").translation, [0.045, -0.003, 1.322], atol=1e-6)
    np.testing.assert_allclose(at("grasp_center").rotation[:, 0], [0, -1, 0], atol=1e-6)  # the arm points to -y
    np.testing.assert_allclose(at("camera_color_optical_frame").rotation[:, 2], [1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(at("camera_color_optical_frame").rotation[:, 0], [0, 0, -1], atol=1e-6)  # rotated


@pytest.mark.parametrize("seed", range(3))
def test_pinocchio_and_mujoco_agree(robot, seed):
    rng = np.random.default_rng(seed)
    joints = {name: rng.uniform(limit.lower, limit.upper) for name, limit in robot.joints.items()}
    joints |= {"joint_arm_outer": joints["wrist_extension"] / 3, "joint_arm_inner": joints["wrist_extension"] * 2 / 3}

    model = pin.buildModelFromUrdf(robot.urdf)
    data, q = model.createData(), pin.neutral(model)
    physics = mujoco.MjSpec.from_file(robot.urdf).compile()
    state = mujoco.MjData(physics)
    for name, value in joints.items():
        q[model.joints[model.getJointId(name)].idx_q] = value
        state.joint(name).qpos = value
    pin.framesForwardKinematics(model, data, q)
    mujoco.mj_kinematics(physics, state)
    for frame in FRAMES:
        pose = data.oMf[model.getFrameId(frame)]
        np.testing.assert_allclose(state.body(frame).xpos, pose.translation, atol=1e-9)
        np.testing.assert_allclose(state.body(frame).xmat.reshape(3, 3), pose.rotation, atol=1e-9)


def test_stow_and_home_are_within_limits(robot):
    for posture in (robot.stow, robot.home):
        assert all(robot.joints[name].lower <= value <= robot.joints[name].upper for name, value in posture.items())


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(UnknownRobot, match="stretch"):
        load_robot("strech")
    assert "stretch" in list_robots()


def test_a_wrong_joint_is_named(tmp_path):
    text = (robots_directory() / "stretch.yaml").read_text()
    (tmp_path / "odd.yaml").write_text(text.replace("stow: {joint_lift", "stow: {joint_lfit"))
    (tmp_path / "stretch.urdf").write_text((robots_directory() / "stretch.urdf").read_text())
    with pytest.raises(ConfigError, match="joint_lfit.*joint_lift"):
        load_robot(tmp_path / "odd.yaml")
