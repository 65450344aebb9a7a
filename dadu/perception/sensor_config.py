"""Which detector a robot sees with, and what that says of its privileges: chosen in one place for all commands."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from dadu.core.config import Settings
from dadu.core.privilege_report import Privilege, PrivilegeReport, Privileges, as_names, privileges, told
from dadu.perception.detectors import DEFAULT, GROUND_TRUTH

_INSTANCES = "simulator's instances"


def complete_sensor_config(given: Any) -> Any:
    """Fields `perception` and `privilege` of settings as given, completed: where no detector is named it is `DEFAULT`,
    or the simulator's instances where those are a privilege; who sees through these is privileged to them.

    What is no such setting stays as it is, for the fields' own checks. Errors: ValueError where instances are granted
    to other eyes.
    """
    try:
        granted = privileges(given.get("privilege") or "")
    except (AttributeError, ValueError):
        return given
    instances = Privilege.INSTANCES in granted
    perception = given.get("perception") or (GROUND_TRUTH if instances else DEFAULT)
    if perception == GROUND_TRUTH:
        granted |= {Privilege.INSTANCES}
    elif instances:
        raise ValueError(f"privilege instances: perception {perception} does not see through them; leave one out")
    return {**given, "perception": perception, "privilege": as_names(granted)}


class SensorConfig(Settings):
    """What a robot sees with, and its privileges."""

    perception: str = ""
    """as in `dadu.perception.detectors.detector_class`; empty: as `complete_sensor_config` chooses"""
    privilege: Privileges = ""
    weights: str = ""
    """file of a learned detector's; empty: its own choice"""
    namer: str = ""
    """of what a learned detector cuts out, see `dadu.perception.namers`; empty: its own"""

    @model_validator(mode="before")
    @classmethod
    def _choose(cls, given: Any) -> Any:
        return complete_sensor_config(given)

    @property
    def granted(self) -> frozenset[Privilege]:
        return privileges(self.privilege)

    def privilege_report(self, known: str, mapped: bool) -> PrivilegeReport:
        """Of a robot with these; `known` and `mapped` as in `dadu.core.privilege_report.told`."""
        eyes = _INSTANCES if self.perception == GROUND_TRUTH else self.perception
        eyes += f", named by {self.namer}" if self.namer else ""
        return PrivilegeReport(eyes=eyes, privilege=self.privilege, told=told(known, mapped))


def oracle_privilege_report(known: str) -> PrivilegeReport:
    """Of a robot without a body, which needs no sensors."""
    return PrivilegeReport(eyes="the oracle's", privilege=as_names(Privilege), told=told(known, mapped=True))
