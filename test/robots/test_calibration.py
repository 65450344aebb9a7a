"""A robot of one's own from its calibrated URDF: one of the shape that Stretch's has, every joint a little off."""

import numpy as np
import pinocchio as pin
import pytest
from scipy.spatial.transform import Rotation

from dadu.core.errors import ConfigError
from dadu.motion.model import body_model
from dadu.robots import load_robot
from dadu.robots.calibration import calibrated_robot
from dadu.robots.kinematics import Kinematics

TELESCOPE = ("joint_arm_l3", "joint_arm_l2", "joint_arm_l1", "joint_arm_l0")
MESH = '<collision><geometry><mesh filename="package://stretch_description/meshes/{0}.STL"/></geometry></collision>'
CHAIN = [  # joint, kind, parent, child, where its child is in base at zero, axis in base
    ("joint_mast", "fixed", "base_link", "link_mast", (-0.067, 0.135, 0.028), None),
    ("joint_lift", "prismatic", "link_mast", "link_lift", (-0.104, 0.135, 0.195), (0, 0, 1)),
    ("joint_arm_l4", "fixed", "link_lift", "link_arm_l4", (-0.104, -0.133, 0.195), None),
    *[(joint, "prismatic", f"link_arm_l{4 - i}", f"link_arm_l{3 - i}", (-0.104, -0.133 - 0.004 * i, 0.195), (0, -1, 0))
      for i, joint in enumerate(TELESCOPE)],
    ("joint_wrist_yaw", "revolute", "link_arm_l0", "link_wrist_yaw", (-0.021, -0.145, 0.164), (0, 0, 1)),
    ("joint_wrist_pitch", "revolute", "link_wrist_yaw", "link_wrist_pitch", (-0.041, -0.145, 0.134), (-1, 0, 0)),
    ("joint_wrist_roll", "revolute", "link_wrist_pitch", "link_wrist_roll", (-0.021, -0.164, 0.110), (0, -1, 0)),
    ("joint_grasp_center", "fixed", "link_wrist_roll", "link_grasp_center", (-0.021, -0.415, 0.110), None),
    ("joint_gripper_camera", "fixed", "link_wrist_roll", "gripper_camera_color_optical_frame", (0, -0.24, 0.17), None),
    ("joint_gripper_finger_left", "revolute", "link_wrist_roll", "finger_left", (0.003, -0.222, 0.11), (0, 0, 1)),
    ("joint_gripper_finger_right", "revolute", "link_wrist_roll", "finger_right", (-0.046, -0.222, 0.11), (0, 0, -1)),
    ("joint_head_pan", "revolute", "link_mast", "link_head_pan", (0.006, 0, 1.355), (0, 0, 1)),
    ("joint_head_tilt", "revolute", "link_head_pan", "link_head_tilt", (0.005, 0.028, 1.302), (0, -1, 0)),
    ("camera_joint", "fixed", "link_head_tilt", "camera_color_optical_frame", (0.045, -0.003, 1.322), None),
    ("joint_laser", "fixed", "base_link", "laser", (0.004, 0, 0.166), None),
]  # fmt: skip
NOMINAL_TURN = {"link_grasp_center": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]],
                "camera_color_optical_frame": [[0, 0, 1], [-1, 0, 0], [0, -1, 0]]}


