"""What nodes at work tell a simulator of how far they are, so that its clock waits for them; on ``sim/worked_off``.

A message names node and work (``grasp/tick``) in ``source``; ``time_ref`` is until when all is done, zero: it rests.
With a robot's own clock nothing is sent.
"""

from __future__ import annotations

from typing import Any

from dadu_nodes.support.clock import seconds, stamp
from dadu_nodes.support.node import DaduNode
from dadu_nodes.support.polled import PolledSubscriptions
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import TimeReference

from dadu.sim.time_sync import Work, WorkReport

_TOPIC = "sim/worked_off"
_QOS = QoSProfile(depth=50, reliability=ReliabilityPolicy.RELIABLE)
_WORKS = {work.value: work for work in Work}


class WorkReporter:
    """One kind of work of one node."""

    def __init__(self, node: DaduNode[Any], work: Work) -> None:
        self._node, self._source = node, f"{node.get_name()}/{work.value}"
        self._publisher = node.create_publisher(TimeReference, _TOPIC, _QOS) if node.sim_clock.simulated else None

    def until(self, time: float) -> None:
        """Everything until `time` [s] is worked off; from now on the clock waits for what comes after."""
        if self._publisher is not None and self._node.sim_clock.simulated:
            message = TimeReference(source=self._source, time_ref=stamp(time))
            message.header.stamp = stamp(self._node.now())
            self._publisher.publish(message)

    def rest(self) -> None:
        """Nothing is owed until the next word."""
        self.until(0.0)


class WorkListener:
    """The simulator's end. It may be asked in any one thread, and wakes nobody."""

    def __init__(self, node: Node) -> None:
        self._heard: list[WorkReport] = []
        self._whose = node.get_namespace().strip("/")
        self._messages = PolledSubscriptions(node)
        self._messages.add(TimeReference, _TOPIC, self._on_message, _QOS)

    def reports(self) -> list[WorkReport]:
        """What has been said since this was asked last, oldest first."""
        self._heard = []
        self._messages.poll()
        return self._heard

    def _on_message(self, message: TimeReference, _: int) -> None:
        name, _, work = message.source.rpartition("/")
        if work in _WORKS:  # else it is somebody else's
            name = f"{self._whose}/{name}" if self._whose else name  # beside another robot's node of that name
            self._heard.append(WorkReport(name, _WORKS[work], seconds(message.time_ref) or None))
