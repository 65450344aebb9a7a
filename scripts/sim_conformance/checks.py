"""Checks that change nothing, or put back what they change: what is told of simulator, entities, poses, worlds."""

from __future__ import annotations

import math
import re

from client import Simulator, Skipped, Violation
from geometry_msgs.msg import Vector3
from simulation_interfaces import srv
from simulation_interfaces.msg import (
    Bounds,
    EntityCategory,
    EntityFilters,
    EntityInfo,
    Result,
    SimulatorFeatures,
    TagsFilter,
)

NOBODY = "no_such_thing_e7c1"
_FEW = 12
"""entities that are asked for one by one"""
_NEEDS = {
    "SPAWNING": (srv.SpawnEntity,), "SPAWNING_ENTITIES": (srv.SpawnEntities,), "DELETING": (srv.DeleteEntity,),
    "SPAWNABLES": (srv.GetSpawnables,), "NAMED_POSES": (srv.GetNamedPoses,), "POSE_BOUNDS": (srv.GetNamedPoseBounds,),
    "ENTITY_BOUNDS": (srv.GetEntityBounds,), "ENTITY_STATE_GETTING": (srv.GetEntityState, srv.GetEntitiesStates),
    "ENTITY_STATE_SETTING": (srv.SetEntityState,), "ENTITY_INFO_GETTING": (srv.GetEntityInfo,),
    "ENTITY_INFO_SETTING": (srv.SetEntityInfo,), "SIMULATION_RESET": (srv.ResetSimulation,),
    "SIMULATION_STATE_GETTING": (srv.GetSimulationState,), "SIMULATION_STATE_SETTING": (srv.SetSimulationState,),
    "STEP_SIMULATION_SINGLE": (srv.StepSimulation,), "WORLD_LOADING": (srv.LoadWorld,),
    "WORLD_UNLOADING": (srv.UnloadWorld,), "WORLD_INFO_GETTING": (srv.GetCurrentWorld,),
    "AVAILABLE_WORLDS": (srv.GetAvailableWorlds,),
}
_IMPLIES = {"POSE_BOUNDS": "NAMED_POSES", "SPAWNING_RESOURCE_STRING": "SPAWNING",
            "SIMULATION_RESET_TIME": "SIMULATION_RESET", "SIMULATION_RESET_STATE": "SIMULATION_RESET",
            "SIMULATION_RESET_SPAWNED": "SIMULATION_RESET",
            "SIMULATION_STATE_PAUSE": "SIMULATION_STATE_SETTING", "WORLD_RESOURCE_STRING": "WORLD_LOADING"}
NAMES = {getattr(SimulatorFeatures, name): name for name in dir(type(SimulatorFeatures))
         if name[0].isalpha() and name.isupper()}


def features(sim: Simulator) -> set[str]:
    """The names of those claimed. Errors: Violation for one that the standard lacks."""
    claimed = list(sim.call(srv.GetSimulatorFeatures).features.features)
    unknown = sorted(set(claimed) - NAMES.keys())
    if unknown:
        raise Violation(f"features {unknown} are not of the standard")
    return {NAMES[number] for number in claimed}


def claims_fit(sim: Simulator, claimed: set[str]) -> str:
    missing = [f"{name} without {needed}" for name, needed in _IMPLIES.items()
               if name in claimed and needed not in claimed]
    unserved = [f"{kind.__name__} ({name})" for name, kinds in _NEEDS.items() if name in claimed for kind in kinds
                if not sim.until(lambda kind=kind: sim.serves(kind), 5.0)]
    if missing or unserved:
        raise Violation("; ".join((*missing, *(f"nobody serves {what}" for what in unserved))))
    silent = [kind.__name__ for name, kinds in _NEEDS.items() if name not in claimed for kind in kinds
              if sim.serves(kind)]
    return f"served, but not claimed: {', '.join(silent)}" if silent else ""


def entities(sim: Simulator) -> str:
    names = sim.entities()
    if len(set(names)) != len(names) or not all(names):
        raise Violation("names of entities are empty or not unique")
    if not names:
        return "there are none"
    one = names[0]
    if sim.entities(filter=f"^{re.escape(one)}$") != [one]:
        raise Violation(f"the filter ^{one}$ does not find {one} alone")
    if found := sim.entities(filter=NOBODY):
        raise Violation(f"the filter {NOBODY} finds {found[0]}")
    return f"{len(names)} entities"


