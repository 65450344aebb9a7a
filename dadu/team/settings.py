"""Settings of a team, as options of an evaluation."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat, model_validator

from dadu.core.config import Settings
from dadu.planner.settings import LoopSettings
from dadu.world.names import PERSON

Plan = Literal["", "solo", "central", "decentral"]
Partner = Literal["none", "simulated", "human"]


_SAME_STEP = 40
"""who waits for others does the same in the same situation more often than who is alone"""
_WAITS = 4
"""times as many steps as who is alone, most of them waits"""


def patient(limits: LoopSettings) -> LoopSettings:
    """Those of a task, for who waits for others in it."""
    return limits.model_copy(update={"same_step": _SAME_STEP, "max_steps": _WAITS * limits.max_steps})


class TeamSettings(Settings):
    """Who works together, and how."""

    plan: Plan = ""
    """solo: one agent alone; central: one mind gives everybody something to do; decentral: everybody plans for himself
    and says so; empty: as the suite has it"""
    partner: Partner = "none"
    """who is with the robot: none (in a team: a second robot of its kind), simulated (a person with a planner of their
    own; solo: that person alone), human (agents are played by people in a browser, see `played`)"""
    played: tuple[Literal["person", "robot"], ...] = ()
    """with partner human: the agents that people play, each in a browser of his own; the others plan for themselves.
    Empty: the person"""
    speed: NonNegativeFloat = 1.0
    """with partner human: simulated seconds in a second of wall time, while people think, too; 0: time stands while
    somebody thinks, and what is done takes no wall time"""
    knowledge: Literal["shared", "separate", "privileged"] = "shared"
    """of where things are: what one sees all know (shared), everybody knows what he saw himself (separate), all know
    all that is true (privileged)"""
    person_speed: PositiveFloat = 1.0
    """of the simulated person [m/s]"""
    person_price: NonNegativeFloat = 2.0
    """what a second until the person is through costs the team, waits included, in seconds by which all end later; 0:
    whoever is faster does it"""
    mistakes: float = Field(0.0, ge=0, lt=1)
    """share of the simulated person's ways and places that are not what they meant"""

    @property
    def told(self) -> str:
        """For reports: what is not as it would be by itself."""
        if not self.plan:
            return ""
        pace = f"at {self.speed:g} times real time" if self.speed else "while time waits for them"
        human = f"people who play {' and '.join(self.people)} in a browser {pace}"
        who = {"none": "a second robot", "simulated": "a simulated person", "human": human}[self.partner]
        if self.plan == "solo":
            who = {"none": "the robot alone", "simulated": "a simulated person alone",
                   "human": f"one alone: {human}"}[self.partner]
        return f"{self.plan} with {who}, knowledge {self.knowledge}" if self.plan != "solo" else who

    @property
    def people(self) -> tuple[str, ...]:
        """Names of the agents that people play."""
        return (self.played or (PERSON,)) if self.partner == "human" else ()

    @model_validator(mode="after")
    def _playable(self) -> TeamSettings:
        if self.played and self.partner != "human":
            raise ValueError("says which agents people play; it needs partner human")
        if len(set(self.played)) < len(self.played) or (self.plan == "solo" and len(self.played) > 1):
            raise ValueError("names an agent twice, or two where one is alone; valid: person, robot, in a team both")
        return self
