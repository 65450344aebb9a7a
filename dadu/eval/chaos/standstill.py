"""Checks that base and arm stay where they are under the emergency stop, once they came to rest."""

from __future__ import annotations

from collections.abc import Mapping

from dadu.core.geometry import Pose2

_REST = 1.5
"""simulated seconds in which the body comes to rest"""
_GIVES = ("gripper", "wheel")
"""joints with these words in their names may give way under a load"""


class Standstill:
    """Hears where the body is; `moved` is the farthest that anything of it went while it should have rested."""

    def __init__(self) -> None:
        self.moved = 0.0
        """[m], [rad]"""
        self._pressed: float | None = None
        self._rest: tuple[Pose2, dict[str, float]] | None = None

    def press(self, stamp: float) -> None:
        """The emergency stop is pressed at `stamp` [s]."""
        self._pressed, self._rest = stamp, None

    def release(self) -> None:
        """What moves from now on may."""
        self._pressed = self._rest = None

    def see(self, stamp: float, base: Pose2, joints: Mapping[str, float]) -> None:
        """The true pose of the base in the map, and the joints' positions [m or rad], at `stamp` [s]."""
        if self._pressed is None or stamp < self._pressed + _REST:
            return
        if self._rest is None:
            self._rest = base, {n: p for n, p in joints.items() if not any(word in n for word in _GIVES)}
        at, were = self._rest
        turned = (abs(joints.get(name, position) - position) for name, position in were.items())
        self.moved = max(self.moved, abs(base.x - at.x) + abs(base.y - at.y), *turned, 0.0)
