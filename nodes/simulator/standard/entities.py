"""Services about entities."""

from __future__ import annotations

import re
from typing import Any

from dadu_nodes.simulator.standard import messages
from dadu_nodes.simulator.standard.worlds import Table
from simulation_interfaces import srv
from simulation_interfaces.msg import Resource, Result, Spawnable, SpawnResult

from dadu.core.errors import choices
from dadu.sim.control.codes import ENTITIES_SPAWN_FAILED, INVALID_STATE_POSE, ResultCode, SpawnCode, Unfulfilled
from dadu.sim.control.entities import SimulatedEntity
from dadu.sim.control.population import Population
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.spawnables import spawnables

_NAMESPACE = re.compile(r"(/?[A-Za-z_][A-Za-z0-9_]*)*")


class EntityServices:
    def __init__(self, control: SimulatorControl, frame_prefix: str) -> None:
        self._control, self._prefix = control, frame_prefix
        self.table: Table = [
            (srv.GetEntities, "get_entities", self._names),
            (srv.GetEntityInfo, "get_entity_info", self._info),
            (srv.SetEntityInfo, "set_entity_info", self._set_info),
            (srv.GetEntityBounds, "get_entity_bounds", self._bounds),
            (srv.GetEntityState, "get_entity_state", self._state),
            (srv.GetEntitiesStates, "get_entities_states", self._states),
            (srv.SetEntityState, "set_entity_state", self._set_state),
            (srv.GetSpawnables, "get_spawnables", self._spawnables),
            (srv.SpawnEntity, "spawn_entity", self._spawn),
            (srv.SpawnEntities, "spawn_entities", self._spawn_all),
            (srv.DeleteEntity, "delete_entity", self._delete),
        ]

    @property
    def _population(self) -> Population:
        return self._control.population

    @property
    def _frame(self) -> str:
        return f"{self._prefix}map"

    def _here(self, frame: str) -> str:
        return "map" if frame == self._frame else frame

    def _names(self, request: Any, response: Any) -> None:
        response.entities = [entity.name for entity in self._wanted(request.filters)]

    def _wanted(self, filters: Any) -> list[SimulatedEntity]:
        return messages.entity_filter(filters).of(self._population.all().values())

    def _info(self, request: Any, response: Any) -> None:
        response.info = messages.info_message(self._population.one(request.entity).info)

    def _set_info(self, request: Any, response: Any) -> None:
        self._population.describe(request.entity, messages.info(request.info))

    def _bounds(self, request: Any, response: Any) -> None:
        response.bounds = messages.entity_bounds(self._population.one(request.entity))

    def _state(self, request: Any, response: Any) -> None:
        found = self._population.states([self._population.one(request.entity).name])
        response.state = messages.state_message(found[request.entity], self._frame)

    def _states(self, request: Any, response: Any) -> None:
        found = self._population.states([entity.name for entity in self._wanted(request.filters)])
        response.entities = list(found)
        response.states = [messages.state_message(state, self._frame) for state in found.values()]

    def _set_state(self, request: Any, response: Any) -> None:
        wanted = request.state
        T = messages.placed(wanted.pose, INVALID_STATE_POSE) if request.set_pose else None
        velocity = messages.velocity(wanted.twist) if request.set_twist else None
        self._population.set_state(request.entity, self._here(wanted.header.frame_id), T, velocity)

    def _spawnables(self, request: Any, response: Any) -> None:
        response.spawnables = [Spawnable(entity_resource=Resource(uri=uri), description=description)
                               for uri, description in spawnables().items()]

    def _spawn(self, request: Any, response: Any) -> None:
        response.entity_name = self._spawned(request)

    def _spawned(self, wanted: Any) -> str:
        if not _NAMESPACE.fullmatch(wanted.entity_namespace):
            raise Unfulfilled(SpawnCode.NAMESPACE_INVALID, f"{wanted.entity_namespace!r} is no namespace")
        T = messages.placed(wanted.initial_pose.pose, SpawnCode.INVALID_POSE)
        return self._population.spawn(wanted.name, wanted.allow_renaming, messages.resource(wanted.entity_resource),
                                      self._here(wanted.initial_pose.header.frame_id), T)

    def _spawn_all(self, request: Any, response: Any) -> None:
        for wanted in request.spawn_requests:
            try:
                name, result = self._spawned(wanted), Result(result=ResultCode.OK)
            except Unfulfilled as refusal:
                name, result = "", Result(result=refusal.code, error_message=str(refusal))
            response.results = [*response.results, SpawnResult(result=result, entity_name=name)]
        if failed := [result for result in response.results if result.result.result != ResultCode.OK]:
            raise Unfulfilled(ENTITIES_SPAWN_FAILED, f"{len(failed)} of {len(response.results)} were not spawned: "
                          + choices(result.result.error_message for result in failed))

    def _delete(self, request: Any, response: Any) -> None:
        self._population.delete(request.entity)
