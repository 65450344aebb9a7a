"""What a run of an evaluation depends on, as given to ``dadu eval`` and written to ``config.yaml``."""

from __future__ import annotations

from typing import Literal

from pydantic import NonNegativeFloat, PositiveFloat

from dadu.core.config import Settings
from dadu.planner.settings import PlannerSettings


class EvalOptions(Settings):
    """How episodes are run; together with a suite's file and the seeds it determines the results."""

    skills: Literal["physical", "oracle"] = "physical"
    """contact physics, or skills that succeed where their preconditions hold"""
    perception: str = "ground_truth"
    feedback: bool = True
    """false: the planner is told of no outcome"""
    memory: bool = True
    """false: nothing is remembered that is out of sight"""
    replan: bool = True
    """false: the first plan is followed to its end"""
    planner: PlannerSettings = PlannerSettings()
    fallback: bool = False
    """where the model cannot be used the symbolic planner takes the turn; false: the episode has failed"""
    slips: NonNegativeFloat = 0.0
    """share of the oracle's picks that fail"""
    wall_seconds: PositiveFloat = 1800.0
    """an episode that takes longer has timed out"""
    pictures: bool = True
    """keep what the camera saw at the failing moment (physical skills)"""

    @property
    def resolved_planner(self) -> PlannerSettings:
        """The planner's settings without what is taken away here."""
        loop = self.planner.loop.model_copy(update={"feedback": self.feedback, "replan": self.replan})
        llm = self.planner.llm.model_copy(update={"memory": self.memory})
        return self.planner.model_copy(update={"loop": loop, "llm": llm, "fallback": self.fallback})
