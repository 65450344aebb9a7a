"""Stage successes of mobile manipulation: find the object, pick it, find the receptacle, place it.

Source: HomeRobot (OVMM), section 3 and appendix C: a stage counts only where those before it succeeded; partial success
is the mean over the stages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

STAGES = ("find_object", "pick", "find_receptacle", "place")
NEAR = 1.0
"""robot to object or receptacle, outline to outline from above, for it to be found [m]: OVMM's figure on real robots"""


@dataclass
class Stages:
    """Of one thing that is to be brought somewhere."""

    find_object: bool = False
    """the robot was near it, and knew it"""
    pick: bool = False
    find_receptacle: bool = False
    """the robot was near a right receptacle with the thing in its hand"""
    place: bool = False

    def take(self, *, near_object: bool, held: bool, near_receptacle: bool) -> None:
        """One state."""
        self.find_object = self.find_object or near_object or held
        self.pick = self.pick or self.find_object and held
        self.find_receptacle = self.find_receptacle or self.pick and held and near_receptacle

    def finish(self, placed: bool) -> dict[str, bool]:
        """`placed`: the proposition holds in the end."""
        self.place = self.find_receptacle and placed
        return {name: getattr(self, name) for name in STAGES}


def partial_success(stages: Mapping[str, float]) -> float:
    """0 to 1, of shares of things that got through each stage."""
    return sum(stages[name] for name in STAGES) / len(STAGES)
