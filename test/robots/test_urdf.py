"""Robot models of others: loaded, or refused in a sentence that names what is wrong."""

from dataclasses import replace
from string import Template

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.errors import ConfigError, DaduError
from dadu.core.robot import JointLimit
from dadu.motion.model import body_model
from dadu.motion.scene import CollisionScene, Obstacle
from dadu.robots import load_robot
from dadu.robots.kinematics import Kinematics, Posture
from dadu.robots.loader import robots_directory
from dadu.robots.meshes import with_collision_meshes
from dadu.robots.urdf import read_urdf
from dadu.sim.mujoco.robot.model import attach_robot
from dadu.world.boxes import OrientedBox

LIMIT = '<limit lower="-1" upper="1" velocity="1" effort="10"/>'
ARM = Template("""<?xml version="1.0"?>
<robot name="arm">
  <link name="$root"/>
  <joint name="to_base" type="fixed"><parent link="$root"/><child link="$base"/><origin xyz="0 0 -0.2" rpy="0 0 1"/>
  </joint>
  <link name="$base"/>
  <joint name="wheel" type="continuous"><parent link="$base"/><child link="tyre"/><axis xyz="0 1 0"/>
    <origin xyz="-0.2 0 0"/></joint>
  <link name="tyre"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="cable" type="floating"><parent link="$base"/><child link="plug"/></joint><link name="plug"/>
  <joint name="lift" type="prismatic"><parent link="$base"/><child link="l1"/><axis xyz="0 0 1"/>$limit</joint>
  <link name="l1"/>
  <joint name="turn" type="continuous"><parent link="l1"/><child link="l2"/><axis xyz="0 0 1"/>
    <origin xyz="0.1 0 0"/></joint>
  <link name="l2"><collision>$shape</collision></link>
  <joint name="out" type="prismatic"><parent link="l2"/><child link="l3"/><axis xyz="1 0 0"/>$limit</joint>
  <link name="l3"/>
  <joint name="out2" type="prismatic"><parent link="l3"/><child link="l4"/><axis xyz="1 0 0"/>$limit
    <mimic joint="out" multiplier="0.5"/></joint><link name="l4"/>
  <joint name="out3" type="prismatic"><parent link="l4"/><child link="tool"/><axis xyz="1 0 0"/>$limit
    <mimic joint="$leader" multiplier="-2" offset="0.1"/></joint>
  <link name="tool"/>
  <joint name="finger" type="revolute"><parent link="tool"/><child link="tip"/><axis xyz="0 0 1"/>$limit</joint>
  <link name="tip"><collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.02 0.02"/></geometry></collision></link>
  $more
</robot>""")
USUAL = {"root": "base_footprint", "base": "base_link", "limit": LIMIT, "leader": "out2", "more": "",
         "shape": '<geometry><box size="0.1 0.1 0.1"/></geometry>'}


def written(folder, **changes):
    path = folder / "arm.urdf"
    path.write_text(ARM.substitute(USUAL | changes))
    return path


def kinematics(folder, **changes):
    limits = {name: JointLimit(-1, 1, 1, 1) for name in ("lift", "turn", "out")}
    return Kinematics(replace(load_robot("stretch"), urdf=str(written(folder, **changes)), joints=limits,
                              arm_joints=tuple(limits), head_joints=(), tool_link="tool", camera_link="l1",
                              base_link=changes.get("base", "base_link"), aperture_max=0.1,
                              fingers={"finger": (0.8, 0.0)}))


def met(body, place, aperture):
    """(part, other): what touches a speck at `place` (3,) [m, base_link]; None where it is in nobody's way."""
    speck = Obstacle("speck", OrientedBox(np.array(place), np.eye(3), np.full(3, 0.01)))
    contact = CollisionScene(body_model(body), [speck]).contact(Posture(), aperture)
    return contact and (contact.part, contact.other)


