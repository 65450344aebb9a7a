"""What was opened on the way is closed in the end, whoever has planned.

Only where a goal is known: otherwise nobody can tell whether a door was opened on the way or because somebody wants it
open.
"""

from __future__ import annotations

from dadu.goals.goal import Goal
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.regression.lookahead import next_step
from dadu.planner.regression.regression import Regression
from dadu.planner.situation import Situation
from dadu.planner.step import Decision
from dadu.world.graph import WorldGraph

CHOOSER = "closing_up"
"""who has chosen these steps, in place of a policy's name"""


def closing_step(achieved: Progress, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary
                 ) -> Decision | None:
    """The next step to close what a goal that is `achieved` does not want open; None where there is nothing left to
    close, or no way."""
    return next_step(achieved, graph, situation, vocabulary, CHOOSER)


def left_open(progress: Progress | None, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary) -> list[str]:
    """Ids of what the robot has opened and the goal, where one is known, does not want open."""
    return Regression(progress or Progress(Goal(())), graph, situation, vocabulary).left_open()
