"""What a run of an evaluation depends on, as given to ``dadu eval`` and written to ``config.yaml``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat, field_serializer, model_validator

from dadu.core.privilege_report import Privilege, PrivilegeReport, as_names
from dadu.perception.detectors import GROUND_TRUTH
from dadu.perception.sensor_config import SensorConfig, oracle_privilege_report
from dadu.planner.model.examples import counted, read_examples
from dadu.planner.presets import EXPERT
from dadu.planner.settings import PlannerSettings
from dadu.stacks.ways import SkillWays
from dadu.team.settings import TeamSettings


class EvalOptions(SensorConfig):
    """How episodes are run; together with a suite's file and the seeds it determines the results."""

    skills: Literal["physical", "oracle"] = "physical"
    """contact physics, or skills that succeed where their preconditions hold"""
    ways: SkillWays = SkillWays()
    """in which way skills are carried out (physical skills)"""
    feedback: bool = True
    """false: the planner is told of no outcome"""
    memory: bool = True
    """false: nothing is remembered that is out of sight"""
    replan: bool = True
    """false: the first plan is followed to its end"""
    planner: PlannerSettings = PlannerSettings()
    fallback: bool = False
    """where the model cannot be used the symbolic planner takes the turn; false: the episode has failed"""
    ask: bool = True
    """false: nobody answers the robot's questions, whatever the suite scripts"""
    slips: NonNegativeFloat = 0.0
    """share of the oracle's picks that fail"""
    team: TeamSettings = TeamSettings()
    """who works together in the oracle"""
    wall_seconds: PositiveFloat = 1800.0
    """an episode that takes longer has timed out"""
    bags: str = Field("", exclude=True)
    """folder for a recording of each episode (physical skills), which changes nothing; empty: none"""
    pictures: bool = True
    """keep what the camera saw at the failing moment (physical skills)"""

    @model_validator(mode="before")
    @classmethod
    def _all_is_told_to_the_oracle(cls, given: Any) -> Any:
        """It has neither eyes nor a body that could be anywhere else."""
        if not isinstance(given, dict) or given.get("skills") != "oracle":
            return given
        if given.get("perception") not in (None, "", GROUND_TRUTH):
            return given  # which `dadu.eval.episode.backends.check` refuses
        return {**given, "perception": GROUND_TRUTH, "privilege": as_names(Privilege)}

    @field_serializer("planner")
    def _without_fallback(self, planner: PlannerSettings) -> dict[str, Any]:
        """`fallback` above is the one that holds, and the one that is written down."""
        return planner.model_dump(mode="json", exclude={"fallback"})

    def privileges_for(self, known: str) -> PrivilegeReport:
        """Of an episode whose suite says what is `known`. Who knows nothing has no map, either."""
        found = (oracle_privilege_report(known) if self.skills == "oracle"
                 else self.privilege_report(known, known != "nothing"))
        return found.model_copy(update={"planner": ", ".join(filter(None, (self._chooser(), self.team.told)))})

    def _chooser(self) -> str:
        """Who chooses the skills, and what beside the instruction it is told or privileged to."""
        planner, shown = self.planner, self.planner.llm.examples.shown
        if planner.policy == EXPERT:
            return f"{EXPERT} (privileged: true state, the judge's goal)"
        told = f" ({counted(len(read_examples(shown)))})" if planner.asks_model and shown else ""
        return f"{planner.policy}{told}" if planner.asks_model else ""

    @property
    def resolved_planner(self) -> PlannerSettings:
        """The planner's settings without what is taken away here."""
        loop = self.planner.loop.model_copy(update={"feedback": self.feedback, "replan": self.replan})
        llm = self.planner.llm.model_copy(update={"memory": self.memory})
        return self.planner.model_copy(update={"loop": loop, "llm": llm, "fallback": self.fallback})
