"""An emergency stop button over ROS: says it again until the override node has answered."""

from __future__ import annotations

from dadu_interfaces.msg import OperatorState
from dadu_nodes.support import qos
from dadu_nodes.support.listening.operator import known_state
from dadu_nodes.support.wall import PERIOD, STEADY
from rclpy.node import Node
from rclpy.timer import Timer
from std_msgs.msg import Bool


class EmergencyStop:
    """Follows ``/operator/state`` as `state` and publishes ``/e_stop``."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._wanted: bool | None = None
        self._timer: Timer | None = None
        self._publisher = node.create_publisher(Bool, "e_stop", qos.STATE)
        self.state: OperatorState | None = None
        """None until the override was heard"""
        node.create_subscription(OperatorState, "operator/state", self._on_state, qos.LATCHED)

    @property
    def pressed(self) -> bool:
        """What was asked for last, else what the override says."""
        if self._wanted is not None:
            return self._wanted
        return self.state is not None and self.state.state == OperatorState.STOPPED

    def press(self, pressed: bool) -> None:
        self._wanted = pressed
        self._say()
        if self._timer is None:
            self._timer = self._node.create_timer(PERIOD, self._say, clock=STEADY)

    def _say(self) -> None:
        if self._wanted is not None:
            self._publisher.publish(Bool(data=self._wanted))

    def _on_state(self, message: OperatorState) -> None:
        self.state = known_state(message)
        if self._wanted == (message.state == OperatorState.STOPPED):
            self._wanted = None
            if self._timer is not None:
                self._node.destroy_timer(self._timer)
                self._timer = None
