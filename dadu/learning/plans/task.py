"""An instruction in a home, and the goal that it means by all that is true there."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass

from dadu.core.errors import ConfigError
from dadu.goals.goal import Goal
from dadu.goals.predicates.predicate import Family
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.house.states import affordances_of
from dadu.language.frames.frame import Utterance
from dadu.language.frames.schema import to_json
from dadu.language.grounding.ground import ground_in
from dadu.language.refusal import NotUnderstood
from dadu.learning.pictures.store import Split
from dadu.learning.plans.asked.families import FAMILIES
from dadu.learning.plans.asked.names import HomeNames
from dadu.learning.plans.asked.sensible import odd
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.sentences.held_out import FormSplit, split_of
from dadu.learning.sentences.talk import speaker_of, spoken
from dadu.learning.sentences.wording import text_of, utterance_of
from dadu.planner.model.goal.names import nouns
from dadu.skills.table import SKILLS

TRIES = 60
"""drawings of one family, until one is something that can be asked for in this home"""


class NotAsked(Exception):
    """Nobody would ask for that here; says why."""


@dataclass(frozen=True)
class Wording:
    """One way to say it."""

    text: str
    utterance: Utterance
    form: int
    """crc32 of the sentence's form"""


@dataclass(frozen=True)
class PlanTask:
    """What is said, what it means, and by what it is judged."""

    wordings: tuple[Wording, ...]
    """at least one; all of them mean the goal"""
    goal: SuiteGoal
    family: str
    new: tuple[str, ...]
    """what of it training never sees: home, form, category"""


@dataclass(frozen=True)
class Asker:
    """Who draws tasks in one home."""

    home: PlanHome
    split: Split
    settings: PlanSettings

    def task(self, number: int, capabilities: Collection[str], rng: random.Random) -> PlanTask:
        """The task of that number. Errors: NotAsked, of the last one that was tried."""
        name = rng.choices(list(FAMILIES), [f.weight for f in FAMILIES.values()])[0]
        new = new_of(self.split, number)
        for left in reversed(range(TRIES)):
            content = rng.getrandbits(64)
            try:
                goal, first = self._said(content, 0, name, new)
                check_skills(goal, self.home, capabilities)
            except NotAsked:
                if not left:
                    raise
                continue
            if self.home.holds(goal):
                continue
            others = [self._in_other_words(content, i, name, new, goal) for i in range(1, self.settings.wordings)]
            wordings = {wording.text: wording for wording in (first, *others) if wording is not None}
            return PlanTask(tuple(wordings.values()), goal, name, new)
        raise NotAsked("so already")

    def _in_other_words(self, content: int, style: int, name: str, new: Collection[str], goal: SuiteGoal
                        ) -> Wording | None:
        try:
            meant, wording = self._said(content, style, name, new)
        except NotAsked:
            return None
        return wording if meant == goal else None

    def _said(self, content: int, style: int, name: str, new: Collection[str]) -> tuple[SuiteGoal, Wording]:
        """The goal and the words of one instruction: `content` decides what is said, `style` how. Errors: NotAsked."""
        family, home = FAMILIES[name], self.home
        names = HomeNames(home.truth, home.vocabulary, "category" in new)
        speaker = speaker_of(random.Random(content), names)
        speaker.style = random.Random(f"{content}:{style}")
        phrase, form = spoken(speaker, family.request, dict(family.gerunds or {}))
        if names.guessed:
            raise NotAsked("says of a thing what nobody can know")
        crc, form_is = split_of(form)
        if form_is != forms_of(self.split, new):
            raise NotAsked("another split's form")
        utterance = utterance_of(phrase)
        if family.needs and not any(word in to_json(utterance) for word in family.needs):
            raise NotAsked("another family's goal")
        goal = goal_of(utterance, home, family.fits)
        if why := odd(" ".join(word.text for word in phrase.words), utterance, goal, home):
            raise NotAsked(why)
        slips = speaker.style.random() < self.settings.slips
        return goal, Wording(text_of(phrase.words, slips, speaker.style), utterance, crc)


def check_skills(goal: SuiteGoal, home: PlanHome, capabilities: Collection[str]) -> None:
    """Errors: NotAsked where it takes a skill that the robot has not, or that does nothing to such things."""
    for p in goal.propositions:
        subjects = [home.truth.entities.get(name.partition("/")[0]) for name in p.arguments[0]]
        skills = p.definition.skills(subjects[0].kind if subjects[0] is not None else None)
        if not skills or p.definition.family is Family.PART:
            continue
        able = [SKILLS[skill].arguments[0].affordance for skill in skills if skill in capabilities]
        if not able:
            raise NotAsked("beyond the robot's skills")
        fit = all(e is not None and set(able) & {*affordances_of(e.category), ""} for e in subjects)
        if not fit and p.definition.maker is None:
            raise NotAsked("beyond what can be done with it")


def goal_of(utterance: Utterance, home: PlanHome, fits: Callable[[Goal], bool] = lambda goal: True) -> SuiteGoal:
    """What it means by all that is true in the home, as a suite has it; where it does not say what must hold at the
    end, all must. Errors: NotAsked where nothing is to be done, not what was said, or what does not `fit`."""
    try:
        goal = ground_in(home.scene, utterance)
    except NotUnderstood:
        raise NotAsked("refused") from None
    if not isinstance(goal, Goal):
        raise NotAsked("asks back")
    if goal.branches or not goal.propositions:
        raise NotAsked("nothing to do")
    said = {n.quantity.number or 1 for n in nouns(utterance) if n.quantity.bound != "at_most"} - {1}
    if not said <= {p.needed for p in goal.propositions}:
        raise NotAsked("not so many there")
    if not fits(goal):
        raise NotAsked("another family's goal")
    try:
        return parse_goal(goal.to_suite(), "a plan", home.names).held_to_the_end()
    except ConfigError:
        raise NotAsked("names what is not there") from None


def forms_of(split: Split, new: Collection[str]) -> FormSplit:
    """Whose forms are spoken where so much is new."""
    return split if split == "validation" or "form" in new else "train"


def new_of(split: Split, number: int) -> tuple[str, ...]:
    """What of the task of that number training never sees. Every fourth test is new in its home alone, in its form too,
    in its categories too, in all three."""
    if split == "train":
        return ()
    if split == "validation":
        return "home", "form"
    return (("home",), ("home", "form"), ("home", "category"), ("home", "form", "category"))[number % 4]
