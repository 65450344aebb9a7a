"""Services about worlds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dadu_nodes.simulator.standard import messages
from simulation_interfaces import srv

from dadu.sim.control.simulator import SimulatorControl

Table = list[tuple[Any, str, Callable[[Any, Any], None]]]
"""type, name and handler of each service: what a handler does not raise is a success"""


class WorldsServices:
    def __init__(self, control: SimulatorControl) -> None:
        self._control = control
        self.table: Table = [
            (srv.GetCurrentWorld, "get_current_world", self._current),
            (srv.LoadWorld, "load_world", self._load),
        ]

    def _current(self, request: Any, response: Any) -> None:
        response.world = messages.world_message(self._control.world)

    def _load(self, request: Any, response: Any) -> None:
        response.world = messages.world_message(self._control.load(messages.resource(request.world_resource)))
