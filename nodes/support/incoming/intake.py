"""The one way in for messages: what cannot be used is left out, counted and said, and ends no node.

A callback raises `NotUsable` for a message that it cannot use; whatever else it raises is an error of ours. Both are on
``/diagnostics`` (`dadu_nodes.support.health`) for as long as they are news, and in the log once in a while.
"""

from __future__ import annotations

import functools
import struct
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dadu_nodes.support.wall import ANSWER, DISCOVERY, SILENCE
from rclpy.node import Node

from dadu.core.errors import DaduError, NotUsable

_OWN_ERROR_SHOWN = 30.0
"""wall seconds for which an error of DaDu's own is reported"""
_CLOCK_TOLERANCE = 5.0
"""largest difference of a sensor's stamps from the node's clock [s]: longer than transport, and than an idle node's
clock lags"""
_MAX_WAIT = 0.5
"""wall seconds that a message may have waited and still say what its sender's clock is"""
_ATTRIBUTE = "intake"
"""name of the attribute by which a node has its intake"""


class NodeMustEnd(DaduError):
    """Raised by a callback on purpose: the node cannot go on, and ends with this sentence."""


@dataclass
class _Refusals:
    """Of one topic."""

    count: int = 0
    why: str = ""
    last: float = 0.0
    """[s, monotonic]"""
    logged: float = -ANSWER


