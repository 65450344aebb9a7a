"""Any simulator that serves simulation_interfaces: found by the types of its services, whatever they are called."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.action import ActionClient, get_action_names_and_types
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from simulation_interfaces import srv
from simulation_interfaces.action import SimulateSteps
from simulation_interfaces.msg import Result

_DISCOVERY = 10.0
"""wall seconds within which a service that there is will have been found"""


class Violation(Exception):
    """The simulator does not do what it claims, or not as the standard has it."""


class NotServed(Violation):
    """Nobody serves what a claimed feature needs."""


class Skipped(Exception):
    """Cannot be checked here, and why."""


class Simulator:
    def __init__(self, namespace: str, timeout: float) -> None:
        """`namespace`: services outside of it are not looked at; `timeout` [s, wall] for each answer."""
        rclpy.init()
        self._node = Node("sim_conformance")
        self._namespace, self.timeout = namespace.rstrip("/") + "/", timeout
        self._clients: dict[type, Any] = {}
        self.clock: list[float] = []
        """[s], as published on /clock"""
        quality = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)  # the newest, however slow we are
        self._node.create_subscription(Clock, "/clock", self._on_clock, quality)

    def found(self, seconds: float) -> bool:
        """True once somebody says what a simulator can do.

        Asked again until it is answered: a server that has not yet found who asks loses its answer. Clients of all
        that is served are made here, long before they are used, so that no later answer is lost so.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.until(lambda: self.serves(srv.GetSimulatorFeatures), end - time.monotonic()):
                future = self._client(srv.GetSimulatorFeatures).call_async(srv.GetSimulatorFeatures.Request())
                rclpy.spin_until_future_complete(self._node, future, timeout_sec=_DISCOVERY)
                if future.done():
                    for kind in (kind for name, kind in vars(srv).items() if name[0].isupper() and self.serves(kind)):
                        self._client(kind)
                    return True
        return False

    def close(self) -> None:
        self._node.destroy_node()
        rclpy.try_shutdown()

    def _on_clock(self, message: Clock) -> None:
        self.clock.append(message.clock.sec + message.clock.nanosec * 1e-9)

    def spin(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            rclpy.spin_once(self._node, timeout_sec=left)

    def until(self, condition: Callable[[], Any], seconds: float) -> Any:
        """What `condition` returns once that is true, or at last."""
        end = time.monotonic() + seconds
        while not (value := condition()) and time.monotonic() < end:
            rclpy.spin_once(self._node, timeout_sec=0.1)
        return value

    def serves(self, kind: type) -> str:
        """The service's name; empty: nobody serves it."""
        wanted = f"simulation_interfaces/srv/{kind.__name__}"
        return self._found(self._node.get_service_names_and_types(), wanted)

    def _found(self, served: list[tuple[str, list[str]]], wanted: str) -> str:
        return next((name for name, types in served if wanted in types and name.startswith(self._namespace)), "")

    def _client(self, kind: type) -> Any:
        """Errors: NotServed."""
        if kind not in self._clients:
            name = self.until(lambda: self.serves(kind), _DISCOVERY)
            if not name:
                raise NotServed(f"nobody serves {kind.__name__}")
            self._clients[kind] = self._node.create_client(kind, name)
        return self._clients[kind]

    def call(self, kind: type, **fields: Any) -> Any:
        """The answer, whatever its result. Errors: NotServed, Violation where none comes."""
        client = self._client(kind)
        client.wait_for_service(_DISCOVERY)
        future = client.call_async(kind.Request(**fields))
        rclpy.spin_until_future_complete(self._node, future, timeout_sec=self.timeout)
        if not future.done():
            client.remove_pending_request(future)
            raise Violation(f"{kind.__name__} was not answered within {self.timeout:g} s")
        return future.result()

    def ok(self, kind: type, **fields: Any) -> Any:
        """The answer of what is to succeed."""
        answer = self.call(kind, **fields)
        if answer.result.result != Result.RESULT_OK:
            raise Violation(f"{kind.__name__} answers {answer.result.result}: {answer.result.error_message}")
        return answer

    def refused(self, kind: type, *codes: int, **fields: Any) -> Any:
        """The answer of what is to be refused with one of these results; none given: with any but OK."""
        answer = self.call(kind, **fields)
        found = answer.result.result
        if found == Result.RESULT_OK or codes and found not in codes:
            wanted = " or ".join(map(str, codes)) or "anything but 1 (OK)"
            raise Violation(f"{kind.__name__} answers {found} ({answer.result.error_message}), where {wanted} is meant")
        return answer

    def entities(self, **filters: Any) -> list[str]:
        from simulation_interfaces.msg import EntityFilters
        return list(self.ok(srv.GetEntities, filters=EntityFilters(**filters)).entities)

    def simulate(self, steps: int) -> tuple[Any, list[Any]]:
        """Result and feedback of the action. Errors: NotServed, Violation."""
        wanted = "simulation_interfaces/action/SimulateSteps"
        name = self.until(lambda: self._found(get_action_names_and_types(self._node), wanted), _DISCOVERY)
        if not name:
            raise NotServed("nobody serves the action SimulateSteps")
        client, heard = ActionClient(self._node, SimulateSteps, name), []
        try:
            client.wait_for_server(_DISCOVERY)
            sent = client.send_goal_async(SimulateSteps.Goal(steps=steps), lambda told: heard.append(told.feedback))
            rclpy.spin_until_future_complete(self._node, sent, timeout_sec=self.timeout)
            if not sent.done() or not sent.result().accepted:
                raise Violation("SimulateSteps does not accept its goal: what cannot be done is told in the result")
            done = sent.result().get_result_async()
            rclpy.spin_until_future_complete(self._node, done, timeout_sec=self.timeout)
            if not done.done():
                raise Violation(f"SimulateSteps has not ended within {self.timeout:g} s")
            self.spin(0.3)  # feedback that is on its way
            return done.result().result, heard
        finally:
            client.destroy()
