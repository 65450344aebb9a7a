"""What the tools command: a simulated robot in this process, or that of the ROS graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dadu.planner.asking.question import Answer
from dadu.planner.loop.world import Cancelled
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.report import TaskReport
from dadu.planner.step import Step
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.stacks.in_process import InProcess
from dadu.world.graph import WorldGraph

Trace = Callable[[Step], None]
"""gets every step twice: when it is chosen, and with its result"""


class CommandedRobot(Protocol):
    """`execute` and `do` never raise for what goes wrong with the robot: that is a result."""

    looks_any_time: bool
    """whether `graph` may be called from another thread while a skill runs"""

    def graph(self) -> WorldGraph:
        """What memory holds now; not to be changed."""
        ...

    def interruption(self) -> SkillResult | None:
        """Why nothing may be begun now: the emergency stop, a person who drives, somebody else's task."""
        ...

    def execute(self, call: SkillCall, purpose: str, cancelled: Cancelled) -> SkillResult:
        """One skill; `purpose`: what a go_to is for."""
        ...

    def do(self, instruction: str, trace: Trace, cancelled: Cancelled, answer: Answer | None = None) -> TaskReport:
        """A whole instruction, closed loop; `answer`: who can be asked what it means."""
        ...

    def stop(self) -> bool:
        """Ends what others have sent the robot to do; False where that goes on. What is carried out for the tools ends
        by its `cancelled`. May be called from another thread."""
        ...

    def close(self) -> None: ...


class Simulated:
    """A robot in this process, all of it in one thread. Nobody else has it."""

    looks_any_time = False

    def __init__(self, body: InProcess, planner: Callable[[], TaskPlanner], asks: bool = False) -> None:
        """`planner` makes one for each instruction; `asks`: whoever gave it may be asked what it means."""
        self._body, self._planner, self._asks = body, planner, asks
        self.graph, self.close = body.graph, body.close

    def interruption(self) -> SkillResult | None:
        return None

    def stop(self) -> bool:
        return True

    def execute(self, call: SkillCall, purpose: str, cancelled: Cancelled) -> SkillResult:
        return self._body.execute(call, purpose, cancelled=cancelled)

    def do(self, instruction: str, trace: Trace, cancelled: Cancelled, answer: Answer | None = None) -> TaskReport:
        return self._body.do(instruction, self._planner(), trace=trace, cancelled=cancelled,
                             answer=answer if self._asks else None)
