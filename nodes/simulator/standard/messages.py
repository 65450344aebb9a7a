"""Between simulation_interfaces' messages and `dadu.sim.control`."""

from __future__ import annotations

import numpy as np
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import matrix, pose, vector, xyz
from geometry_msgs.msg import Accel, Pose, Twist
from simulation_interfaces.msg import EntityCategory, EntityInfo, EntityState, WorldResource
from simulation_interfaces.msg import Resource as ResourceMsg
from std_msgs.msg import Header

from dadu.core.geometry import is_pose
from dadu.sim.control import population
from dadu.sim.control.codes import Unfulfilled
from dadu.sim.control.entities import SimulatedEntity
from dadu.sim.control.worlds import Resource, World
from dadu.sim.mujoco.motion import Motion


def info_message(entity: SimulatedEntity) -> EntityInfo:
    return EntityInfo(category=EntityCategory(category=entity.category), description=entity.description)


def placed(message: Pose, code: int) -> np.ndarray:
    """(4, 4). Errors: Unfulfilled with `code`."""
    q = message.orientation
    if not is_pose(xyz(message.position), (q.x, q.y, q.z, q.w)):
        raise Unfulfilled(code, "the pose is none: position and orientation are finite, the quaternion of length 1")
    return matrix(message)


def velocity(message: Twist) -> Motion:
    return Motion(np.array(xyz(message.linear)), np.array(xyz(message.angular)))


def state_message(state: population.EntityState, frame: str) -> EntityState:
    speed, change = state.velocity, state.acceleration
    return EntityState(header=Header(stamp=stamp(state.stamp), frame_id=frame), pose=pose(state.T_map),
                       twist=Twist(linear=vector(speed.linear), angular=vector(speed.angular)),
                       acceleration=Accel(linear=vector(change.linear), angular=vector(change.angular)))


def resource(message: ResourceMsg) -> Resource:
    return Resource(message.uri, message.resource_string)


def world_message(world: World) -> WorldResource:
    told = ResourceMsg(uri=world.resource.uri, resource_string=world.resource.text)
    return WorldResource(name=world.house.house, world_resource=told)
