"""The true state as a message."""

from __future__ import annotations

from dadu_interfaces.msg import BodyState, GroundTruth
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import orientation, point, pose2d, vector
from geometry_msgs.msg import Pose
from std_msgs.msg import Header

from dadu.world.state import ObjectState, WorldState


def truth_message(state: WorldState, house: str, instances: tuple[tuple[str, ...], tuple[str, ...]],
                  real_time_factor: float) -> GroundTruth:
    """`instances`: names and categories by pixel value."""
    names, categories = instances
    furniture = {f"{id}/{state}": value for id, states in state.furniture.items() for state, value in states.items()}
    return GroundTruth(
        header=Header(stamp=stamp(state.stamp), frame_id="map"), house=house, robot=pose2d(state.robot),
        objects=[_body(body) for body in state.bodies.values()], part_names=list(state.parts),
        part_values=list(state.parts.values()), state_names=list(furniture), state_values=list(furniture.values()),
        instance_names=list(names), instance_categories=list(categories),
        real_time_factor=float(real_time_factor),
    )


def _body(body: ObjectState) -> BodyState:
    pose = Pose(position=point(body.box.centre), orientation=orientation(body.box.R))
    return BodyState(name=body.name, category=body.category, pose=pose, size=vector(body.box.size), held=body.held,
                     state_names=list(body.states), state_values=list(body.states.values()))
