"""The robot as MuJoCo sees it: its URDF, a driven base, drives for its joints, a gripper whose pads hold by friction.

Names in the model begin with the robot's own, ``robot/`` where it is alone. Numbers of the gripper and its pads come
from grasping trials: with them 200 of 200 grasps held (one pad box a finger, pads that outrank what they touch, one
drive on a tendon).
"""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from dataclasses import dataclass

import mujoco
import numpy as np

from dadu.core.errors import ConfigError, choices
from dadu.core.robot import RobotDescription
from dadu.robots.loader import ROUNDED
from dadu.robots.urdf import Urdf, read_urdf
from dadu.world.graph import ROBOT

BASE_JOINTS = ("base_x", "base_y", "base_yaw")
GRIPPER = "gripper"
FINGER_JOINTS = ("joint_gripper_finger_left", "joint_gripper_finger_right")
PADS = ("finger_left_pad", "finger_right_pad")
CAMERA = "head_camera"

_COMPILER = {"fusestatic": "false", "discardvisual": "false", "strippath": "false", "balanceinertia": "true"}
"""how MuJoCo reads a URDF that does not say so itself: links fixed to others stay, and so do looks"""
_MOST = 15
"""two bits each, of the 31 that are left beside the world's"""

VISUAL_GROUP, SOLID_GROUP = 1, 3
"""geom groups of the robot's looks (drawn) and of its collision shapes (not drawn); the world is group 0"""

GRIP_TARGET_CLOSED = -0.03
"""Closing aims this far beyond closed [m]: aimed at zero, the effort would shrink with the object's width."""

_BASE_KV, _BASE_TURN_KV, _BASE_FORCE, _BASE_TORQUE = 2e4, 4e3, 300.0, 100.0
"""Gains at which a change of speed within one control period stays below the force limits: a drive that saturates is
integrated explicitly and chatters, and the base creeps on after it was told to stop."""
_BASE_FRICTION, _BASE_TURN_FRICTION = 30.0, 8.0
"""hold the standing base against the arm [N, Nm]; wheels would, too"""
_BOLTED = 1e5
"""inertia of a base that is fixed [kg, kg m^2]"""
_LINEAR_ERROR, _ANGULAR_ERROR = 0.01, 0.05
"""tracking error at which a drive gives all its force [m, rad]"""
_LINEAR_ARMATURE, _ANGULAR_ARMATURE, _FINGER_ARMATURE = 0.5, 0.02, 0.05
_GRIP_KP, _GRIP_KV = 2000.0, 40.0


@dataclass(frozen=True)
class ContactBits:
    """What a robot's shapes touch, in MuJoCo's masks: the world (bit 1), all other robots, and its hand its trunk."""

    trunk: int = 2
    hand: int = 4
    others: int = 0
    """of the other robots' trunks and hands"""

    @classmethod
    def of_each(cls, count: int) -> tuple[ContactBits, ...]:
        """Of `count` robots in one world. Errors: ConfigError for more than a mask has bits for."""
        if count > _MOST:
            raise ConfigError(f"{count} robots are more than one world can hold; at most {_MOST}")
        all_of_them = sum(6 << 2 * i for i in range(count))
        return tuple(cls(2 << 2 * i, 4 << 2 * i, all_of_them & ~(6 << 2 * i)) for i in range(count))


def attach_robot(world: mujoco.MjSpec, robot: RobotDescription, fov: float, name: str = ROBOT,
                 bits: ContactBits = ContactBits()) -> None:
    """Adds the robot to a world spec, its base_link at map's origin. `fov` [deg] is the camera's vertical field."""
    spec = _readable(robot)
    _shape_contacts(spec, robot, bits)
    _add_base(spec, robot)
    _add_drives(spec, robot)
    _add_gripper(spec, robot)
    # MuJoCo's cameras look along -z with y up: half a turn about x from the optical frame.
    spec.body(robot.camera_link).add_camera(name=CAMERA, fovy=fov, quat=(0, 1, 0, 0))
    world.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET  # would set the clock back to 0
    world.attach(spec, prefix=prefix_of(name), frame=world.worldbody.add_frame())


def prefix_of(name: str) -> str:
    """How the names of the robot called `name` begin in a model."""
    return f"{name}/"


