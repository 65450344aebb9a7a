"""Checks that change the simulation: its state, steps, what is in it, its world. Each leaves it playing."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

from checks import NOBODY
from client import Simulator, Skipped, Violation
from geometry_msgs.msg import Pose, PoseStamped, Quaternion
from simulation_interfaces import srv
from simulation_interfaces.msg import EntityCategory, NamedPose, Resource, Result, SimulationState, SpawnEntity

_STEPS = 7
_SLOW = 10.0
"""wall seconds that a busy simulator may take to publish /clock"""
_HERE = 0.02
"""[m] by which a thing that was put somewhere may be off, in a paused simulation"""
_BACK = 0.25
"""[m] by which a thing may be off where it was at the start: simulators may vary that"""


def states(sim: Simulator) -> str:
    """Playing and stopped."""
    play(sim)
    sim.refused(srv.SetSimulationState, srv.SetSimulationState.Response.ALREADY_IN_TARGET_STATE,
                state=SimulationState(state=SimulationState.STATE_PLAYING))
    sim.ok(srv.SetSimulationState, state=SimulationState(state=SimulationState.STATE_STOPPED))
    _is_in(sim, SimulationState.STATE_STOPPED)
    play(sim)
    sim.refused(srv.SetSimulationState, state=SimulationState(state=SimulationState.STATE_LOADING_WORLD))
    _is_in(sim, SimulationState.STATE_PLAYING)
    return ""


def pause(sim: Simulator) -> str:
    """The clock stands while it is paused, and goes on afterwards."""
    play(sim)
    _pause(sim)
    before = _standing(sim)
    sim.spin(1.0)
    after = _now(sim)
    if after != before:
        raise Violation(f"/clock went on by {after - before:.3f} s while the simulation was paused")
    play(sim)
    if not sim.until(lambda: sim.clock and sim.clock[-1] > after, 5.0):
        raise Violation("/clock does not go on after a pause") if sim.clock else Skipped("nobody publishes /clock")
    return "" if sim.clock else "nobody publishes /clock: that it stands was not seen"


def state_is_told(sim: Simulator) -> str:
    state = sim.ok(srv.GetSimulationState).state.state
    if not SimulationState.STATE_STOPPED <= state <= SimulationState.STATE_LOADING_WORLD:
        raise Violation(f"there is no state {state}")
    return f"state {state}"


def single_step(sim: Simulator) -> str:
    play(sim)
    sim.refused(srv.StepSimulation, Result.RESULT_OPERATION_FAILED, steps=1)
    return f"a step is {_stepped(sim, lambda: sim.ok(srv.StepSimulation, steps=1)) * 1e3:g} ms"


def many_steps(sim: Simulator) -> str:
    _multiple(sim, lambda: sim.ok(srv.StepSimulation, steps=_STEPS))
    return ""


def step_action(sim: Simulator) -> str:
    play(sim)
    if sim.simulate(1)[0].result.result != Result.RESULT_OPERATION_FAILED:
        raise Violation("SimulateSteps of a simulation that is playing does not fail")

    def step() -> None:
        result, heard = sim.simulate(_STEPS)
        if result.result.result != Result.RESULT_OK:
            raise Violation(f"SimulateSteps ends with {result.result.result}: {result.result.error_message}")
        counts = [(told.completed_steps, told.remaining_steps) for told in heard]
        expected = [(done, _STEPS - done) for done in range(1, _STEPS + 1)]
        # Some may be lost: a client leaves off listening when the result is there, which travels by another way.
        if not counts or counts != [each for each in expected if each in counts]:
            raise Violation(f"the feedback on {_STEPS} steps is {counts}")

    _multiple(sim, step)
    return ""


def _multiple(sim: Simulator, step: Callable[[], Any]) -> None:
    if not sim.serves(srv.StepSimulation):
        _stepped(sim, step)
        return
    one = _stepped(sim, lambda: sim.ok(srv.StepSimulation, steps=1))
    many = _stepped(sim, step)
    if abs(many - _STEPS * one) > 0.01 * abs(many):
        raise Violation(f"{_STEPS} steps take {many:.4f} s, one {one:.4f} s")


def _stepped(sim: Simulator, step: Callable[[], Any]) -> float:
    """By how much the clock goes on [s]."""
    _pause(sim)
    before = _standing(sim)
    step()
    after = _standing(sim)
    _is_in(sim, SimulationState.STATE_PAUSED)
    play(sim)
    if sim.clock and after <= before:
        raise Violation("/clock does not go on by a step")
    return after - before


def reset(sim: Simulator) -> str:
    names = set(sim.entities())
    sim.ok(srv.ResetSimulation)
    if set(sim.entities()) != names:
        raise Violation("after a reset there are other entities, though none was spawned")
    return ""


def reset_time(sim: Simulator) -> str:
    sim.until(lambda: _now(sim) > 3.0, sim.timeout)  # what was heard before is of the reset before
    before = _now(sim)
    if before <= 3.0:
        raise Skipped("/clock is not there, or was only just reset")
    sim.ok(srv.ResetSimulation, scope=srv.ResetSimulation.Request.SCOPE_TIME)
    if not sim.until(lambda: sim.clock[-1] < before - 1.0, _SLOW):
        raise Violation(f"/clock was at {before:.2f} s, and is at {sim.clock[-1]:.2f} s after its reset")
    return ""


def reset_state(sim: Simulator) -> str:
    sim.ok(srv.ResetSimulation, scope=srv.ResetSimulation.Request.SCOPE_STATE)
    name, start = _movable(sim)
    sim.ok(srv.SetEntityState, entity=name, state=_raised(start, 1.0), set_pose=True)
    sim.ok(srv.ResetSimulation, scope=srv.ResetSimulation.Request.SCOPE_STATE)
    if (off := _apart(_state(sim, name), start)) > _BACK:
        raise Violation(f"{name} is {off:.2f} m away from its start after a reset of the state")
    return ""


def reset_spawned(sim: Simulator) -> str:
    name = _spawn(sim)
    sim.ok(srv.ResetSimulation, scope=srv.ResetSimulation.Request.SCOPE_SPAWNED)
    if name in sim.entities():
        raise Violation(f"{name}, which was spawned, is still there after a reset of what was spawned")
    return ""


def state_is_set(sim: Simulator) -> str:
    paused = sim.serves(srv.SetSimulationState)
    if paused:
        _pause(sim)
    name, start = _movable(sim)
    wanted = _raised(start, 0.5)
    sim.ok(srv.SetEntityState, entity=name, state=wanted, set_pose=True)
    if (off := _apart(_state(sim, name), wanted)) > (_HERE if paused else 0.5):
        raise Violation(f"{name} is {off:.3f} m away from where it was put")
    sim.ok(srv.SetEntityState, entity=name, state=start)  # no flag: nothing is set
    if _apart(_state(sim, name), start) < 0.25:
        raise Violation(f"{name} was moved though set_pose was false")
    spoilt = copy.deepcopy(start)
    spoilt.pose.orientation = Quaternion(x=0.0, y=0.0, z=0.0, w=0.0)
    invalid = srv.SetEntityState.Response.INVALID_POSE
    sim.refused(srv.SetEntityState, invalid, entity=name, state=spoilt, set_pose=True)
    spoilt = copy.deepcopy(start)
    spoilt.pose.position.x = math.nan
    sim.refused(srv.SetEntityState, invalid, entity=name, state=spoilt, set_pose=True)
    spoilt.header.frame_id = NOBODY
    spoilt.pose.position.x = 0.0
    sim.refused(srv.SetEntityState, entity=name, state=spoilt, set_pose=True)
    sim.refused(srv.SetEntityState, Result.RESULT_NOT_FOUND, entity=NOBODY, state=start, set_pose=True)
    sim.ok(srv.SetEntityState, entity=name, state=start, set_pose=True)
    if paused:
        play(sim)
    return name


def spawning(sim: Simulator) -> str:
    codes = srv.SpawnEntity.Response
    resource, there = _resource(sim), _place(sim)
    sim.refused(srv.SpawnEntity, codes.NO_RESOURCE, name="checked", initial_pose=there)
    sim.refused(srv.SpawnEntity, name="checked", entity_resource=Resource(uri=NOBODY), initial_pose=there)
    sim.refused(srv.SpawnEntity, codes.NAMESPACE_INVALID, name="checked", entity_resource=resource, initial_pose=there,
                entity_namespace="no namespace!")
    spoilt = copy.deepcopy(there)
    spoilt.pose.orientation = Quaternion(x=0.0, y=0.0, z=0.0, w=0.0)
    sim.refused(srv.SpawnEntity, codes.INVALID_POSE, name="checked", entity_resource=resource, initial_pose=spoilt)
    name = _spawn(sim)
    if name not in sim.entities():
        raise Violation(f"{name} was spawned, and GetEntities does not list it")
    sim.refused(srv.SpawnEntity, codes.NAME_NOT_UNIQUE, name=name, entity_resource=resource, initial_pose=there)
    other = sim.ok(srv.SpawnEntity, name=name, allow_renaming=True, entity_resource=resource,
                   initial_pose=there).entity_name
    if other in ("", name):
        raise Violation(f"a second {name} is called {other!r}")
    for gone in (name, other):
        _delete(sim, gone)
    return resource.uri


def spawning_text(sim: Simulator) -> str:
    sim.refused(srv.SpawnEntity, name="checked", entity_resource=Resource(resource_string="{ no such format"),
                initial_pose=_place(sim))
    return ""


def spawning_many(sim: Simulator) -> str:
    answer = srv.SpawnEntities.Response
    good = SpawnEntity(name="checked", allow_renaming=True, entity_resource=_resource(sim), initial_pose=_place(sim))
    found = sim.refused(srv.SpawnEntities, answer.ENTITIES_SPAWN_FAILED, spawn_requests=[good, SpawnEntity(name="bad")])
    codes = [each.result.result for each in found.results]
    if len(codes) != 2 or codes[0] != Result.RESULT_OK or codes[1] == Result.RESULT_OK:
        raise Violation(f"of a good and a bad request the results are {codes}")
    _delete(sim, found.results[0].entity_name)
    return ""


def deleting(sim: Simulator) -> str:
    sim.refused(srv.DeleteEntity, Result.RESULT_NOT_FOUND, entity=NOBODY)
    name = _spawn(sim)
    sim.ok(srv.DeleteEntity, entity=name)
    if name in sim.entities():
        raise Violation(f"{name} was deleted, and GetEntities lists it")
    sim.refused(srv.DeleteEntity, Result.RESULT_NOT_FOUND, entity=name)
    return ""


def world_loading(sim: Simulator) -> str:
    sim.refused(srv.LoadWorld, srv.LoadWorld.Response.NO_RESOURCE)
    sim.refused(srv.LoadWorld, world_resource=Resource(uri=NOBODY))
    resource = _world(sim)
    world = sim.ok(srv.LoadWorld, world_resource=resource).world
    if sim.serves(srv.GetSimulationState):
        _is_in(sim, SimulationState.STATE_STOPPED)
    if sim.serves(srv.GetCurrentWorld) and (name := sim.ok(srv.GetCurrentWorld).world.name) != world.name:
        raise Violation(f"{world.name} was loaded, and the current world is {name}")
    play(sim)
    return world.name


def world_text(sim: Simulator) -> str:
    sim.refused(srv.LoadWorld, world_resource=Resource(resource_string="{ no such format"))
    play(sim)
    return ""


def world_unloading(sim: Simulator) -> str:
    resource = _world(sim)
    sim.ok(srv.UnloadWorld)
    if sim.serves(srv.GetSimulationState):
        _is_in(sim, SimulationState.STATE_NO_WORLD)
    sim.refused(srv.UnloadWorld, srv.UnloadWorld.Response.NO_WORLD_LOADED)
    if sim.serves(srv.LoadWorld):
        sim.ok(srv.LoadWorld, world_resource=resource)
        play(sim)
    return ""


def play(sim: Simulator) -> None:
    """Where the state can be set and is another."""
    if sim.serves(srv.SetSimulationState) and (not sim.serves(srv.GetSimulationState) or (
            sim.ok(srv.GetSimulationState).state.state != SimulationState.STATE_PLAYING)):
        sim.call(srv.SetSimulationState, state=SimulationState(state=SimulationState.STATE_PLAYING))
        if sim.serves(srv.GetSimulationState):
            _is_in(sim, SimulationState.STATE_PLAYING)


def _pause(sim: Simulator) -> None:
    sim.ok(srv.SetSimulationState, state=SimulationState(state=SimulationState.STATE_PAUSED))
    _is_in(sim, SimulationState.STATE_PAUSED)


def _is_in(sim: Simulator, state: int) -> None:
    if sim.serves(srv.GetSimulationState) and (found := sim.ok(srv.GetSimulationState).state.state) != state:
        raise Violation(f"the simulation is in state {found}, not {state}")


def _now(sim: Simulator) -> float:
    """The newest of /clock [s]; 0 where nobody publishes it."""
    sim.spin(0.3)
    return sim.clock[-1] if sim.clock else 0.0


def _standing(sim: Simulator) -> float:
    """/clock of a paused simulation [s], once what was on its way has come. Errors: Violation where it goes on."""
    seen = [_now(sim)]

    def stands() -> bool:
        seen.append(_now(sim))
        return seen[-1] == seen[-2]

    if not sim.until(stands, _SLOW):
        raise Violation("/clock goes on while the simulation is paused")
    return seen[-1]


def _state(sim: Simulator, name: str) -> Any:
    return sim.ok(srv.GetEntityState, entity=name).state


def _movable(sim: Simulator) -> tuple[str, Any]:
    """A thing, which is neither robot nor static, and its state."""
    names = sim.entities()
    if sim.serves(srv.GetEntityInfo):
        kinds = (EntityCategory.CATEGORY_OBJECT, EntityCategory.CATEGORY_DYNAMIC_OBJECT)
        names = [name for name in names if sim.ok(srv.GetEntityInfo, entity=name).info.category.category in kinds]
    if not names:
        raise Skipped("there is no thing that could be moved")
    return names[0], _state(sim, names[0])


def _raised(state: Any, by: float) -> Any:
    raised = copy.deepcopy(state)
    raised.pose.position.z += by
    return raised


def _apart(state: Any, other: Any) -> float:
    a, b = state.pose.position, other.pose.position
    return math.dist((a.x, a.y, a.z), (b.x, b.y, b.z))


def _resource(sim: Simulator) -> Resource:
    if not sim.serves(srv.GetSpawnables) or not (found := sim.ok(srv.GetSpawnables).spawnables):
        raise Skipped("nothing is told that could be spawned")
    return found[0].entity_resource


def _place(sim: Simulator) -> PoseStamped:
    """A pose that is meant for it, or 1 m over the origin."""
    poses: list[NamedPose] = []
    if sim.serves(srv.GetNamedPoses):
        poses = [pose for pose in sim.ok(srv.GetNamedPoses).poses if "spawn" in pose.tags and "robot" not in pose.tags]
    return PoseStamped(pose=poses[0].pose if poses else _over_origin())


def _over_origin() -> Pose:
    pose = Pose()
    pose.position.z = 1.0
    return pose


def _spawn(sim: Simulator) -> str:
    answer = sim.ok(srv.SpawnEntity, name="checked", allow_renaming=True, entity_resource=_resource(sim),
                    initial_pose=_place(sim))
    return str(answer.entity_name)


def _delete(sim: Simulator, name: str) -> None:
    if sim.serves(srv.DeleteEntity):
        sim.ok(srv.DeleteEntity, entity=name)


def _world(sim: Simulator) -> Resource:
    if sim.serves(srv.GetCurrentWorld):
        return sim.ok(srv.GetCurrentWorld).world.world_resource
    if sim.serves(srv.GetAvailableWorlds) and (worlds := sim.ok(srv.GetAvailableWorlds).worlds):
        return worlds[0].world_resource
    raise Skipped("nobody tells of a world that could be loaded")


def recover(sim: Simulator) -> None:
    """Plays on after a check that was broken off."""
    try:
        play(sim)
    except Violation:
        pass  # told already, or by the next check
