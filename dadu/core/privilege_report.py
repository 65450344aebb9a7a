"""What a robot is told and what it is privileged to: one setting, and one line that every result carries.

*Sensed*, and never named: colour and depth pictures, laser, odometry, joints, gripper. *Told*, as one tells a new
helper: the instruction, a map, rooms and furniture. *Privilege* is what only a simulator can know; it is off unless
switched on.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Annotated

from pydantic import AfterValidator

from dadu.core.config import Settings

PRIVILEGE_TOPIC = "/ledger"
"""topic on which the running graph tells it"""


class Privilege(str, Enum):
    """What only a simulator can know, each switched on by itself."""

    INSTANCES = "instances"
    """which pixels are which thing"""
    POSE = "pose"
    """where the robot truly is"""
    STATES = "states"
    """what things and parts are truly like: open, on, clean"""


def privileges(text: str) -> frozenset[Privilege]:
    """``"pose,states"`` as a set; empty: none. Errors: ValueError naming the valid ones."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    valid = [privilege.value for privilege in Privilege]
    unknown = [name for name in names if name not in valid]
    if unknown:
        raise ValueError(f"unknown privilege {', '.join(unknown)}; valid: {', '.join(valid)}")
    return frozenset(map(Privilege, names))


def as_names(granted: Iterable[Privilege]) -> str:
    """With commas, in the order of `Privilege`."""
    chosen = set(granted)
    return ",".join(privilege.value for privilege in Privilege if privilege in chosen)


Privileges = Annotated[str, AfterValidator(lambda text: as_names(privileges(text)))]
"""Names of `Privilege` with commas; empty: none"""


class PrivilegeReport(Settings):
    """What one robot knows beside what it senses."""

    eyes: str
    """what it sees with, in words"""
    privilege: Privileges = ""
    told: tuple[str, ...] = ()
    planner: str = ""
    """who chooses the skills, where it is not the symbolic planner"""

    @property
    def granted(self) -> frozenset[Privilege]:
        return privileges(self.privilege)

    @property
    def line(self) -> str:
        """``eyes: simulator's instances (privileged); pose: estimated; told: map, layout``"""
        granted = self.granted
        eyes = f"{self.eyes} (privileged)" if Privilege.INSTANCES in granted else self.eyes
        pose = "true (privileged)" if Privilege.POSE in granted else "estimated"
        states = ["states: true (privileged)"] if Privilege.STATES in granted else []
        planner = [f"planner: {self.planner}"] if self.planner else []
        return "; ".join([f"eyes: {eyes}", f"pose: {pose}", *states, f"told: {', '.join(self.told) or 'nothing'}",
                          *planner])


_TOLD = {"all": ("layout", "things"), "layout": ("layout",), "nothing": ()}


def told(known: str, mapped: bool) -> tuple[str, ...]:
    """In words. `known`: all, layout or nothing; `mapped`: whether a map was given. The names of a house's own kinds of
    things come with its layout, and with layout or map where the robot is put: without, its start is but where its
    coordinates begin."""
    return (*(("map",) if mapped else ()), *_TOLD[known])
