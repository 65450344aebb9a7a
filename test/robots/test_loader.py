import mujoco
import numpy as np
import pinocchio as pin
import pytest

from dadu.core.config import ConfigError
from dadu.robots import UnknownRobot, list_robots, load_robot
from dadu.robots.loader import robots_directory

UR3_DH = ((0.1519, 0.0, np.pi / 2), (0.0, -0.24365, 0.0), (0.0, -0.21325, 0.0), (0.11235, 0.0, np.pi / 2),
          (0.08535, 0.0, -np.pi / 2), (0.0819, 0.0, 0.0))
"""d, a, alpha of each joint, as Universal Robots publishes them"""


@pytest.fixture(scope="module", params=list_robots())
def robot(request):
    return load_robot(request.param)


def place(robot, frame, joints):
    """T_base_frame (4, 4) by Pinocchio."""
    model = pin.buildModelFromUrdf(robot.urdf)
    data, q = model.createData(), pin.neutral(model)
    for name, value in joints.items():
        q[model.joints[model.getJointId(name)].idx_q] = value
    pin.framesForwardKinematics(model, data, q)
    return data.oMf[model.getFrameId(frame)].homogeneous


def test_stretch_is_where_its_maker_says():
    robot = load_robot("stretch")
    tool, camera = place(robot, "grasp_center", {}), place(robot, "camera_color_optical_frame", {})
    np.testing.assert_allclose(tool[:3, 3], [-0.021, -0.415, 0.115], atol=1e-6)
    np.testing.assert_allclose(camera[:3, 3], [0.045, -0.003, 1.322], atol=1e-6)
    np.testing.assert_allclose(tool[:3, 0], [0, -1, 0], atol=1e-6)  # the arm points to -y
    np.testing.assert_allclose(camera[:3, 2], [1, 0, 0], atol=1e-6)
    np.testing.assert_allclose(camera[:3, 0], [0, 0, -1], atol=1e-6)  # mounted rotated


@pytest.mark.parametrize("seed", range(3))
def test_ur3_follows_its_makers_parameters(seed):
    robot = load_robot("ur3")
    angles = np.random.default_rng(seed).uniform(-3, 3, 6)
    T = np.eye(4)
    for angle, (d, a, alpha) in zip(angles, UR3_DH):
        c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(alpha), np.sin(alpha)
        T = T @ [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
    mount = np.diag([-1.0, -1.0, 1.0, 1.0])  # the maker's base frame is turned by half a turn
    mount[:3, 3] = (-0.11, -0.12, 0.72)
    np.testing.assert_allclose(place(robot, "tool0", dict(zip(robot.arm_joints, angles))), mount @ T, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_pinocchio_and_mujoco_agree(robot, seed):
    rng = np.random.default_rng(seed)
    joints = {name: rng.uniform(limit.lower, limit.upper) for name, limit in robot.joints.items()}
    physics = mujoco.MjSpec.from_file(robot.urdf).compile()
    state = mujoco.MjData(physics)
    for name, value in joints.items():
        state.joint(name).qpos = value
    mujoco.mj_kinematics(physics, state)
    for frame in (robot.tool_link, robot.camera_link, robot.laser_link):
        pose = place(robot, frame, joints)
        np.testing.assert_allclose(state.body(frame).xpos, pose[:3, 3], atol=1e-9)
        np.testing.assert_allclose(state.body(frame).xmat.reshape(3, 3), pose[:3, :3], atol=1e-9)


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


def test_an_adapter_that_takes_plain_commands_is_not_given_stamped_ones(tmp_path):
    text = (robots_directory() / "stretch.yaml").read_text()
    (tmp_path / "odd.yaml").write_text(f"base: {{stamped: true}}\n{text}")
    with pytest.raises(ConfigError, match="stretch_adapter takes Twist"):
        load_robot(tmp_path / "odd.yaml")