@pytest.mark.parametrize("root", ["base_footprint", "world", "robot/root"])
@pytest.mark.parametrize("base", ["base_link", "chassis"])
def test_what_carries_the_base_is_no_matter(tmp_path, root, base):
    body = kinematics(tmp_path, root=root, base=base)
    np.testing.assert_allclose(body.tool({})[:3, 3], [0.2, 0, 0], atol=1e-9)
    np.testing.assert_allclose(body.tool({"turn": np.pi / 2, "lift": 0.4})[:3, 3], [0.1, 0.1, 0.4], atol=1e-9)


@given(joints=st.fixed_dictionaries({name: st.floats(-4, 4) for name in ("lift", "turn", "out")}))
def test_jacobian_counts_turns_without_end_and_what_follows(tmp_path_factory, joints):
    body = kinematics(tmp_path_factory.mktemp("arm"))
    J, h = body.jacobian(joints), 1e-6
    for i, name in enumerate(body.robot.arm_joints):
        ahead, behind = (body.tool({**joints, name: joints[name] + step})[:3, 3] for step in (h, -h))
        np.testing.assert_allclose((ahead - behind) / (2 * h), J[:3, i], atol=1e-5)
    x = 0.1 + joints["out"] * (1 + 0.5 - 2 * 0.5)  # what follows a follower follows its leader
    np.testing.assert_allclose(np.linalg.norm(body.tool(joints)[:2, 3] - [0.1, 0]), abs(x), atol=1e-9)


def test_fingers_are_those_that_are_named_and_wheels_stay_where_they_are(tmp_path):
    body = kinematics(tmp_path)
    for aperture, angle in ((0.0, 0.8), (0.1, 0.0), (0.05, 0.4)):
        for share in (0.1, 1.9):  # of the way to the middle of the finger
            end = 0.2 + 0.1 * share * np.cos(angle), 0.1 * share * np.sin(angle)
            assert met(body, (*end, 0.0), aperture) == ("tip_0", "speck")
        assert met(body, (0.2 + 0.22 * np.cos(angle), 0.22 * np.sin(angle), 0.0), aperture) is None
    assert met(body, (-0.2, 0.0, 0.08), 0.0) is None, "the tyre is none of the arm's"


@pytest.mark.parametrize("changes", [
    {"more": '<link name="x"/><joint name="tool" type="fixed"><parent link="tip"/><child link="x"/></joint>'},
    {"more": '<link name="x"/><joint name="base_link" type="fixed"><parent link="tip"/><child link="x"/></joint>'},
    {"limit": LIMIT.replace('velocity="1" effort="10"', 'velocity="inf" effort="INF"')},
    {"more": '<material name="red"/>' * 2},
    {"shape": '<geometry><box size="0 0 0"/></geometry></collision><collision><geometry><sphere radius="0.0"/>'
              f'</geometry></collision><collision>{USUAL["shape"]}'}],
    ids=["joint like tool", "joint like base", "no end", "material twice", "shapes of no size"])
def test_what_others_put_beside_it_changes_no_place(tmp_path, changes):
    """A joint may have the name of a link; a limit may be infinite; what is only looked at may be there twice."""
    there = {"lift": 0.3, "turn": 0.5, "out": 0.2}
    usual, other = (kinematics(tmp_path, **given) for given in ({}, changes))
    assert np.allclose(other.tool(there), usual.tool(there))
    assert np.allclose(body_model(other).load(np.eye(4), np.ones(3)).placement.homogeneous,
                       body_model(usual).load(np.eye(4), np.ones(3)).placement.homogeneous)


