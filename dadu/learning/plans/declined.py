"""Instructions that end otherwise than by being carried out: the right answer refuses or asks, and acting anyway is the
wrong one. Carried out as far as they go, by the very loop and interpreter of protocol `goal`."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from dadu.learning.pictures.store import Split
from dadu.learning.plans.conditions import Conditions, TriedStack
from dadu.learning.plans.episode import Dropped, limits
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.mistakes import Pair, pair_of
from dadu.learning.plans.refusals import SORTS, RefusalSort
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.task import TRIES, NotAsked, Wording, forms_of, new_of
from dadu.learning.plans.teacher import GoalTeacher, TaughtExchange
from dadu.learning.plans.writing import goal_reply
from dadu.learning.sentences.held_out import split_of
from dadu.learning.sentences.talk import speaker_of, spoken
from dadu.learning.sentences.wording import text_of, utterance_of
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.step import Step

TaskEnd = Literal["done", "refused", "asked"]


@dataclass(frozen=True)
class DeclinedTask:
    """An instruction, what was asked of the model about it, and what is right."""

    wording: Wording
    sort: str
    new: tuple[str, ...]
    """what of it training never sees"""
    ending: TaskEnd
    asked: tuple[TaughtExchange, ...]
    pairs: tuple[Pair, ...]
    steps: tuple[Step, ...]
    """by which it was looked for in vain"""


def decline(home: PlanHome, split: Split, number: int, conditions: Conditions, settings: PlanSettings,
            rng: random.Random) -> DeclinedTask:
    """The one of that number. Errors: NotAsked; Dropped where it has not ended as it should."""
    new = new_of(split, number)
    sort = rng.choice([name for name, sort in SORTS.items() if conditions.known in sort.known])
    for left in reversed(range(TRIES)):
        try:
            wording, reply = _said(SORTS[sort], home, split, new, settings, random.Random(rng.getrandbits(64)))
            break
        except NotAsked:
            if not left:
                raise
    asked, steps, acting = _answered(SORTS[sort], wording, reply, home, conditions, settings, rng)
    pairs = [pair_of(asked[-1], acting, "acts_anyway")]
    pairs += [pair_of(asked[0], reply, "needless_refusal")] if len(asked) > 1 else []
    ending: TaskEnd = "asked" if "ask_back" in reply else "refused"
    return DeclinedTask(wording, sort, new, ending, tuple(asked), tuple(pairs), steps)


def _said(sort: RefusalSort, home: PlanHome, split: Split, new: Collection[str], settings: PlanSettings,
          rng: random.Random) -> tuple[Wording, str]:
    """An instruction and the right reply to it. Errors: NotAsked."""
    names = sort.names(home, "category" in new, rng)
    speaker = speaker_of(rng, names)
    speaker.spoken = sort.follows
    phrase, form = spoken(speaker, speaker.weighted(dict(sort.requests)), {})
    crc, form_is = split_of(form)
    if names.guessed or form_is != forms_of(split, new):
        raise NotAsked("another split's form")
    utterance = utterance_of(phrase)
    reply = sort.reply(utterance, names, home)
    return Wording(text_of(phrase.words, rng.random() < settings.slips, rng), utterance, crc), reply


def _answered(sort: RefusalSort, wording: Wording, reply: str, home: PlanHome, conditions: Conditions,
              settings: PlanSettings, rng: random.Random) -> tuple[list[TaughtExchange], tuple[Step, ...], str]:
    """What is asked, the steps between, and the reply that acts anyway. What can only be told after a search is refused
    when the search was in vain."""
    stack = TriedStack(home.house, conditions, rng)
    acting = goal_reply(wording.utterance)
    goal_teacher = GoalTeacher(settings.prompt, *([acting] if sort.searches else []), reply)
    planner = TaskPlanner(SymbolicPolicy(conditions.capabilities, plans=False), goal_teacher.interpreter)
    report = stack.do(wording.text, planner, settings=limits(settings))
    if report.outcome.ok or not goal_teacher.said_all:
        raise Dropped("something else would do")
    if sort.searches and not report.steps:
        raise Dropped("refused for another reason than a search")
    return goal_teacher.prompter.asked, report.steps, acting
