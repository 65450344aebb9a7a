"""Where a skill's simulated time goes: by its phases, and in each by what moves."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from dadu.stacks.stack import TICK, Stack

MOVES = {"base": 1e-4, "arm": 2e-4, "head": 1e-3, "hand": 1e-4}
"""change within a tick from which a part of the body counts as moving [m or rad]"""


class Timeline:
    """Takes in every tick; tells, and forgets, what the skill that just ended spent its time on."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._now = self._sensed()
        self._spent: dict[str, dict[str, int]] = {}

    def tick(self) -> None:
        before, self._now = self._now, self._sensed()
        moved = {part: np.abs(self._now[part] - before[part]).max(initial=0) for part in MOVES}
        moving = [part for part, least in MOVES.items() if moved[part] > least]
        phase = self._spent.setdefault(self._stack.scene.phase, defaultdict(int))
        phase["+".join(moving) or "still"] += 1

    def told(self) -> str:
        """``phase total (base 3.1, still 0.4), ...`` in seconds."""
        phases = []
        for phase, spent in self._spent.items():
            parts = ", ".join(f"{moving} {TICK * count:.1f}" for moving, count in spent.items())
            phases.append(f"{phase or 'between'} {TICK * sum(spent.values()):.1f} ({parts})")
        self._spent = {}
        return "; ".join(phases)

    def _sensed(self) -> dict[str, np.ndarray]:
        robot = self._stack.description
        seen = self._stack.simulation.robot.observe()
        return {"base": np.array(seen.base_pose), "hand": np.array([seen.aperture]),
                "arm": np.array([seen.joints[name] for name in robot.arm_joints]),
                "head": np.array([seen.joints[name] for name in robot.head_joints])}