WRONG = {
    "a link twice": ({"more": '<link name="tip"/>'}, "'tip' is there more than once"),
    "a joint twice": ({"more": f'<link name="x"/><joint name="lift" type="prismatic"><parent link="tip"/>'
                               f'<child link="x"/>{LIMIT}</joint>'}, "'lift' is there more than once"),
    "no such link": ({"more": '<joint name="j" type="fixed"><parent link="tip"/><child link="x"/></joint>'},
                     "'j' names link 'x'"),
    "two roots": ({"more": '<link name="lonely"/>'}, "lonely"),
    "no limit": ({"limit": ""}, "'lift' is prismatic and has no <limit>"),
    "a limit that is no number": ({"limit": LIMIT.replace('"1"', '"much"')}, "'much' is no number"),
    "a circle of followers": ({"leader": "out3"}, "'out3' follows itself"),
    "follows nothing": ({"leader": "nobody"}, "'out3' follows 'nobody'"),
    "xacro": ({"more": '<xacro:include filename="$(find x)/y.xacro"/>'}, "xacro that was not expanded"),
    "xacro's variables": ({"limit": LIMIT.replace('"1"', '"${pi}"')}, "xacro that was not expanded"),
    "not well-formed": ({"more": "<link name='x'>"}, "not a readable URDF"),
    "an axis of nothing": ({"more": f'<link name="x"/><joint name="j" type="revolute"><parent link="tip"/>'
                                    f'<child link="x"/><axis xyz="0 0 0"/>{LIMIT}</joint>'}, "'j' has an axis"),
    "a place that is none": ({"shape": '<origin xyz="0 0 nan"/>' + USUAL["shape"]}, "'0 0 nan' is not 3 numbers"),
    "a kind that is none": ({"more": '<link name="x"/><joint name="j" type="hinge"><parent link="tip"/>'
                                     '<child link="x"/></joint>'}, "'hinge' is none"),
    **{f"a collision of {shape}": ({"shape": f"<geometry>{shape}</geometry>"}, why) for shape, why in (
        ("", "not nothing"), ('<capsule radius="1" length="1"/>', "not capsule"), ('<sphere radius="nan"/>', "above 0"),
        ('<box size="-1 1 1"/>', "above 0"), ('<cylinder radius="1"/>', "length=''"))},
    "a mesh that is missing": ({"shape": '<geometry><mesh filename="package://nobody_description/a.stl"/></geometry>'},
                               "meshes are missing: package://nobody_description/a.stl"),
}


@pytest.mark.parametrize(("changes", "why"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, changes, why):
    with pytest.raises(ConfigError, match="arm.urdf.*") as refused:
        with_collision_meshes(read_urdf(written(tmp_path, **changes)))
    assert why in str(refused.value)


@pytest.mark.parametrize("text", ["", "<sdf version='1.9'/>", "<robot name='x'/>", "nothing", "<robot", "\xff\xfe"])
def test_what_is_no_urdf_is_refused(tmp_path, text):
    (tmp_path / "x.urdf").write_text(text)
    with pytest.raises(ConfigError, match="x.urdf"):
        read_urdf(tmp_path / "x.urdf")


@given(at=st.integers(0, 3500), length=st.integers(1, 60), instead=st.sampled_from(["", "x", '"', "<", "nan", "link"]))
def test_a_damaged_file_loads_or_is_refused(tmp_path_factory, at, length, instead):
    text = ARM.substitute(USUAL)
    path = tmp_path_factory.mktemp("arm") / "arm.urdf"
    path.write_text(text[:at] + instead + text[at + length:])
    try:
        with_collision_meshes(read_urdf(path))
    except DaduError as error:
        assert "arm.urdf" in str(error)


def test_undeclared_prefixes_of_simulators_are_no_harm(tmp_path):
    read_urdf(written(tmp_path, more='<gazebo><controller:ros name="x"/></gazebo>'))


STL = b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 1 0\nvertex 2 1 0\n" \
      b"vertex 0 5 6\nendloop\nendfacet\nendsolid x\n"


@pytest.mark.parametrize(("filename", "place"), [
    ("package://my_arm/meshes/a.stl", "ament/share/my_arm/meshes/a.stl"),
    ("package://my_arm/meshes/a.stl", "ros1/my_arm/meshes/a.stl"),
    ("package://my_arm/meshes/a.stl", "meshes/a.stl"), ("package://meshes/a.stl", "meshes/a.stl"),
    ("meshes/a.stl", "meshes/a.stl"), ("file://meshes/a.stl", "meshes/a.stl"), ("file://$here/a%20b.stl", "a b.stl"),
    ("$here/a.stl", "a.stl")])
def test_meshes_are_found_where_ros_finds_them(tmp_path, monkeypatch, filename, place):
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "ament"))
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"{tmp_path / 'nowhere'}:{tmp_path / 'ros1'}")
    (tmp_path / "package.xml").write_text("<package><name>my_arm</name></package>")
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_bytes(STL)
    mesh = f'<geometry><mesh filename="{filename.replace("$here", str(tmp_path))}"/></geometry>'
    body = kinematics(tmp_path, shape=mesh)
    assert met(body, (1.1, 3.0, 3.0), 0.0) == ("l2_0", "speck")