class Intake:
    """What one node does with messages that it cannot use. `Intake.of(node)` finds it."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._refusals: dict[str, _Refusals] = {}
        self._broke = _Refusals()
        self._clocks: dict[str, tuple[float, float]] = {}
        """by topic: how far its stamps were behind the node's clock [s], and when that was looked at [s, monotonic]"""
        self._single: dict[str, str] = {}
        """topics that one is to publish, and what is wrong with that"""
        self._counted = time.monotonic()

    @classmethod
    def of(cls, node: Node) -> Intake:
        found = vars(node).get(_ATTRIBUTE)
        if not isinstance(found, cls):
            found = vars(node)[_ATTRIBUTE] = cls(node)
        return found

    def guarded(self, topic: str, callback: Callable[..., Any]) -> Callable[..., Any]:
        """`callback`, so wrapped that no message ends the node."""
        @functools.wraps(callback)
        def take(*message: Any) -> Any:
            try:
                return callback(*message)
            except NotUsable as unusable:
                self.refuse(topic, str(unusable))
            except (struct.error, UnicodeDecodeError) as error:
                self.refuse(topic, f"it cannot be unpacked: {error}")
            except (OSError, NodeMustEnd):  # what a full disk costs is said by whoever writes
                raise
            except Exception as error:  # noqa: BLE001 - an own error, which is said
                self.own_error(topic, error)
        return take

    def refuse(self, topic: str, why: str) -> None:
        """A message, or a part of it, is left out."""
        refusals = self._refusals.setdefault(topic, _Refusals())
        refusals.count, refusals.why, refusals.last = refusals.count + 1, why, time.monotonic()
        if refusals.last >= refusals.logged + ANSWER:
            refusals.logged = refusals.last
            self._node.get_logger().warning(f"left out from {topic} ({refusals.count} by now): {why}")

    def own_error(self, where: str, error: Exception) -> None:
        """A callback has raised an error of ours. Errors: that one, where ROS is being shut down around it."""
        if not self._node.context.ok():
            raise error
        broke, now = self._broke, time.monotonic()
        broke.count, broke.why, broke.last = broke.count + 1, f"{where}: {type(error).__name__}: {error}", now
        if now >= broke.logged + ANSWER:
            broke.logged = now
            self._node.get_logger().error(f"an error of DaDu's own, the node goes on ({broke.count} by now): {where}\n"
                                          + "".join(traceback.format_exception(error)))

    def why(self, topic: str) -> str:
        """Why nothing usable comes on a topic, for whoever waits for it: empty, `` (left out: ...)``, or that others
        publish it as something else, which the middleware keeps from us."""
        refusals = self._refusals.get(topic)
        if refusals and time.monotonic() - refusals.last < SILENCE:
            return f" (left out: {refusals.why})"
        name = self._node.resolve_topic_name(topic)
        theirs = {info.topic_type: info.node_name for info in self._node.get_publishers_info_by_topic(name)}
        ours = {_type_name(s.msg_type) for s in self._node.subscriptions if s.topic_name == name}
        if not ours or not theirs or ours & theirs.keys():
            return ""
        return f" ({name} is {' and '.join(f'{kind} of {who}' for kind, who in theirs.items())}, not {ours.pop()})"

    def stamped(self, topic: str, stamp: float, received: int = 0) -> None:
        """A sensor's message of that stamp [s] has come; `received` [ns, wall] where it has waited since."""
        now = time.monotonic()
        looked = self._clocks.get(topic, (0.0, -DISCOVERY))[1]
        waited = time.time() - received * 1e-9 if received else 0.0
        if now < looked + DISCOVERY or waited > _MAX_WAIT:
            return
        here = self._node.now() if hasattr(self._node, "now") else self._node.get_clock().now().nanoseconds * 1e-9
        self._clocks[topic] = (here - stamp if here else 0.0), now

    def single(self, topic: str) -> None:
        """Only one is to publish this topic: where several do, that is said."""
        self._single[topic] = ""

    def complaint(self) -> str:
        """What others send amiss, in a sentence; empty: nothing of late."""
        self._count()
        now = time.monotonic()
        left_out = [f"{refusals.count} left out from {topic}, the last because {refusals.why}"
                    for topic, refusals in self._refusals.items() if now - refusals.last < SILENCE]
        off = [f"stamps on {topic} are {abs(apart):.0f} s {'behind' if apart > 0 else 'ahead of'} this node's clock; "
               "do both machines have the same time?"
               for topic, (apart, seen) in self._clocks.items()
               if abs(apart) > _CLOCK_TOLERANCE and now - seen < SILENCE]
        return "; ".join((*left_out, *off, *filter(None, self._single.values())))

    def trouble(self) -> str:
        """An error of ours, in a sentence; empty: none of late."""
        if not self._broke.count or time.monotonic() - self._broke.last > _OWN_ERROR_SHOWN:
            return ""
        return f"an error of DaDu's own, {self._broke.count} by now, see the log: {self._broke.why}"

    def counts(self) -> dict[str, float]:
        """What was left out, by topic, and errors of ours."""
        counted = {f"left_out.{topic}": float(refusals.count) for topic, refusals in self._refusals.items()}
        return counted | ({"own_errors": float(self._broke.count)} if self._broke.count else {})

    def _count(self) -> None:
        """Who publishes what one is to publish. One that was killed stays listed, under the name of its successor."""
        if time.monotonic() < self._counted + SILENCE:
            return
        self._counted = time.monotonic()
        for topic in self._single:
            name = self._node.resolve_topic_name(topic)
            who = sorted({f"{info.node_namespace.rstrip('/')}/{info.node_name}"
                          for info in self._node.get_publishers_info_by_topic(name)})
            self._single[topic] = "" if len(who) < 2 else (
                f"{name} is published by {' and '.join(who)}: what they say is mixed; let one, or remap the other")


def _type_name(kind: Any) -> str:
    package, _, folder = kind.__module__.partition(".")
    return f"{package}/{folder.partition('.')[0]}/{kind.__name__}"


class ListeningNode(Node):
    """A node each of whose subscriptions goes through its intake."""

    intake: Intake

    def create_subscription(self, msg_type: Any, topic: str, callback: Callable[..., Any], qos_profile: Any,
                            **options: Any) -> Any:
        guarded = Intake.of(self).guarded(topic, callback)
        return super().create_subscription(msg_type, topic, guarded, qos_profile, **options)
