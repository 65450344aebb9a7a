"""What the skill in progress is at, from the feedback of whoever carries it out."""

from __future__ import annotations

import time
from typing import Any

from dadu_interfaces.action import Articulate, Drive, Explore, Pick, Place
from dadu_nodes.support import qos
from nav2_msgs.action import NavigateToPose
from rclpy.node import Node

_FRESH = 3.0
"""[s, wall] that a feedback counts"""
_SKILLS = {"pick": Pick, "place": Place, "articulate": Articulate, "explore": Explore}
_DRIVES = {"drive_to_pose": Drive, "navigate_to_pose": NavigateToPose}


class Activity:
    """The newest feedback of any skill, in words."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._words, self._heard = "", -_FRESH
        self._subscriptions = [
            node.create_subscription(action.Impl.FeedbackMessage, f"{name}/_action/feedback", self._on_phase, qos.STATE)
            for name, action in _SKILLS.items()]
        self._subscriptions += [
            node.create_subscription(action.Impl.FeedbackMessage, f"{name}/_action/feedback", self._on_drive, qos.STATE)
            for name, action in _DRIVES.items()]

    def close(self) -> None:
        """Hears no more."""
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def words(self) -> str:
        """Empty: nothing is under way."""
        return self._words if time.monotonic() - self._heard < _FRESH else ""

    def _on_phase(self, message: Any) -> None:
        self._say(message.feedback.phase.replace("_", " "))

    def _on_drive(self, message: Any) -> None:
        feedback = message.feedback
        again = f", {feedback.number_of_recoveries} times in difficulties" if feedback.number_of_recoveries else ""
        self._say(f"driving, {feedback.distance_remaining:.1f} m to go{again}")

    def _say(self, words: str) -> None:
        self._words, self._heard = words, time.monotonic()
