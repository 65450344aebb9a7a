"""The interpreter by a network of our own: words to frames (`dadu.language.learned`), frames to a goal by grounding."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from dadu.core.paths import shared
from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Context, Interpretation, Refused
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.grounding.ground import ground
from dadu.language.learned.reader import LearnedReader, LearnedReading
from dadu.language.learned.sentence import KnownNames
from dadu.language.parsing.coverage import left_out
from dadu.language.parsing.names import names_of
from dadu.planner.first_look import first_look
from dadu.skills.outcome import Code
from dadu.world.graph import Kind, WorldGraph

WEIGHTS = ("models", "interpreter", "interpreter.zip")
"""where those that come with the project lie"""
LEAST = 0.5
"""a reading that is less sure is refused"""


class Learned:
    """Reads whatever it is sure enough of."""

    name = "learned"

    def __init__(self, weights: Path | None = None, least: float = LEAST) -> None:
        """`weights`: a file as `dadu train interpreter` writes it; None: the project's. Errors: ConfigError where there
        is none, or it cannot be used."""
        self._reader, self._least = reader_of(weights or shared(*WEIGHTS)), least

    def read(self, instruction: str, context: Context) -> Interpretation:
        """What the words ask for; where that depends on what was not seen, the next place to look."""
        found = self.frames(instruction, context)
        if found is None or found.confidence < self._least:
            sure = "" if found is None else f" (sure to {found.confidence:.0%})"
            return Refused(f"I am not sure enough what {instruction!r} means{sure}; say it in other words",
                           (instruction,), Code.UNKNOWN_ACTION)
        lost = self.lost(instruction, found, context)
        if lost:
            return Refused(f"I do not know what to make of {', '.join(map(repr, lost))} in {instruction!r}", lost,
                           Code.UNKNOWN_ACTION)
        return self.grounded(found, context)

    def frames(self, instruction: str, context: Context) -> LearnedReading | None:
        """What it reads, however sure; None where nothing can be read."""
        return self._reader.read(instruction, _names(context.vocabulary, _called(context.graph)))

    def lost(self, instruction: str, found: LearnedReading, context: Context) -> tuple[str, ...]:
        """Words of the instruction that carry meaning and that the reading passes over: it is not acted on then,
        however sure it is."""
        return tuple(left_out(instruction, found.utterance.frames, names_of(context.vocabulary, context.graph)))

    def grounded(self, found: LearnedReading, context: Context) -> Interpretation:
        """What such frames ask for in this world."""
        def goal(context: Context) -> Goal | AskBack:
            return ground(found.utterance, context.graph, context.vocabulary, complete=context.complete,
                          looked=context.looked)
        return first_look(goal, context)


@cache
def reader_of(weights: Path) -> LearnedReader:
    """Read once a process. Errors: ConfigError."""
    return LearnedReader(weights)


def _called(graph: WorldGraph) -> frozenset[tuple[str, Kind]]:
    """What the things of a world are called, and what kind of thing they are."""
    return frozenset((name, entity.kind) for entity in graph for name in (entity.category, *entity.aliases))


@lru_cache(maxsize=8)
def _names(vocabulary: Vocabulary, called: frozenset[tuple[str, Kind]]) -> KnownNames:
    return KnownNames(vocabulary, called)
