"""How well two agents work together. Source: PARTNR, sections 4.2.2 and A.11, table 12."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.core.config import Settings
from dadu.skills.specification import Takes
from dadu.skills.table import SKILLS, does
from dadu.world.graph import ROBOT

CHANGES = tuple(name for name, spec in SKILLS.items() if spec.changes_world)
"""skills that change the world"""
REARRANGES = tuple(name for name in CHANGES if not does(name, Takes))


class Action(Settings):
    """One successful skill of an agent."""

    agent: str
    skill: str
    gained: bool
    """percent complete was higher after it than ever before"""
    steps_before: int = 0
    """simulated steps from the start of the episode until it began"""


def task_offloading(actions: Sequence[Action], robot: str = ROBOT) -> float | None:
    """Sub-tasks that the robot did over all sub-tasks done; None where none was. Of successful episodes only."""
    gains = [a for a in actions if a.gained]
    return sum(a.agent == robot for a in gains) / len(gains) if gains else None


def extraneous_effort(actions: Sequence[Action]) -> float | None:
    """Rearrangements that did not raise percent complete over all successful ones; None where there was none."""
    changes = [a for a in actions if a.skill in REARRANGES]
    return sum(not a.gained for a in changes) / len(changes) if changes else None


def exploration_efficiency(actions: Sequence[Action]) -> int | None:
    """Simulated steps before the first object is picked; None where none was."""
    return next((a.steps_before for a in actions if a.skill == "pick"), None)
