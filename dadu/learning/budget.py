"""How long a training run lasts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """When training ends; the learning rate falls to nothing by then. One of the two is 0."""

    hours: float = 0.0
    steps: int = 0

    def spent(self, seconds: float, step: int) -> float:
        """Share, 0 to 1."""
        share = max(seconds / 3600 / self.hours if self.hours else 0.0, step / self.steps if self.steps else 0.0)
        return min(share, 1.0)
