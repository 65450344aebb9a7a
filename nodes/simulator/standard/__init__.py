"""The services and the action of simulation_interfaces 2.1.0, for `dadu.sim.control`.

They are a node of their own, ``simulator``, in the process of ``sim_bridge``. Its threads may wait: for a world that
is compiled, for steps that are taken.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from dadu_nodes.simulator.standard.entities import EntityServices
from dadu_nodes.simulator.standard.worlds import WorldsServices
from dadu_nodes.support.incoming.intake import Intake
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import ExternalShutdownException, MultiThreadedExecutor, ShutdownException
from rclpy.node import Node
from simulation_interfaces import srv
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.msg import Result, SimulationState, SimulatorFeatures

from dadu.sim.control.codes import ResultCode, Unfulfilled
from dadu.sim.control.simulator import SimulatorControl
from dadu.sim.control.spawnables import FORMAT

_THREADS = 3
"""services, steps, and the cancel of steps"""
_INFO = ("DaDu. World frame: map. An entity's frame lies in the middle of its underside. "
         "Acceleration is told, not set. Things alone are spawned and deleted; furniture can be put elsewhere.")


class StandardServices:
    """Serves until it is closed."""

    def __init__(self, node: Node, control: SimulatorControl) -> None:
        """`node`: whose namespace they are in, and where errors are said."""
        self._control, self._intake = control, Intake.of(node)
        self._node = Node("simulator", context=node.context, namespace=node.get_namespace(), use_global_arguments=False,
                          enable_rosout=False, start_parameter_services=False)
        self._serve(srv.GetSimulatorFeatures, "get_simulator_features", self._features)
        self._serve(srv.GetSimulationState, "get_simulation_state", self._get_state)
        self._serve(srv.SetSimulationState, "set_simulation_state", self._set_state)
        self._serve(srv.ResetSimulation, "reset_simulation", self._reset)
        steps = ReentrantCallbackGroup()
        self._serve(srv.StepSimulation, "step_simulation", self._step, callback_group=steps)
        self._steps = ActionServer(self._node, SimulateSteps, "simulate_steps", self._simulate_steps,
                                   callback_group=steps, cancel_callback=lambda handle: CancelResponse.ACCEPT)
        prefix = node.get_parameter("frame_prefix").value
        for services in (EntityServices(control, str(prefix)), WorldsServices(control)):
            for kind, name, handler in services.table:
                self._serve(kind, name, handler)
        self._executor = MultiThreadedExecutor(_THREADS, context=node.context)
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._spin, name="simulation_interfaces", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Waits for nobody who waits for steps."""
        self._executor.shutdown(timeout_sec=0.2)
        self._thread.join(timeout=1.0)

    def _spin(self) -> None:
        try:
            self._executor.spin()
        except (ExternalShutdownException, ShutdownException):
            pass

    def _serve(self, kind: Any, name: str, handler: Callable[[Any, Any], None], **options: Any) -> None:
        def call(request: Any, response: Any) -> Any:
            result = self._result(name, lambda: handler(request, response))
            if hasattr(response, "result"):
                response.result = result
            return response
        self._node.create_service(kind, name, call, **options)

    def _result(self, name: str, call: Callable[[], object]) -> Result:
        """What `call` came to; an error of ours is one, and ends no node."""
        try:
            call()
        except Unfulfilled as refusal:
            return Result(result=refusal.code, error_message=str(refusal))
        except Exception as error:  # noqa: BLE001 - said on /diagnostics, and to whoever asked
            self._intake.own_error(name, error)
            return Result(result=ResultCode.OPERATION_FAILED, error_message=f"an error of DaDu's own: {error}")
        return Result(result=ResultCode.OK)

    def _features(self, request: Any, response: Any) -> None:
        response.features = SimulatorFeatures(features=list(map(int, self._control.features)), spawn_formats=[FORMAT],
                                              custom_info=_INFO)

    def _get_state(self, request: Any, response: Any) -> None:
        response.state = SimulationState(state=self._control.state)

    def _set_state(self, request: Any, response: Any) -> None:
        self._control.set_state(request.state.state)

    def _reset(self, request: Any, response: Any) -> None:
        self._control.reset(request.scope)

    def _step(self, request: Any, response: Any) -> None:
        self._control.step(request.steps)

    def _simulate_steps(self, handle: ServerGoalHandle) -> SimulateSteps.Result:
        steps = handle.request.steps

        def told(done: int) -> None:
            handle.publish_feedback(SimulateSteps.Feedback(completed_steps=done, remaining_steps=steps - done))

        result = self._result("simulate_steps",
                              lambda: self._control.step(steps, told, lambda: handle.is_cancel_requested))
        if handle.is_cancel_requested:
            handle.canceled()
        elif result.result == ResultCode.OK:
            handle.succeed()
        else:
            handle.abort()
        return SimulateSteps.Result(result=result)
