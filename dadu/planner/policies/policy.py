"""What chooses the next skill: one interface for the symbolic planner and for language models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from dadu.core.errors import DaduError
from dadu.goals.interpreter import Interpreter, LookFirst
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.planner.report import TaskReport
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.world.graph import WorldGraph


@dataclass(frozen=True)
class Turn:
    """All that a policy may draw on."""

    instruction: str
    graph: WorldGraph
    """what is believed now"""
    progress: Progress | None
    """the goal that an interpreter has read for this policy; None where there is none (yet)"""
    situation: Situation
    history: tuple[Step, ...]
    """finished steps, oldest first"""
    feedback: str = ""
    """what the loop has to say about the last turn"""
    picture: Callable[[], np.ndarray | None] = lambda: None
    """the camera's newest, uint8 (H, W, 3), where there is one"""
    looks: bool = True
    """false (ablation): nobody is asked what is seen"""
    vocabulary: Vocabulary = field(default_factory=default_vocabulary)
    """what things are called"""
    look_first: LookFirst | None = None
    """what the interpreter has to see before it can read the goal"""
    doubted: bool = False
    """the policy has just said done, and that was not believed"""
    questions: int = 0
    """how many more may be put to whoever gave the instruction (the skill `ask`)"""
    ways: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """as `Body.ways`: a decision may name one"""
    answers: tuple[str, ...] = ()
    """what was asked so far, and answered"""

    @property
    def about(self) -> str:
        """The instruction with answers: what matters in the graph shares a word with it."""
        return " ".join((self.instruction, *self.answers))


class PolicyUnavailable(DaduError):
    """The policy cannot answer now: its server is gone, slow, or talks nonsense."""


class Policy(Protocol):
    """Chooses one skill a turn."""

    @property
    def name(self) -> str:
        """As in `Decision.policy`."""
        ...

    def choose(self, turn: Turn) -> Decision:
        """Errors: PolicyUnavailable."""
        ...


@dataclass(frozen=True)
class TaskPlanner:
    """All that a closed loop needs to know of a planner: who chooses, where its goal comes from, who checks it."""

    policy: Policy
    interpreter: Interpreter | None = None
    """reads the goal that the policy pursues; None: the policy understands the words for itself and tells no goal"""
    check: Interpreter | None = None
    """by what the words mean to this one the `done` of a policy that tells no goal is judged; None: by nothing"""


@runtime_checkable
class Learner(Protocol):
    """A policy that wants to know how its tasks ended."""

    def learn(self, instruction: str, report: TaskReport) -> None: ...
