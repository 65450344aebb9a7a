"""A person as a figure: seen by camera and laser, in the robot's way, moved only when told to."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from dadu.core.geometry import Pose2

FIGURE = "person"
HAND = (0.35, -0.12, 1.05)
"""where a person carries things, in their own frame: x ahead, z above the floor [m]"""
_PARKED = (0.0, 0.0, -20.0)
_SKIN, _SHIRT, _TROUSERS = (0.85, 0.66, 0.55, 1.0), (0.25, 0.42, 0.62, 1.0), (0.2, 0.2, 0.26, 1.0)
_LIMBS = (
    ("leg_left", (0, 0.09, 0.08), (0, 0.09, 0.85), 0.07, _TROUSERS),
    ("leg_right", (0, -0.09, 0.08), (0, -0.09, 0.85), 0.07, _TROUSERS),
    ("trunk", (0, 0, 0.95), (0, 0, 1.35), 0.15, _SHIRT),
    ("arm_left", (0, 0.21, 1.38), (0.05, 0.24, 0.9), 0.045, _SHIRT),
    ("arm_right", (0, -0.21, 1.38), (0.12, -0.2, 1.1), 0.045, _SHIRT),
    ("forearm_right", (0.12, -0.2, 1.1), (0.3, -0.13, 1.05), 0.035, _SKIN),
    ("neck", (0, 0, 1.45), (0, 0, 1.5), 0.06, _SKIN),
)
_ROBOT = 2 | 4
"""contact bits of the robot's body and hand: a figure walks past everything else without touching it"""


def add_figure(spec: mujoco.MjSpec) -> None:
    """Capsules for limbs and trunk and a head, parked below the floor."""
    body = spec.worldbody.add_body(name=FIGURE, mocap=True, pos=_PARKED)
    for name, start, end, radius, color in _LIMBS:
        body.add_geom(name=f"{FIGURE}/{name}", type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=(*start, *end),
                      size=(radius, 0, 0), rgba=color, contype=0, conaffinity=_ROBOT)
    body.add_geom(name=f"{FIGURE}/head", type=mujoco.mjtGeom.mjGEOM_SPHERE, pos=(0.02, 0, 1.63), size=(0.11, 0, 0),
                  rgba=_SKIN, contype=0, conaffinity=_ROBOT)


def stand(model: mujoco.MjModel, data: mujoco.MjData, pose: Pose2) -> None:
    """Stands the figure on the floor of the map, looking along its yaw."""
    i = model.body(FIGURE).mocapid[0]
    data.mocap_pos[i] = (pose.x, pose.y, 0.0)
    data.mocap_quat[i] = (np.cos(pose.yaw / 2), 0.0, 0.0, np.sin(pose.yaw / 2))


def standing(model: mujoco.MjModel, data: mujoco.MjData) -> Pose2 | None:
    """Where the figure stands on the map; None where there is none, or it is parked."""
    if mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, FIGURE) < 0:
        return None
    i = model.body(FIGURE).mocapid[0]
    x, y, z = data.mocap_pos[i].tolist()
    w, _, _, sine = data.mocap_quat[i].tolist()
    return Pose2(x, y, 2 * math.atan2(sine, w)) if z >= 0.0 else None
