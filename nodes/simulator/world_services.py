"""``/sim/reset`` and ``/sim/disturb``."""

from __future__ import annotations

import math
from collections.abc import Callable

from dadu_interfaces.srv import SimDisturb, SimReset
from dadu_nodes.support.convert.geometry import xyz
from rclpy.node import Node

from dadu.core.errors import DaduError
from dadu.core.geometry import Vector3
from dadu.sim.backend import Backend, DisturbanceError
from dadu.sim.backends import Simulator, make_simulation
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.worlds import Resource, read_world
from dadu.sim.engine import Engine
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.sensor_faults import COPIES


class WorldServices:
    """Changes the world from outside; an impossible wish is answered with a sentence."""

    def __init__(self, node: Node, engine: Engine, changed: Callable[[Backend], None],
                 control: SimulatorControl) -> None:
        """`changed` hears of another house."""
        self._engine, self._changed, self._control = engine, changed, control
        node.create_service(SimReset, "sim/reset", self._reset)
        node.create_service(SimDisturb, "sim/disturb", self._disturb)

    def _reset(self, request: SimReset.Request, response: SimReset.Response) -> SimReset.Response:
        try:
            if request.house:
                self._replace(request.house, request.seed)
            else:
                with self._engine.exclusive() as simulation:
                    simulation.reset(request.seed)
        except DaduError as error:
            response.success, response.message = False, str(error)
        else:
            response.success, response.message = True, "back at the start"
        return response

    def _replace(self, house: str, seed: int) -> None:
        with self._engine.exclusive() as simulation:
            robots, settings = simulation.descriptions, simulation.settings
            simulator: Simulator = "mujoco" if isinstance(simulation, Simulation) else "habitat"
        new = make_simulation(simulator, house, robots, seed, settings)
        self._engine.replace(lambda old: new)
        self._changed(new)
        self._control.replaced(read_world(Resource(house)))

    def _disturb(self, request: SimDisturb.Request, response: SimDisturb.Response) -> SimDisturb.Response:
        position = xyz(request.position)
        if not all(map(math.isfinite, position)):
            response.success, response.message = False, "the position holds a number that is not finite"
            return response
        try:
            response.message = self._disturbed(request, position)
            response.success = True
        except DaduError as error:
            response.success, response.message = False, str(error)
        return response

    def _disturbed(self, request: SimDisturb.Request, position: Vector3) -> str:
        """Of the world, of a sensor (`object`), or of the clock, which is set ahead (``set_ahead``) by `target` [s]."""
        if request.kind in COPIES:
            with self._engine.exclusive():
                return self._engine.sensor_faults.apply(request.kind, request.object)
        if request.kind == "set_ahead":
            self._engine.set_ahead(_seconds(request.target))
            return f"the clock is set ahead by {request.target} s"
        with self._engine.exclusive() as simulation:
            return simulation.disturb(request.kind, request.object, request.target, position)


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DisturbanceError(f"set_ahead takes seconds as its target, not {text!r}") from None
