"""Between simulation_interfaces' messages and `dadu.sim.control`."""

from __future__ import annotations

import numpy as np
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import matrix, pose, vector, xyz
from geometry_msgs.msg import Accel, Pose, Twist
from simulation_interfaces.msg import (
    Bounds,
    EntityCategory,
    EntityFilters,
    EntityState,
    NamedPose,
    TagsFilter,
    WorldResource,
)
from simulation_interfaces.msg import EntityInfo as EntityInfoMsg
from simulation_interfaces.msg import Resource as ResourceMsg
from std_msgs.msg import Header

from dadu.core.geometry import is_pose
from dadu.sim.control import named_poses, population
from dadu.sim.control.codes import Category, ResultCode, Unfulfilled
from dadu.sim.control.entities import EntityFilter, EntityInfo, SimulatedEntity, TagFilter
from dadu.sim.control.volumes import Volume, VolumeKind
from dadu.sim.control.worlds import Resource, World
from dadu.sim.mujoco.motion import Motion


def volume(message: Bounds) -> Volume:
    """Errors: Unfulfilled."""
    if message.type not in list(VolumeKind):
        raise Unfulfilled(ResultCode.FEATURE_UNSUPPORTED, f"no bounds of type {message.type} are known")
    return Volume(VolumeKind(message.type), np.array([xyz(p) for p in message.points]).reshape(-1, 3))


def bounds(volume: Volume) -> Bounds:
    return Bounds(type=volume.kind, points=[vector(p) for p in volume.points])


def entity_bounds(entity: SimulatedEntity) -> Bounds:
    """In its own frame."""
    x, y, z = entity.box.size
    return bounds(Volume(VolumeKind.BOX, np.array([[x / 2, y / 2, z], [-x / 2, -y / 2, 0.0]])))


def tag_filter(message: TagsFilter) -> TagFilter:
    return TagFilter(tuple(message.tags), message.filter_mode == TagsFilter.FILTER_MODE_ALL)


def entity_filter(message: EntityFilters) -> EntityFilter:
    """Errors: Unfulfilled."""
    return EntityFilter(message.filter, tuple(c.category for c in message.categories), tag_filter(message.tags),
                        volume(message.bounds))


def info(message: EntityInfoMsg) -> EntityInfo:
    """Errors: Unfulfilled."""
    if message.category.category not in list(Category):
        raise Unfulfilled(ResultCode.OPERATION_FAILED, f"no category {message.category.category}; valid: "
                      + ", ".join(f"{c} ({c.name})" for c in Category))
    return EntityInfo(Category(message.category.category), message.description, tuple(message.tags))


def info_message(info: EntityInfo) -> EntityInfoMsg:
    return EntityInfoMsg(category=EntityCategory(category=info.category), description=info.description,
                         tags=list(info.tags))


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


def named_pose(told: named_poses.NamedPose) -> NamedPose:
    return NamedPose(name=told.name, description=told.description, tags=list(told.tags), pose=pose(told.T_map))


def resource(message: ResourceMsg) -> Resource:
    return Resource(message.uri, message.resource_string)


def world_message(world: World) -> WorldResource:
    told = ResourceMsg(uri=world.resource.uri, resource_string=world.resource.text)
    return WorldResource(name=world.house.house, world_resource=told, description=world.description,
                         tags=list(world.tags))
