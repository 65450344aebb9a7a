"""Whether a recorded task reached its goal, by the simulator's ground truth."""

from __future__ import annotations

from typing import Any

import numpy as np

from dadu.core.errors import DaduError
from dadu.goals.monitor import Verdict, evaluate
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.operator.run.episode import RecordedEpisode, RecordedSighting
from dadu.world.state import TrueWorld


class NotJudged(DaduError):
    """A recording that ground truth cannot judge."""


def worlds(episode: RecordedEpisode) -> list[TrueWorld]:
    """The true states within the house's layout. Errors: NotJudged without a simulator; ConfigError."""
    if not episode.truth:
        raise NotJudged("no ground truth was recorded: it exists in simulation only")
    layout = build_graph(load_house(episode.house))
    return [TrueWorld(layout, state) for state in episode.truth]


def judge(episode: RecordedEpisode, goal: SuiteGoal | None = None) -> tuple[SuiteGoal, Verdict]:
    """The verdict on `goal`; without one, on the goal that the planner read into the instruction.

    Errors: NotJudged, ConfigError.
    """
    states = worlds(episode)
    if goal is None:
        if episode.goal is None:
            raise NotJudged("the planner has told no goal")
        goal = parse_goal(_grounded(episode.goal, episode, states), "the planner's goal", states[0].names)
    return goal, evaluate(goal.held_to_the_end(), states)


def _grounded(goal: dict[str, Any], episode: RecordedEpisode, states: list[TrueWorld]) -> dict[str, Any]:
    """The planner's goal in the simulator's names: objects by where memory first saw them; a category, which stands for
    a thing that was never found, as all things of that category."""
    first = states[0]
    categories: dict[str, list[str]] = {}
    for body in first.state.bodies.values():
        categories.setdefault(body.category, []).append(body.name)

    def names(id: str) -> list[str]:
        if id in episode.sightings:
            return _nearest(episode.sightings[id], states) or [id]
        return [id] if id in first.names else sorted(categories.get(id, [id]))

    propositions = [{key: [[n for id in argument for n in names(id)] for argument in value]
                     if key.startswith("is_") else value for key, value in p.items()}
                    for p in goal["propositions"]]
    return {**goal, "propositions": propositions}


def _nearest(sighting: RecordedSighting, states: list[TrueWorld]) -> list[str]:
    """The one object of that category that was nearest to where it was seen; none where there is no such category."""
    then = min(states, key=lambda w: abs(w.state.stamp - sighting.stamp)).state
    bodies = [b for b in then.bodies.values() if b.category == sighting.category]
    nearest = min(bodies, key=lambda b: float(np.sum((b.box.centre - sighting.position) ** 2)), default=None)
    return [nearest.name] if nearest is not None else []