def info(sim: Simulator) -> str:
    for name in sim.entities()[:_FEW]:
        sim.ok(srv.GetEntityInfo, entity=name)
    sim.refused(srv.GetEntityInfo, Result.RESULT_NOT_FOUND, entity=NOBODY)
    return ""


def info_is_set(sim: Simulator) -> str:
    name = _any(sim)
    before = sim.ok(srv.GetEntityInfo, entity=name).info
    told = EntityInfo(category=before.category, description="told by a check", tags=["checked", *before.tags])
    try:
        sim.ok(srv.SetEntityInfo, entity=name, info=told)
        after = sim.ok(srv.GetEntityInfo, entity=name).info
        if after != told:
            raise Violation(f"{name} was told to be {told}, and is {after}")
    finally:
        sim.ok(srv.SetEntityInfo, entity=name, info=before)
    sim.refused(srv.SetEntityInfo, Result.RESULT_NOT_FOUND, entity=NOBODY, info=told)
    return ""


def categories(sim: Simulator) -> str:
    everything = {number: set(sim.entities(categories=[EntityCategory(category=number)])) for number in (0, 1, 2, 4, 5)}
    if set().union(*everything.values()) != set(sim.entities()):
        raise Violation("the entities of all categories together are not all entities")
    for name in sim.entities()[:_FEW]:
        if sim.serves(srv.GetEntityInfo):
            category = sim.ok(srv.GetEntityInfo, entity=name).info.category.category
            if name not in everything.get(category, ()):
                raise Violation(f"{name} is of category {category}, and is not found by it")
    return ", ".join(f"{len(names)} of {number}" for number, names in everything.items() if names)


def tags(sim: Simulator) -> str:
    if found := sim.entities(tags=TagsFilter(tags=[NOBODY])):
        raise Violation(f"a tag that nothing has finds {found[0]}")
    if not sim.serves(srv.GetEntityInfo):
        raise Skipped("nobody tells tags")
    for name in sim.entities()[:_FEW]:
        if own := list(sim.ok(srv.GetEntityInfo, entity=name).info.tags):
            if name not in sim.entities(tags=TagsFilter(tags=[own[0], NOBODY])):
                raise Violation(f"{name} is not found by any of its tags {own}")
            if name in sim.entities(tags=TagsFilter(tags=[own[0], NOBODY], filter_mode=TagsFilter.FILTER_MODE_ALL)):
                raise Violation(f"{name} is found by a tag that it lacks, where all are wanted")
            return ""
    raise Skipped("no entity has tags")


def bounds(sim: Simulator) -> str:
    for name in sim.entities()[:_FEW]:
        found = sim.ok(srv.GetEntityBounds, entity=name).bounds
        if not is_volume(found):
            raise Violation(f"the bounds of {name} are no volume: {found}")
    sim.refused(srv.GetEntityBounds, Result.RESULT_NOT_FOUND, entity=NOBODY)
    return ""


def is_volume(found: Bounds) -> bool:
    count, numbers = len(found.points), [v for p in found.points for v in (p.x, p.y, p.z)]
    counts = {Bounds.TYPE_EMPTY: count == 0, Bounds.TYPE_BOX: count == 2, Bounds.TYPE_CONVEX_HULL: count >= 3,
              Bounds.TYPE_SPHERE: count == 2}
    if not counts.get(found.type, False) or not all(map(math.isfinite, numbers)):
        return False
    if found.type != Bounds.TYPE_BOX:
        return True
    upper, lower = found.points
    return upper.x >= lower.x and upper.y >= lower.y and upper.z >= lower.z


def overlap(sim: Simulator, claimed: set[str]) -> str:
    """Spheres always; boxes and hulls where they are claimed, else refused as unsupported."""
    name = _any(sim)
    p = sim.ok(srv.GetEntityState, entity=name).state.pose.position
    near, far = (p.x, p.y, p.z), (p.x, p.y, p.z + 1e4)
    for kind, feature, volume in (
            (Bounds.TYPE_SPHERE, "", lambda c: [_vector(*c), Vector3(x=0.5)]),
            (Bounds.TYPE_BOX, "ENTITY_BOUNDS_BOX", lambda c: [_moved(c, 0.5), _moved(c, -0.5)]),
            (Bounds.TYPE_CONVEX_HULL, "ENTITY_BOUNDS_CONVEX", _octahedron)):
        if feature and feature not in claimed:
            sim.refused(srv.GetEntities, Result.RESULT_FEATURE_UNSUPPORTED,
                        filters=EntityFilters(bounds=Bounds(type=kind, points=volume(near))))
            continue
        if name not in sim.entities(bounds=Bounds(type=kind, points=volume(near))):
            raise Violation(f"{name} is not found by bounds of type {kind} around it")
        if found := sim.entities(bounds=Bounds(type=kind, points=volume(far))):
            raise Violation(f"{found[0]} is found by bounds of type {kind} 10 km above")
    return ""