def _readable(robot: RobotDescription) -> mujoco.MjSpec:
    """Its URDF, with all that a simulated body needs. Errors: ConfigError."""
    body = read_urdf(robot.urdf)
    root = copy.deepcopy(body.xml)
    part = root.find("mujoco/compiler")
    compiler = ET.SubElement(ET.SubElement(root, "mujoco"), "compiler") if part is None else part
    compiler.attrib.update(_COMPILER | compiler.attrib)
    compiler.set("meshdir", str(body.path.parent.absolute() / compiler.get("meshdir", "")))
    for joint in robot.joints:
        if not body.moving(joint).effort:
            raise ConfigError(f"{robot.urdf}: joint {joint!r} has no effort limit, which a simulated drive needs")
    for what, needed, there in (("link", PADS, body.links), ("joint", FINGER_JOINTS, body.joints)):
        if missing := [name for name in needed if name not in there]:
            raise ConfigError(f"{robot.urdf}: no {what} {missing[0]!r}, which a simulated body needs; has: "
                              f"{choices(there, 40)}")
    try:
        spec = mujoco.MjSpec.from_string(ET.tostring(root, encoding="unicode"))
        model = spec.copy().compile()
    except ValueError as error:  # no mass, a mesh that it cannot find or read
        raise ConfigError(f"{robot.urdf}: not to be simulated: {' '.join(str(error).splitlines()[:2])}") from None
    _check_gripper(robot, body, model)
    _check_camera(robot, model)
    return spec


def _check_gripper(robot: RobotDescription, body: Urdf, model: mujoco.MjModel) -> None:
    """Two pads that can be felt part by `aperture_max` along the tool's y axis. Errors: ConfigError."""
    half = robot.aperture_max / 2
    for joint in FINGER_JOINTS:
        lower, upper = body.joints[joint].range
        if lower > ROUNDED or upper < half - ROUNDED:
            raise ConfigError(f"{body.path}: joint {joint!r} goes from {lower:g} to {upper:g}; a simulated finger is "
                              f"closed at 0 and opens to half of aperture_max, {half:g} [m]")
    left, right = FINGER_JOINTS
    if not np.allclose(robot.fingers.get(left, np.nan), (0.0, half), atol=ROUNDED):
        raise ConfigError(f"{robot.name}: fingers.{left}: a simulated finger is told as [0.0, {half:g}], closed and "
                          "half of aperture_max [m]")
    if body.joints[right].follows != (left, 1.0, 0.0):
        raise ConfigError(f"{body.path}: joint {right!r} is no mimic of {left!r}, as a simulated hand needs")
    for pad in PADS:
        if body.xml.find(f"link[@name='{pad}']/collision") is None:
            raise ConfigError(f"{body.path}: link {pad!r} has no collision shape, by which a simulated hand holds")
    closed, opened = (_gap(robot, model, position) for position in (0.0, half))
    if not np.allclose(opened - closed, (0.0, robot.aperture_max, 0.0), atol=5 * ROUNDED):
        raise ConfigError(f"{body.path}: as the fingers open, {PADS[0]!r} moves from {PADS[1]!r} by "
                          f"({', '.join(f'{d:.3f}' for d in opened - closed)}) in tool_link {robot.tool_link!r}, not "
                          f"by aperture_max along its y axis, (0, {robot.aperture_max:g}, 0) [m]")


def _gap(robot: RobotDescription, model: mujoco.MjModel, position: float) -> np.ndarray:
    """(3,) [m] in the tool's frame, from the right pad to the left, the fingers' joints at `position`."""
    data = mujoco.MjData(model)
    for joint in FINGER_JOINTS:
        data.joint(joint).qpos = position
    mujoco.mj_kinematics(model, data)
    left, right = (data.body(pad).xpos for pad in PADS)
    return np.asarray((left - right) @ data.body(robot.tool_link).xmat.reshape(3, 3))


def _check_camera(robot: RobotDescription, model: mujoco.MjModel) -> None:
    """It does not look at the ceiling, as a frame with x ahead and z up would. Errors: ConfigError."""
    data = mujoco.MjData(model)
    for joint, position in robot.home.items():
        data.joint(joint).qpos = position
    mujoco.mj_kinematics(model, data)
    up = data.body(robot.camera_link).xmat.reshape(3, 3)[2, 2]
    if up > np.sin(np.pi / 4):
        raise ConfigError(f"{robot.urdf}: camera_link {robot.camera_link!r} looks {np.degrees(np.arcsin(up)):.0f} "
                          "degrees up at home: an optical frame has x right, y down and z ahead in the picture")