def real_urdf(path, seed):
    """Writes a URDF whose links lie any way round, each axis up to 2 degrees and 5 mm off."""
    random = np.random.default_rng(seed)
    bend = Rotation.from_rotvec(random.uniform(-0.02, 0.02, 3))  # the telescope's parts slide along one line
    poses, links, joints = {"base_link": np.eye(4)}, [], []
    for name, kind, parent, child, at, axis in CHAIN:
        T = np.eye(4)
        T[:3, :3] = (Rotation.from_rotvec(random.uniform(-0.03, 0.03, 3)).as_matrix() @ NOMINAL_TURN[child]
                     if child in NOMINAL_TURN else Rotation.random(random_state=random).as_matrix())
        T[:3, 3] = np.array(at) + random.uniform(-0.005, 0.005, 3)
        poses[child] = T
        local = np.linalg.inv(poses[parent]) @ T
        rpy = " ".join(map(str, Rotation.from_matrix(local[:3, :3]).as_euler("xyz")))
        xyz = " ".join(map(str, local[:3, 3]))
        moves = ""
        if axis is not None:
            turn = bend if name in TELESCOPE else Rotation.from_rotvec(random.uniform(-0.02, 0.02, 3))
            off = turn.apply(axis)
            moves = f'<axis xyz="{" ".join(map(str, T[:3, :3].T @ off))}"/>'
            upper = 0.13 if name in TELESCOPE else 1.1 if kind == "prismatic" else 0.0 if "finger" in name else 3.1
            lower = -1.2 if kind == "revolute" and upper else 0.0
            moves += f'<limit lower="{lower}" upper="{upper}" effort="100" velocity="1"/>'
        joints.append(f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
                      f'<origin xyz="{xyz}" rpy="{rpy}"/>{moves}</joint>')
        links.append(f'<link name="{child}">{MESH.format(child)}</link>')
    path.write_text(f'<robot name="stretch"><link name="base_link"/>{"".join(links)}{"".join(joints)}</robot>')
    return path


def real_pose(urdf, frame, joints):
    """T_base_frame (4, 4) by the real URDF itself, its telescope's parts a quarter of the way each."""
    model = pin.buildModelFromUrdf(str(urdf))
    data, q = model.createData(), pin.neutral(model)
    parts = {**joints, **dict.fromkeys(TELESCOPE, joints.get("wrist_extension", 0.0) / 4)}
    for name, value in parts.items():
        if model.existJointName(name):
            q[model.joints[model.getJointId(name)].idx_q] = value
    pin.framesForwardKinematics(model, data, q)
    return data.oMf[model.getFrameId(frame)].homogeneous


@pytest.mark.parametrize("seed", range(3))
def test_tool_and_camera_are_where_the_real_one_s_are_for_any_joints(tmp_path, seed):
    real = real_urdf(tmp_path / "real.urdf", seed)
    robot = load_robot(calibrated_robot("stretch", real, tmp_path / "mine.yaml")[0])
    assert (robot.tool_link, robot.camera_link) == ("link_grasp_center", "camera_color_optical_frame"), "as in its tf"
    body, random = Kinematics(robot), np.random.default_rng(seed)
    for _ in range(20):
        joints = {name: random.uniform(limit.lower, limit.upper) for name, limit in robot.joints.items()}
        for frame in (robot.tool_link, robot.camera_link, robot.laser_link):
            assert body.pose(frame, joints) == pytest.approx(real_pose(real, frame, joints), abs=1e-6)
    assert robot.joints["joint_wrist_yaw"].upper == 3.1, "ranges are the real one's"
    assert robot.joints["wrist_extension"].upper == 0.52, "but of the telescope, whose parts know only their own"
    ours = body_model(Kinematics(load_robot("stretch")))
    assert len(body_model(body).arm_shapes) == len(ours.arm_shapes), "shapes are kept"


def test_a_urdf_that_lacks_something_is_refused_by_name(tmp_path):
    real = real_urdf(tmp_path / "real.urdf", 0)
    real.write_text(real.read_text().replace("link_grasp_center", "link_straw"))
    with pytest.raises(ConfigError, match="'link_grasp_center'"):
        calibrated_robot("stretch", real, tmp_path / "mine.yaml")
    with pytest.raises(ConfigError, match="calibrated"):
        calibrated_robot("ur3", real, tmp_path / "mine.yaml")
    real.write_text("<robot name='r'><link name='a'/></robot")
    with pytest.raises(ConfigError, match="not a readable URDF"):
        calibrated_robot("stretch", real, tmp_path / "mine.yaml")
