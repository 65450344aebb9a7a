"""What may be set when plans are made; the resolved copy lies in the folder's ``data.yaml``."""

from __future__ import annotations

from typing import Literal

from pydantic import NonNegativeInt, PositiveInt

from dadu.core.config import Settings, Share

Stepwise = Literal["two_phase", "react"]
Protocol = Literal["two_phase", "react", "goal"]
Known = Literal["layout", "all", "nothing"]


class PlanSettings(Settings):
    """All of it."""

    seed: NonNegativeInt = 0
    """of what is asked for and what goes wrong; a home depends on its own seed alone"""
    episodes: PositiveInt = 64
    """of each home, where it has room for so many; an instruction each"""
    wordings: PositiveInt = 3
    """instructions that ask for the same in other words, and share one run, at most"""
    rooms: tuple[PositiveInt, PositiveInt] = (3, 8)
    """fewest and most"""
    steps: PositiveInt = 80
    """skills of an episode, at most"""
    known: dict[Known, float] = {"layout": 75, "all": 15, "nothing": 10}
    """what the robot is told of a home, by weight"""
    skilled: Share = 0.6
    """episodes whose robot has every skill; the others' has those that every robot has"""
    disturbed: Share = 0.25
    """episodes in which somebody moves things, knocks them out of the hand, opens and shuts doors"""
    clumsy: Share = 0.4
    """episodes in which skills fail"""
    failing: Share = 0.15
    """of the skills in those"""
    prompt: str = ""
    """the words of protocol `goal`: a YAML file like those in config/prompts/goal/; empty: goal.yaml there"""
    step_prompts: dict[Stepwise, str] = {}
    """the same of the step-wise protocols, a file like those in config/prompts/; without: their own"""
    protocols: tuple[Protocol, ...] = ("two_phase", "react", "goal")
    """in which is written"""
    declined: Share = 0.1
    """instructions that are not to be carried out but refused, or asked about"""
    slips: Share = 0.1
    """instructions with slips of spelling"""