def _vector(x: float, y: float, z: float) -> Vector3:
    return Vector3(x=x, y=y, z=z)


def _moved(c: tuple[float, float, float], by: float) -> Vector3:
    return _vector(c[0] + by, c[1] + by, c[2] + by)


def _octahedron(c: tuple[float, float, float]) -> list[Vector3]:
    return [_vector(*(c[i] + (sign * 0.5 if i == axis else 0.0) for i in range(3))) for axis in range(3)
            for sign in (-1, 1)]


def states(sim: Simulator) -> str:
    everything = sim.ok(srv.GetEntitiesStates)
    if len(everything.entities) != len(everything.states) or set(everything.entities) != set(sim.entities()):
        raise Violation("GetEntitiesStates does not tell one state of each entity")
    for name in sim.entities()[:_FEW]:
        pose = sim.ok(srv.GetEntityState, entity=name).state.pose
        q = pose.orientation
        if not all(map(math.isfinite, (pose.position.x, pose.position.y, pose.position.z))):
            raise Violation(f"the position of {name} is not finite")
        if abs(q.x**2 + q.y**2 + q.z**2 + q.w**2 - 1) > 1e-3:
            raise Violation(f"the orientation of {name} is no unit quaternion")
    sim.refused(srv.GetEntityState, Result.RESULT_NOT_FOUND, entity=NOBODY)
    return ""


def named_poses(sim: Simulator) -> str:
    poses = sim.ok(srv.GetNamedPoses).poses
    names = [pose.name for pose in poses]
    if len(set(names)) != len(names):
        raise Violation("names of poses are not unique")
    if found := sim.ok(srv.GetNamedPoses, tags=TagsFilter(tags=[NOBODY])).poses:
        raise Violation(f"a tag that no pose has finds {found[0].name}")
    for pose in poses:
        if pose.tags:
            found = sim.ok(srv.GetNamedPoses, tags=TagsFilter(tags=[pose.tags[0]])).poses
            if pose.name not in [other.name for other in found]:
                raise Violation(f"{pose.name} is not found by its tag {pose.tags[0]}")
            break
    return f"{len(poses)} poses"


def pose_bounds(sim: Simulator) -> str:
    for pose in sim.ok(srv.GetNamedPoses).poses[:_FEW]:
        if not is_volume(sim.ok(srv.GetNamedPoseBounds, name=pose.name).bounds):
            raise Violation(f"the bounds of the pose {pose.name} are no volume")
    sim.refused(srv.GetNamedPoseBounds, Result.RESULT_NOT_FOUND, name=NOBODY)
    return ""


def spawnables(sim: Simulator) -> str:
    found = sim.ok(srv.GetSpawnables).spawnables
    uris = [each.entity_resource.uri for each in found]
    if not all(uris) or len(set(uris)) != len(uris):
        raise Violation("URIs of spawnables are empty or not unique")
    return f"{len(uris)} spawnables"


def current_world(sim: Simulator) -> str:
    world = sim.ok(srv.GetCurrentWorld).world
    if not world.world_resource.uri and not world.world_resource.resource_string:
        raise Violation(f"the world {world.name} has neither URI nor text")
    return world.name


def available_worlds(sim: Simulator) -> str:
    worlds = sim.ok(srv.GetAvailableWorlds).worlds
    for world in worlds:
        if not world.world_resource.uri and not world.world_resource.resource_string:
            raise Violation(f"the world {world.name} has neither URI nor text")
    return f"{len(worlds)} worlds"


def world_tags(sim: Simulator) -> str:
    if found := sim.ok(srv.GetAvailableWorlds, filter=TagsFilter(tags=[NOBODY])).worlds:
        raise Violation(f"a tag that no world has finds {found[0].name}")
    for world in sim.ok(srv.GetAvailableWorlds).worlds:
        if world.tags:
            found = sim.ok(srv.GetAvailableWorlds, filter=TagsFilter(tags=[world.tags[0]])).worlds
            if world.name not in [other.name for other in found]:
                raise Violation(f"{world.name} is not found by its tag {world.tags[0]}")
            return ""
    raise Skipped("no world has tags")


def _any(sim: Simulator) -> str:
    names = sim.entities()
    if not names:
        raise Skipped("there are no entities")
    return names[0]
