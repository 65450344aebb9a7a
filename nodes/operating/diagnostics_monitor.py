"""What nodes complain of on /diagnostics, and which of them have fallen silent."""

from __future__ import annotations

import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from rclpy.node import Node

_SILENT = 4.0
"""[s, wall] without a report"""


class DiagnosticsMonitor:
    """The newest report of every node that was heard."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._heard: dict[str, tuple[float, str]] = {}
        self._subscription = node.create_subscription(DiagnosticArray, "diagnostics", self._on_reports, 50)

    def close(self) -> None:
        """Hears no more."""
        self._node.destroy_subscription(self._subscription)

    def sentences(self) -> list[str]:
        """One for each node with which something is wrong."""
        now = time.monotonic()
        told = {name: f"no answer for {now - when:.0f} s" if now - when > _SILENT else complaint
                for name, (when, complaint) in tuple(self._heard.items())}
        return [f"{name}: {sentence}" for name, sentence in sorted(told.items()) if sentence]

    def _on_reports(self, message: DiagnosticArray) -> None:
        for status in message.status:
            fine = status.level == DiagnosticStatus.OK
            self._heard[status.name] = time.monotonic(), "" if fine else status.message
