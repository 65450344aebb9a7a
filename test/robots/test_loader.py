import mujoco
import numpy as np
import pinocchio as pin
import pytest

from dadu.core.config import ConfigError
from dadu.robots import UnknownRobot, list_robots, load_robot
from dadu.robots.loader import robots_directory
from dadu.sim.mujoco.robot.model import attach_robot

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


def changed(tmp_path, name="ur3", yaml=(), urdf=()):
    """A robot's two files with parts of their texts replaced."""
    for suffix, parts in (("yaml", yaml), ("urdf", urdf)):
        text = (robots_directory() / f"{name}.{suffix}").read_text()
        for old, new in parts:
            text, before = text.replace(old, new), text
            assert text != before, old
        (tmp_path / f"{name}.{suffix}").write_text(text)
    return tmp_path / f"{name}.yaml"


@pytest.mark.parametrize("old, new, said", [
    ("arm_direction: -1.5707963", "arm_direction: -90", "arm_direction: angles are in radians"),
    ("reach: [0.42, 0.77]", "reach: [420, 770]", "reach.0: lengths are in metres"),
    ("reach: [0.42, 0.77]", "reach: [0.77, 0.42]", "reach: the first is the nearest"),
    ("[[-0.28, -0.22], [0.26, -0.22], [0.26, 0.22], [-0.28, 0.22]]", "[[1, -1], [2, -1], [2, 1], [1, 1]]",
     "footprint: base_link's origin"),
    ("elbow_joint: 1.36", "elbow_joint: 78", "stow.elbow_joint: 78 is not within"),
    ("home: *stow", "home: {elbow_joint: -3}", "home.elbow_joint: -3 is not within"),
    ("finger_left: [0.0, 0.07]", "finger_left: [0.0, -0.07]", "fingers.joint_gripper_finger_left: -0.07 is not within"),
    ("[shoulder_pan_joint, shoulder_lift_joint,", "[shoulder_lift_joint, shoulder_pan_joint,", "from base to tip"),
    ("tool_link: grasp_center", "tool_link: laser", "these do so: none"),
])
def test_a_description_that_no_body_can_have_is_refused(tmp_path, old, new, said):
    with pytest.raises(ConfigError, match=said):
        load_robot(changed(tmp_path, yaml=[(old, new)]))


@pytest.mark.parametrize("old, new, said", [
    ('lower="-3.1416" upper="3.1416"', 'lower="3.1416" upper="-3.1416"', "elbow_joint.*above its upper"),
    ('lower="-6.2832" upper="6.2832" velocity="3.0"', 'lower="-360" upper="360" velocity="3.0"',
     "limits are in radians"),
    ('rpy="1.5707963 0 0"', 'rpy="90 0 0"', "is more than a turn"),
    ('<collision><origin xyz="0 0 0.107"/><geometry><cylinder radius="0.038" length="0.22"/></geometry></collision>',
     "", "forearm_link, moved by 'elbow_joint': no collision shape"),
])
def test_a_model_that_no_body_can_have_is_refused(tmp_path, old, new, said):
    path = changed(tmp_path, urdf=[(old, new)], yaml=[("  wrist_1_joint: [-2.8, 3.0]\n", "")])
    with pytest.raises(ConfigError, match=said):
        load_robot(path)


@pytest.mark.parametrize("old, new, said", [
    ('rpy="-1.5707963267948966 0 0"/></joint>\n\n', 'rpy="0 0 1.5707963267948966"/></joint>\n\n', "degrees up at home"),
    ('rpy="0 0 1.5707963267948966"/></joint>', '/></joint>', "not by aperture_max along its y axis"),
    ('<mimic joint="joint_gripper_finger_left"/>', "", "is no mimic of"),
    ('<collision><geometry><box size="0.010 0.040 0.024"/></geometry></collision>', "", "by which a simulated hand"),
])
def test_a_body_that_cannot_be_simulated_is_refused(tmp_path, old, new, said):
    with pytest.raises(ConfigError, match=said):
        attach_robot(mujoco.MjSpec(), load_robot(changed(tmp_path, urdf=[(old, new)])), 50.0)


def test_a_model_says_nothing_to_mujoco_and_its_base_may_have_any_name(tmp_path):
    path = changed(tmp_path, yaml=[("name: ur3\n", "name: ur3\nbase_link: chassis\n")],
                   urdf=[('  <mujoco><compiler fusestatic="false" discardvisual="false" strippath="false" '
                          'balanceinertia="true"/></mujoco>\n', ""), ('"base_link"', '"chassis"')])
    own, nominal = mujoco.MjSpec(), mujoco.MjSpec()
    attach_robot(own, load_robot(path), 50.0)
    attach_robot(nominal, load_robot("ur3"), 50.0)
    assert own.compile().ngeom == nominal.compile().ngeom  # what is only seen among them


def test_a_file_that_is_not_there_is_no_unknown_name(tmp_path):
    with pytest.raises(UnknownRobot, match="no such file"):
        load_robot(tmp_path / "nobody.yaml")
