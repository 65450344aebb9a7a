"""Services about worlds, and the named poses in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dadu_nodes.simulator.standard import messages
from simulation_interfaces import srv

from dadu.core.errors import choices
from dadu.sim.control.codes import ResultCode, Unfulfilled
from dadu.sim.control.named_poses import named_poses
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.worlds import available_worlds

Table = list[tuple[Any, str, Callable[[Any, Any], None]]]
"""type, name and handler of each service: what a handler does not raise is a success"""


class WorldsServices:
    def __init__(self, control: SimulatorControl) -> None:
        self._control = control
        self.table: Table = [
            (srv.GetAvailableWorlds, "get_available_worlds", self._available),
            (srv.GetCurrentWorld, "get_current_world", self._current),
            (srv.LoadWorld, "load_world", self._load),
            (srv.GetNamedPoses, "get_named_poses", self._named_poses),
            (srv.GetNamedPoseBounds, "get_named_pose_bounds", self._pose_bounds),
        ]

    def _available(self, request: Any, response: Any) -> None:
        found = available_worlds(request.additional_sources, messages.tag_filter(request.filter),
                                 request.continue_on_error)
        response.worlds = [messages.world_message(world) for world in found]

    def _current(self, request: Any, response: Any) -> None:
        response.world = messages.world_message(self._control.world)

    def _load(self, request: Any, response: Any) -> None:
        response.world = messages.world_message(self._control.load(messages.resource(request.world_resource)))

    def _named_poses(self, request: Any, response: Any) -> None:
        wanted = messages.tag_filter(request.tags)
        response.poses = [messages.named_pose(told) for told in named_poses(self._control.world.house).values()
                          if wanted.passes(told.tags)]

    def _pose_bounds(self, request: Any, response: Any) -> None:
        there = named_poses(self._control.world.house)
        if request.name not in there:
            raise Unfulfilled(ResultCode.NOT_FOUND, f"no pose {request.name!r}; there are {choices(there, 60)}")
        response.bounds = messages.bounds(there[request.name].bounds)
