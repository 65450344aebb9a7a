"""An instruction in a home, and the goal that it means by all that is true there."""

from __future__ import annotations

import random
from dataclasses import dataclass

from dadu.core.errors import ConfigError
from dadu.goals.goal import Goal
from dadu.goals.monitor import GoalMonitor
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.language.frames.frame import Utterance
from dadu.language.grounding.ground import ground
from dadu.language.refusal import Refusal
from dadu.learning.pictures.store import Split
from dadu.learning.plans.families import FAMILIES
from dadu.learning.plans.frames import text_of, utterance_of
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.names import HomeNames
from dadu.learning.sentences.example import split_of
from dadu.learning.sentences.talk import speaker_of, spoken
from dadu.tasks.expert import settle_states

_TRIES = 60
"""drawings of one family, until one is something that can be asked for in this home"""


@dataclass(frozen=True)
class PlanTask:
    """What is said, what it means, and by what it is judged."""

    text: str
    utterance: Utterance
    goal: SuiteGoal
    family: str
    form: int
    """crc32 of the sentence's form"""
    new: tuple[str, ...]
    """what of it training never sees: home, form, category"""


class NotAsked(Exception):
    """Nobody would ask for that here; says why."""


def draw_task(home: PlanHome, split: Split, number: int, rng: random.Random, slips: float) -> PlanTask:
    """The task of that number. Errors: NotAsked, of the last one that was tried."""
    name = rng.choices(list(FAMILIES), [f.weight for f in FAMILIES.values()])[0]
    for left in reversed(range(_TRIES)):
        try:
            return _drawn(home, split, number, name, rng, slips)
        except NotAsked:
            if not left:
                raise
    raise AssertionError


def _drawn(home: PlanHome, split: Split, number: int, name: str, rng: random.Random, slips: float) -> PlanTask:
    """Errors: NotAsked."""
    family, wanted = FAMILIES[name], _new(split, number)
    names = HomeNames(home.truth, home.vocabulary, "category" in wanted)
    phrase, form = spoken(speaker_of(rng, names), family.request, dict(family.gerunds or {}))
    crc, form_is = split_of(form)
    if form_is != (split if split == "validation" or "form" in wanted else "train"):
        raise NotAsked("another split's form")
    utterance = utterance_of(phrase)
    try:
        goal = ground(utterance, home.truth, home.vocabulary, complete=True)
    except Refusal:
        raise NotAsked("refused") from None
    if not isinstance(goal, Goal):
        raise NotAsked("asks back")
    if goal.branches or not goal.propositions:
        raise NotAsked("nothing to do")
    if not family.fits(goal):
        raise NotAsked("another family's goal")
    judged = _judged(goal, home)
    text = text_of(phrase.words, rng.random() < slips, rng)
    return PlanTask(text, utterance, judged, name, crc, wanted)


def _new(split: Split, number: int) -> tuple[str, ...]:
    """Every fourth test is new in its home alone, in its form too, in its categories too, in all three."""
    if split == "train":
        return ()
    if split == "validation":
        return "home", "form"
    return (("home",), ("home", "form"), ("home", "category"), ("home", "form", "category"))[number % 4]


def _judged(goal: Goal, home: PlanHome) -> SuiteGoal:
    """As a suite has it; where it does not say what must hold at the end, all must. Errors: NotAsked."""
    try:
        judged = parse_goal(goal.to_suite(), "a plan", home.names).held_to_the_end()
    except ConfigError:
        raise NotAsked("names what is not there") from None
    monitor = GoalMonitor(judged)
    for _ in range(settle_states(judged)):
        monitor.update(home.start)
    if monitor.verdict().success:
        raise NotAsked("so already")
    return judged