def _shape_contacts(spec: mujoco.MjSpec, robot: RobotDescription, bits: ContactBits) -> None:
    """The robot touches all around it, and its hand touches its trunk, but neighbouring links do not touch each
    other."""
    wrist = next(body.name for body in spec.bodies if robot.arm_joints[-3] in [joint.name for joint in body.joints])
    for body in spec.bodies[1:]:
        body.gravcomp = 1.0  # the drivers' feed-forward: an effort then tells what a joint carries beside itself
        hand = _carried_by(body, wrist)
        for geom in body.geoms:
            if geom.contype == 0:
                geom.group = VISUAL_GROUP
                continue
            geom.group = SOLID_GROUP
            geom.contype = bits.hand if hand else bits.trunk
            geom.conaffinity = 1 | bits.others | (bits.trunk if hand else 0)
            if body.name in PADS:
                geom.condim = 4
                geom.friction = (1.2, 0.02, 0.001)
                geom.priority = 2
                geom.solref = (0.004, 1.0)
                geom.solimp = (0.95, 0.99, 0.001, 0.5, 2.0)


def _carried_by(body: mujoco.MjsBody, link: str) -> bool:
    while body.name not in ("world", ""):
        if body.name == link:
            return True
        body = body.parent
    return False


def _add_base(spec: mujoco.MjSpec, robot: RobotDescription) -> None:
    """Joints for a base in the plane, and what drives it; one that is fixed is too heavy for anything to move."""
    base = spec.body(robot.base_link)
    for name, axis in zip(BASE_JOINTS, ((1, 0, 0), (0, 1, 0), (0, 0, 1)), strict=True):
        turn = name == "base_yaw"
        kind = mujoco.mjtJoint.mjJNT_HINGE if turn else mujoco.mjtJoint.mjJNT_SLIDE
        base.add_joint(name=name, type=kind, axis=axis, limited=False,
                       frictionloss=_BASE_TURN_FRICTION if turn else _BASE_FRICTION,
                       armature=_BOLTED if robot.fixed else 0.0)
        force = _BASE_TORQUE if turn else _BASE_FORCE
        drive = spec.add_actuator(name=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=name,
                                  forcelimited=True, forcerange=(-force, force))
        drive.set_to_velocity(kv=_BASE_TURN_KV if turn else _BASE_KV)


def _add_drives(spec: mujoco.MjSpec, robot: RobotDescription) -> None:
    joints = read_urdf(robot.urdf).joints
    for joint in spec.joints:
        linear = joint.type == mujoco.mjtJoint.mjJNT_SLIDE
        if joint.name in FINGER_JOINTS:
            joint.armature = _FINGER_ARMATURE
            joint.solref_limit = (0.004, 1.0)
            joint.solimp_limit = (0.95, 0.99, 0.001, 0.5, 2.0)
        elif joint.name not in BASE_JOINTS:
            joint.armature = _LINEAR_ARMATURE if linear else _ANGULAR_ARMATURE
        if joint.name in robot.joints:
            force = joints[joint.name].effort
            drive = spec.add_actuator(name=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT, target=joint.name,
                                      forcelimited=True, forcerange=(-force, force))
            drive.set_to_position(kp=force / (_LINEAR_ERROR if linear else _ANGULAR_ERROR), dampratio=1.0)


def _add_gripper(spec: mujoco.MjSpec, robot: RobotDescription) -> None:
    """One drive on the fingers' mean; the right finger mimics the left by the URDF's equality."""
    tendon = spec.add_tendon(name=GRIPPER)
    for joint in FINGER_JOINTS:
        tendon.wrap_joint(joint, 0.5)
    force = 2 * robot.grip_force  # half of the tendon's force reaches each finger
    drive = spec.add_actuator(name=GRIPPER, trntype=mujoco.mjtTrn.mjTRN_TENDON, target=GRIPPER,
                              forcelimited=True, forcerange=(-force, force))
    drive.set_to_position(kp=_GRIP_KP, kv=_GRIP_KV)
