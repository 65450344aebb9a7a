"""Where a goal comes from: one interface for whatever makes something of an instruction's words.

What comes of them is one of four types, never an exception: a `Goal`, or why there is none yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from dadu.goals.goal import Description, Goal
from dadu.knowledge.odds import Odds
from dadu.knowledge.vocabulary import Vocabulary
from dadu.skills.outcome import Code
from dadu.world.graph import WorldGraph


@dataclass(frozen=True)
class Context:
    """The world in which the words are said. An interpreter changes none of it."""

    graph: WorldGraph
    """what is known now"""
    vocabulary: Vocabulary
    """what things are called"""
    looked: Mapping[str, int] = field(default_factory=dict)
    """room explored, or furniture looked at or into: number of the step"""
    looking: LookFirst | None = None
    """where the words were last said to depend on what was not seen yet, if they were read before"""
    complete: bool = False
    """what the graph lacks does not exist"""
    odds: Odds = Odds()
    """what searches draw on"""


@dataclass(frozen=True)
class LookFirst:
    """What the words mean depends on what was not seen yet: this is where to look next, then they are read again."""

    place: str
    """id of a room or of a piece of furniture; `dadu.planner.situation.UNKNOWN`: wherever the map ends"""
    reason: str
    wanted: Description | None = None
    """what may be there; None: whatever there is"""
    sorts: tuple[frozenset[str], ...] = ()
    """categories of furniture and rooms: once one of each of these is seen, the words may mean something"""
    every: bool = False
    """each of such things has to be seen, not only the first"""


@dataclass(frozen=True)
class Choice:
    """One of the things that a question lets somebody choose from."""

    name: str
    """what it is called in the question"""
    means: Goal | str
    """the goal if this is meant, or the instruction in words that mean it"""


@dataclass(frozen=True)
class AskBack:
    """The words may mean several things, and only who said them knows which."""

    message: str
    """the question"""
    choices: tuple[Choice, ...] = ()
    """what may be answered; one alone is asked with yes or no; none: a name, or the instruction in other words"""
    words: tuple[str, ...] = ()
    """those of the instruction that a name in the answer takes the place of"""
    partial: bool = False
    """not all of the words were understood"""


@dataclass(frozen=True)
class Refused:
    """The words cannot be understood, or ask for what there is not."""

    message: str
    """for the user: names the words at fault and what would be possible"""
    words: tuple[str, ...] = ()
    code: Code = Code.UNKNOWN_TARGET
    """UNKNOWN_ACTION, UNKNOWN_TARGET, NOT_INTERACTIVE or HAND_EMPTY"""


Interpretation = Goal | LookFirst | AskBack | Refused


class Interpreter(Protocol):
    """Reads an instruction. It holds nothing of a task: the same words in the same context mean the same."""

    name: str

    def read(self, instruction: str, context: Context) -> Interpretation:
        """What the words ask for in this world."""
        ...
