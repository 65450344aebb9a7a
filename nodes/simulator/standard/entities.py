"""Services about entities."""

from __future__ import annotations

import re
from typing import Any

from dadu_nodes.simulator.standard import messages
from dadu_nodes.simulator.standard.worlds import Table
from simulation_interfaces import srv
from simulation_interfaces.msg import Resource, Spawnable

from dadu.sim.control.codes import INVALID_STATE_POSE, ResultCode, SpawnCode, Unfulfilled
from dadu.sim.control.entities import SimulatedEntity, chosen
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
            (srv.GetEntityState, "get_entity_state", self._state),
            (srv.GetEntitiesStates, "get_entities_states", self._states),
            (srv.SetEntityState, "set_entity_state", self._set_state),
            (srv.GetSpawnables, "get_spawnables", self._spawnables),
            (srv.SpawnEntity, "spawn_entity", self._spawn),
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
        if filters.tags.tags or filters.bounds.type:
            raise Unfulfilled(ResultCode.FEATURE_UNSUPPORTED, "entities are chosen by name and category alone")
        return chosen(self._population.all().values(), filters.filter, [c.category for c in filters.categories])

    def _info(self, request: Any, response: Any) -> None:
        response.info = messages.info_message(self._population.one(request.entity))

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
        if not _NAMESPACE.fullmatch(request.entity_namespace):
            raise Unfulfilled(SpawnCode.NAMESPACE_INVALID, f"{request.entity_namespace!r} is no namespace")
        T = messages.placed(request.initial_pose.pose, SpawnCode.INVALID_POSE)
        response.entity_name = self._population.spawn(
            request.name, request.allow_renaming, messages.resource(request.entity_resource),
            self._here(request.initial_pose.header.frame_id), T)

    def _delete(self, request: Any, response: Any) -> None:
        self._population.delete(request.entity)
