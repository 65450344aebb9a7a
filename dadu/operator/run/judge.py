"""Judges a recorded task by its goal and the simulator's ground truth."""

from __future__ import annotations

from typing import Any

from dadu.core.errors import ConfigError, DaduError, choices
from dadu.goals.monitor import Verdict, evaluate
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.operator.run.episode import RecordedEpisode
from dadu.operator.run.identity import Identities
from dadu.operator.run.run_info import read_house
from dadu.skills.specification import Takes
from dadu.skills.table import does
from dadu.world.state import TrueWorld


class NotJudged(DaduError):
    """A recording that ground truth cannot judge."""


def house_of(episode: RecordedEpisode) -> House:
    """The one that the run was in, as it was then. Errors: ConfigError where it is not at hand."""
    return read_house(episode.run_dir, episode.house)


def judge(episode: RecordedEpisode, goal: SuiteGoal | None = None) -> tuple[SuiteGoal, Verdict]:
    """The verdict on `goal`; without one, on the goal that the planner read into the instruction.

    Errors: NotJudged, also where the house is not at hand or the goal speaks of what there is not.
    """
    if not episode.truth:
        raise NotJudged("no ground truth was recorded: it exists in simulation only")
    if goal is None and episode.goal is None:
        raise NotJudged("the planner has told no goal")
    try:
        house = house_of(episode)
        layout = build_graph(house)
        states = [TrueWorld(layout, state) for state in episode.truth]
        if goal is None:
            goal = parse_goal(_grounded(episode.goal or {}, episode, Identities.from_house(house, layout), states[0]),
                              "the planner's goal", states[0].names)
    except ConfigError as error:
        raise NotJudged(str(error)) from None
    strange = goal.names - states[0].names
    if strange:
        raise NotJudged(f"the goal speaks of what {house.house} has not: {choices(strange)}")
    return goal, evaluate(goal.held_to_the_end(), states)


def _grounded(goal: dict[str, Any], episode: RecordedEpisode, identities: Identities, first: TrueWorld
              ) -> dict[str, Any]:
    """The planner's goal in the simulator's names (`Identities`); a category, which stands for a thing that was never
    found, as all things of that category."""
    for step in episode.steps:
        if does(step.call.skill, Takes) and step.code is not None and step.code.ok and step.end is not None:
            identities.took(step.call.arguments[0], episode.state_at(step.end))
    categories: dict[str, list[str]] = {}
    for body in first.state.bodies.values():
        categories.setdefault(body.category, []).append(body.name)

    def names(id: str) -> list[str]:
        if id in episode.sightings:
            return [episode.true_name(id, identities)]
        return [id] if id in first.names else sorted(categories.get(id, [id]))

    propositions = [{key: [[n for id in argument for n in names(id)] for argument in value]
                     if key.startswith("is_") else value for key, value in p.items()}
                    for p in goal["propositions"]]
    return {**goal, "propositions": propositions}
