"""A node's claim on parts of the body, held at the override node while one of its skills runs."""

from __future__ import annotations

import time
from collections.abc import Collection

from dadu_interfaces.srv import ClaimBody
from dadu_nodes.support.waiting import sleep
from dadu_nodes.support.wall import POLL
from rclpy.node import Node
from rclpy.task import Future

from dadu.operator.body_lease import GRACE, BodyPart

_ANSWER = GRACE + 1.0
"""wall seconds in which the override node must answer: it waits itself when it has just been started"""


class BodyClaim:
    """Where no override node is there, as with a driver alone, nobody is asked."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._client = node.create_client(ClaimBody, "body/claim")
        self._held: ClaimBody.Request | None = None
        self._renewal: Future | None = None

    async def take(self, parts: Collection[BodyPart], purpose: str) -> str:
        """Claims `parts`; empty, or why they cannot be had, in a sentence."""
        self._held = self._request(parts, purpose)
        if not self._client.service_is_ready():
            return ""
        answer, end = self._client.call_async(self._held), time.monotonic() + _ANSWER
        while not answer.done() and time.monotonic() < end:
            await sleep(self._node, POLL)
        if not answer.done():
            # It has died just now; its successor learns of the claim by the next renewal.
            self._node.get_logger().warning("the override node does not answer: the body is used without its word")
            return ""
        if not answer.result().granted:
            self._held = None
        return answer.result().message

    def renew(self) -> str:
        """To be called once a second while the parts are held: empty, or why they were lost, in a sentence."""
        lost = ""
        if self._renewal is not None and self._renewal.done() and self._held is not None:
            lost = self._renewal.result().message
        if self._held is not None and self._client.service_is_ready():
            self._held.renew = True
            self._renewal = self._client.call_async(self._held)
        return lost

    def give_back(self) -> None:
        """Ends the claim, without waiting for an answer."""
        self._held, self._renewal = None, None
        if self._client.service_is_ready():
            self._client.call_async(self._request((), ""))

    def _request(self, parts: Collection[BodyPart], purpose: str) -> ClaimBody.Request:
        return ClaimBody.Request(owner=self._node.get_name(), parts=[part.value for part in parts], purpose=purpose)
