"""What was asked and answered in one task, and what the instruction is taken for since."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from textwrap import shorten

from dadu.core.errors import QUOTED
from dadu.goals.goal import Goal, Term
from dadu.goals.interpreter import AskBack, Choice, Interpretation, LookFirst, Refused
from dadu.planner.asking.answers import meanings, substitute_name, withdraws
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import UNIDENTIFIED, Entity, WorldGraph

MOST = 4
"""questions in one task"""
_UNHEARD_OF = (Code.UNKNOWN_ACTION, Code.UNKNOWN_TARGET)
"""what is refused for other reasons is not made possible by other words"""


Reads = Callable[[str], "Interpretation | None"]
"""what is made of other words"""


@dataclass(frozen=True)
class Exchange:
    """A question, its answer, and what that was taken for; empty where there was none, or it was not understood."""

    question: str
    answer: str
    taken: str

    def __str__(self) -> str:
        taken = f", taken as {self.taken!r}" if self.taken else ""
        return f"Asked: {self.question} Answered: {self.answer!r}{taken}"


class Dialogue:
    """With whoever gave the instruction. A question is asked twice at most, and no more than `MOST` in all."""

    def __init__(self, instruction: str) -> None:
        self.words = instruction
        """what is to be read"""
        self.goal: Goal | None = None
        """what was chosen outright, in place of any words"""
        self.exchanges: list[Exchange] = []
        self.end: AskBack | Refused | None = None
        """why nothing more is asked, and nothing done"""
        self._settled: set[str] = set()
        self._misunderstood = ""
        """the newest answer, where it could not be understood"""

    def question(self, reading: Interpretation | None, graph: WorldGraph) -> AskBack | None:
        """What is to be asked about what was made of the words; None: nothing."""
        open_question = self._about(reading, graph) if self.end is None and len(self.exchanges) < MOST else None
        if open_question is None or not self._misunderstood:
            return open_question
        again = f"I do not understand {self._misunderstood!r}. {open_question.message}"
        return AskBack(again, open_question.choices, open_question.words)

    def take(self, question: AskBack, answer: SkillResult, reads: Reads) -> None:
        """The answer to `question`."""
        said, taken = answer.message if answer.ok else "", ""
        if not answer.ok:
            self.end = AskBack(f"{question.message} ({answer.message})")
        elif withdraws(said):
            self.end = Refused(f"withdrawn: {said}", (), Code.CANCELLED)
        else:
            taken = self._understand(question, said, reads)
            if not taken and self._misunderstood:
                self.end = Refused(f"I do not understand {said!r} either", question.words)
            self._misunderstood = "" if taken else said
        self.exchanges.append(Exchange(question.message, said, taken))

    def _about(self, reading: Interpretation | None, graph: WorldGraph) -> AskBack | None:
        if isinstance(reading, AskBack):
            return reading
        if isinstance(reading, Refused) and reading.code in _UNHEARD_OF:
            return _about_unheard_of(reading)
        if isinstance(reading, Goal) and self.goal is None:
            return which_one(reading, self.words, graph, self._settled)
        return None

    def _understand(self, question: AskBack, said: str, reads: Reads) -> str:
        """What the answer is taken for; empty where it is not understood."""
        for meaning in meanings(said, question, self.words):
            if isinstance(meaning, Goal):
                self.goal = meaning
                return next(c.name for c in question.choices if c.means is meaning)
            if self._is_of_use(reads(meaning), replaced=meaning != said):
                self._settled.update(question.words)
                self.words = meaning
                return meaning
        return ""

    def _is_of_use(self, reading: Interpretation | None, replaced: bool) -> bool:
        """True if other words are understood, as far as that can be told before everything was seen; or, where a name
        was `replaced`, something else in the instruction is what is not understood now."""
        if isinstance(reading, Refused):
            return replaced and bool(reading.words) and all(word in self.words for word in reading.words)
        return isinstance(reading, (Goal, LookFirst))


def _about_unheard_of(refused: Refused) -> AskBack:
    """Only names can be put in the place of others; what is to be done has to be said anew."""
    why = shorten(refused.message, QUOTED, placeholder=" ...")
    if refused.code is Code.UNKNOWN_TARGET and refused.words:
        return AskBack(f"{why}; what do you mean by {', '.join(map(repr, refused.words))}?", words=refused.words)
    return AskBack(f"{why}; can you say it in other words?")


_MOST = 5
"""things to choose from; of more than that, any will do"""


def which_one(goal: Goal, instruction: str, graph: WorldGraph, settled: Collection[str]) -> AskBack | None:
    """The question for the first such noun, less those `settled`; None: nothing of that kind is open."""
    for term in _definite(goal):
        words = term.name.removeprefix("the ")
        known = [id for id in term.ids if id in graph]
        if term.name in settled or not 1 < len(known) <= _MOST or not re.search(rf"\bthe {re.escape(words)}\b",
                                                                               instruction, re.IGNORECASE):
            continue
        offered = tuple(Choice(_told(graph, graph[id]), substitute_name(instruction, words, id)) for id in known)
        return AskBack(f"Which one is {term.name}: {_either([c.name for c in offered])}?", offered, (term.name,))
    return None


def _definite(goal: Goal) -> Iterator[Term]:
    """What the words speak of as of one thing that is known: the book, and no book, two books or all books."""
    for p in goal.propositions:
        one = p.number == 1 and not p.every
        for term in (p.subject if one else None, p.object):
            if term is not None and term.description is not None and term.name.startswith("the ") and not term.usual:
                yield term


def _told(graph: WorldGraph, entity: Entity) -> str:
    """``book_0 (red, on shelf_0)``: how a person tells it from others of its kind."""
    support, room = graph.support(entity.id), graph.room_of(entity.id)
    place = f"{support.relation.value} {support.object}".replace("held_by robot", "in my hand") if support else (
        f"in {room.id}" if room is not None else "")
    about = [entity.called, place] if entity.category == UNIDENTIFIED else [*entity.told.values(), place]
    return f"{entity.id} ({', '.join(filter(None, about))})" if any(about) else entity.id


def _either(names: list[str]) -> str:
    return f"{', '.join(names[:-1])}, or {names[-1]}"
