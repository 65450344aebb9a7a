"""What the fingers feel, steadied: efforts dip while the arm moves, and a touch is no grip yet."""

from __future__ import annotations

from dataclasses import dataclass

LOOK = 0.1
"""[s] between two looks at what the fingers feel"""
TAKEN = 0.3
"""[s] after which fingers that press on something have taken it"""
LOST = 1.0
"""[s] after which fingers that press on nothing have let go of it"""

UNEXPLAINED = 5.0
"""[s] after which what is in the fingers, and is nothing that is known, counts as a thing of its own"""


@dataclass(frozen=True)
class GripChange:
    """The fingers have taken something, or let it go."""

    gripped: bool
    since: float
    """when that began [s]"""


class SteadyGrip:
    """`update` with every look at the gripper; `accept` a change once it is taken in."""

    def __init__(self) -> None:
        self.gripped: bool | None = None
        """what was accepted last; None: nothing yet"""
        self._felt, self._since = False, -1.0

    def update(self, stamp: float, felt: bool) -> GripChange | None:
        """`felt`: whether the fingers press on something at `stamp` [s]. What has changed, again and again until it is
        accepted."""
        if felt is not self._felt or not 0 <= self._since <= stamp:  # time jumps back where a simulator starts over
            self._felt, self._since = felt, stamp
        steady = stamp - self._since >= (TAKEN if felt else LOST)
        return GripChange(felt, self._since) if steady and felt is not self.gripped else None

    def unexplained(self, now: float) -> bool:
        """True if something has been in the fingers for so long that it cannot be passed over."""
        return bool(self.gripped) and self._felt and now - self._since >= UNEXPLAINED

    def accept(self, change: GripChange) -> None:
        """From now on `change` is what is so."""
        self.gripped = change.gripped
