"""Watches who has the robot, so that skills end with the right code when a person takes it."""

from __future__ import annotations

from collections.abc import Callable

from dadu_interfaces.msg import OperatorState
from dadu_nodes.support import qos
from rclpy.node import Node
from std_msgs.msg import Bool

from dadu.core.errors import NotUsable
from dadu.skills.outcome import Code, SkillResult


class OperatorMonitor:
    """The newest ``/operator/state``; autonomy until something else is heard."""

    def __init__(self, node: Node) -> None:
        self._state = OperatorState(state=OperatorState.AUTONOMY)
        node.create_subscription(OperatorState, "operator/state", self._on_state, qos.LATCHED)

    @property
    def interruption(self) -> SkillResult | None:
        """How a skill must end now, or None while autonomy has the robot."""
        if self._state.state == OperatorState.TELEOP:
            return SkillResult(Code.OPERATOR_OVERRIDE, "a person is driving; wait until autonomy has the base again")
        if self._state.state == OperatorState.STOPPED:
            return SkillResult(Code.SAFETY_STOP, "the emergency stop is pressed; wait until it is released")
        return None

    def _on_state(self, message: OperatorState) -> None:
        self._state = known_state(message)


def follow_stop(node: Node, stop: Callable[[bool], None]) -> None:
    """Tells `stop` whether the emergency stop is pressed; by the operator's latched state, too: a stop outlives nodes.
    """
    def on_stop(message: Bool) -> None:
        stop(message.data)

    node.create_subscription(Bool, "e_stop", on_stop, qos.STATE)
    node.create_subscription(OperatorState, "operator/state",
                             lambda message: stop(known_state(message).state == OperatorState.STOPPED), qos.LATCHED)


def known_state(message: OperatorState) -> OperatorState:
    """The message. Errors: NotUsable for a state that nobody knows: nobody is to take that for autonomy."""
    if message.state not in (OperatorState.AUTONOMY, OperatorState.TELEOP, OperatorState.STOPPED):
        raise NotUsable(f"{message.state} is no state of the operator's; valid: 0 to 2")
    return message
