"""Settings of a team, as options of an evaluation."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat

from dadu.core.config import Settings

Plan = Literal["", "solo", "central", "decentral"]
Partner = Literal["none", "simulated"]


class TeamSettings(Settings):
    """Who works together, and how."""

    plan: Plan = ""
    """solo: one agent alone; central: one mind gives everybody something to do; decentral: everybody plans for himself
    and says so; empty: as the suite has it"""
    partner: Partner = "none"
    """who is with the robot: none (in a team: a second robot of its kind), simulated (a person with a planner of their
    own; solo: that person alone)"""
    knowledge: Literal["shared", "separate", "privileged"] = "shared"
    """of where things are: what one sees all know (shared), everybody knows what he saw himself (separate), all know
    all that is true (privileged)"""
    person_speed: PositiveFloat = 1.0
    """of the simulated person [m/s]"""
    person_price: NonNegativeFloat = 1.0
    """what a second of the person's work beyond half of what there is costs the team, in seconds by which all end
    later; 0: whoever is faster does it"""
    mistakes: float = Field(0.0, ge=0, lt=1)
    """share of the simulated person's ways and places that are not what they meant"""

    @property
    def told(self) -> str:
        """For reports: what is not as it would be by itself."""
        if not self.plan:
            return ""
        who = {"none": "a second robot", "simulated": "a simulated person"}[self.partner]
        if self.plan == "solo":
            who = {"none": "the robot alone", "simulated": "a simulated person alone"}[self.partner]
        return f"{self.plan} with {who}, knowledge {self.knowledge}" if self.plan != "solo" else who
