"""One turn of the closed loop, as it is traced, remembered within the task, and shown."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.planner.cost import ModelCall
from dadu.planner.search_target import SearchKinds, SearchTarget
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.world.sides import Side


@dataclass(frozen=True)
class Decision:
    """What a policy chose, and why."""

    call: SkillCall
    reasoning: str
    policy: str
    """who chose: symbolic, vllm, or the loop itself: looking_again for what was put down and not seen, making_sure of
    what was so already, closing_up what was opened on the way"""
    purpose: str = ""
    """for go_to: what the robot will do there, look, pick, place, open or close"""
    plan: tuple[SkillCall, ...] = ()
    """the steps expected from here on, `call` first; may change with the next outcome"""
    hopeless: bool = False
    """with ``done``: the policy sees no way to reach the rest of the goal"""
    verdict: SkillResult | None = None
    """with ``done``: how the task has ended by a goal that the policy itself pursues, which the loop does not know"""
    substitutions: tuple[str, ...] = ()
    """``WORDS -> ID``: what nouns stand for by a goal that the policy itself pursues"""
    failure: SkillResult | None = None
    """the model named no skill that can be carried out: its outcome, in place of an execution"""
    seeks: SearchTarget | SearchKinds | None = None
    """what the step is to find: once memory holds it, the rest of the step is for nothing"""
    query: tuple[str, str] | None = None
    """a thing and what it looks like, for a detector that takes text"""
    side: tuple[str, Side] | None = None
    """a place, and at which side of it, as seen from here, the step's target was seen"""
    sighted: str = ""
    """what was seen before it was chosen, after who says so; empty where nobody was asked"""
    instead_of: str = ""
    """why another policy than the one asked for chose; empty where it did not"""
    by: str = ""
    """which of several ways of the skill, by its name; empty where it has one"""
    calls: tuple[ModelCall, ...] = ()
    """what was asked of a model for it"""
    prompt: str = ""
    """what was told last"""
    reply: str = ""
    schema: str = ""
    """JSON schema that the reply had to keep to, as JSON"""

    @property
    def told(self) -> str:
        """For the trace: the reasoning, by which of several ways, and what was seen."""
        also = [f"by {self.by}" if self.by else "", self.sighted]
        return " ".join([self.reasoning, *(f"({told})" for told in also if told)])

    @property
    def tokens_in(self) -> int:
        return sum(call.tokens_in for call in self.calls)

    @property
    def tokens_out(self) -> int:
        return sum(call.tokens_out for call in self.calls)


@dataclass(frozen=True)
class Step:
    """A decision with its number, and once it has been carried out its result."""

    index: int
    """counts from 1 within the task"""
    decision: Decision
    start: float
    """[s] on the clock in use"""
    planning: float = 0.0
    """wall time that choosing took [s]"""
    result: SkillResult | None = None
    end: float = 0.0
    substitutions: tuple[str, ...] = ()
    """``WORDS -> ID``: nouns of the instruction for what the graph holds under another name"""

    @property
    def call(self) -> SkillCall:
        return self.decision.call

    @property
    def outcome(self) -> SkillResult:
        """The result of a step that has ended. Errors: ValueError for one that is under way."""
        if self.result is None:
            raise ValueError(f"step {self.index}, {self.call}, has not ended yet")
        return self.result
