"""Answers of a person to what the robot asks, whoever sends them: dadu do, the operator's page, anything else."""

from __future__ import annotations

import time
from collections.abc import Callable

from dadu_nodes.support import qos
from dadu_nodes.support.waiting import sleep
from dadu_nodes.support.wall import LOOK
from rclpy.node import Node
from std_msgs.msg import String

from dadu.bringup.naming import relative
from dadu.planner.asking.question import TOPIC


class AnswerListener:
    """Hears what is said while a question is open; what is said at any other time answers nothing."""

    def __init__(self, node: Node) -> None:
        self._node, self._said = node, ""
        node.create_subscription(String, relative(TOPIC), self._hear, qos.STATE)

    def open(self) -> None:
        """A question is about to go out: what was said before is no answer to it."""
        self._said = ""

    async def wait(self, seconds: float, cancelled: Callable[[], bool]) -> str | None:
        """The first answer since the question; None where none comes in `seconds` of wall time, or once cancelled."""
        deadline = time.monotonic() + seconds
        while not self._said and not cancelled() and time.monotonic() < deadline:
            await sleep(self._node, LOOK)
        return self._said or None

    def _hear(self, message: String) -> None:
        self._said = self._said or message.data.strip()