def test_a_mesh_that_cannot_be_read_is_a_sentence(tmp_path):
    (tmp_path / "a.stl").write_bytes(b"\0\1\2")
    with pytest.raises(ConfigError, match=r"arm.urdf: a mesh cannot be read"):
        body_model(kinematics(tmp_path, shape='<geometry><mesh filename="a.stl"/></geometry>'))


def described(folder, **changes):
    """A robot's YAML over the arm."""
    own = yaml.safe_load((robots_directory() / "stretch.yaml").read_text())
    own |= {"urdf": "arm.urdf", "arm_joints": ["lift", "turn", "out"], "head_joints": [], "acceleration": {},
            "tool_link": "tool", "camera_link": "l1", "laser_link": "l1", "fingers": {"finger": [0.8, 0.0]},
            "stow": {"lift": 0.0}, "home": {}} | changes
    (folder / "arm.yaml").write_text(yaml.safe_dump(own))
    return folder / "arm.yaml"


def test_a_continuous_joint_has_one_turn_and_the_same_place_on_every_other(tmp_path):
    written(tmp_path)
    robot = load_robot(described(tmp_path))
    turn = robot.joints["turn"]
    assert (turn.lower, turn.upper) == (-np.pi, np.pi) and turn.velocity > 0
    assert turn.within(7.0) == pytest.approx(7.0 - 2 * np.pi) and robot.joints["lift"].within(7.0) == 1.0
    narrow = load_robot(described(tmp_path, ranges={"turn": [-2, 5]})).joints["turn"]
    assert (narrow.lower, narrow.upper, narrow.within(6.0)) == (-2, 5, 5)


@pytest.mark.parametrize(("changes", "why"), [
    ({"arm_joints": ["lift", "turn", "out2"]}, "'out2': it follows 'out'"),
    ({"arm_joints": ["lift", "turn", "cable"]}, "'cable': it is floating"),
    ({"arm_joints": ["lift", "turn", "to_base"]}, "'to_base': it is fixed"),
    ({"arm_joints": ["lift", "turn", "no"]}, "'no': it is not there"), ({"arm_joints": ["lift"]}, "at least 3"),
    ({"fingers": {"thumb": [0, 1]}}, "'thumb'"), ({"base_link": "base"}, "no link 'base'"),
    ({"ranges": {"lift": [-2, 1]}}, "ranges.lift")])
def test_joints_that_matter_are_named_by_the_description(tmp_path, changes, why):
    written(tmp_path)
    with pytest.raises(ConfigError) as refused:
        load_robot(described(tmp_path, **changes))
    assert why in str(refused.value)


def test_what_cannot_be_simulated_is_said_in_a_sentence(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    written(tmp_path)
    with pytest.raises(ConfigError, match="'turn' has no effort limit"):
        attach_robot(mujoco.MjSpec(), load_robot(described(tmp_path)), 42.0)
    text = (robots_directory() / "stretch.urdf").read_text()
    (tmp_path / "stretch.urdf").write_text(text.replace("<mass value=", "<mass value='0' was="))
    own = (robots_directory() / "stretch.yaml").read_text()
    (tmp_path / "stretch.yaml").write_text(own)
    with pytest.raises(ConfigError, match=r"stretch.urdf: not to be simulated: .*mass"):
        attach_robot(mujoco.MjSpec(), load_robot(tmp_path / "stretch.yaml"), 42.0)
