"""What was put down and not seen there is looked at again before success is told."""

from dataclasses import dataclass, field, replace

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult


@dataclass
class Unseen(SymbolicWorld):
    """Things that are put down are not seen at first; `hidden` ones never."""

    hidden: bool = False
    uncertain: list[str] = field(default_factory=list)

    def execute(self, call: SkillCall) -> SkillResult:
        held = self.truth.held("robot")
        result = super().execute(call)
        if call.skill != "place" or not result.ok:
            return result
        self.uncertain.append(held.id)
        self.memory.put(replace(self.memory[held.id], provenance="skill", confidence=0.6))
        return SkillResult(Code.UNCERTAIN, "not seen there; look again", target=held.id)

    def _reveal(self, near):
        if not self.hidden or not self.uncertain:
            super()._reveal(near)


def attempt(known, instruction="put the milk on the dining table", **how):
    world = Unseen(known.copy(), known.copy(), **how)
    return run(ClosedLoop(instruction, make_planner(), world), world), [str(call) for call in world.calls]


def test_it_is_seen_then_and_the_task_is_done(known):
    report, calls = attempt(known)
    assert report.outcome.code is Code.SUCCEEDED
    put = calls.index("place(on, dining_table_0)")
    assert calls[put + 1] == "go_to(dining_table_0)" and report.steps[put + 1].decision.policy == "looking_again"
    assert calls[-1] == "close(fridge_0)", "doors wait until it is certain"


def test_looked_for_once_in_vain_it_is_told_as_uncertain(known):
    report, calls = attempt(known, hidden=True)
    assert report.outcome.code is Code.UNCERTAIN and not report.success
    assert "milk_carton_0 was not seen at dining_table_0" in report.summary or "milk_0 was not seen" in report.summary
    assert calls.count("go_to(dining_table_0)") == 2


@pytest.mark.parametrize("instruction", ["go to the dining table", "open the fridge"])
def test_what_was_not_put_down_is_not_doubted(known, instruction):
    report, _ = attempt(known, instruction)
    assert report.success and all(s.decision.policy == "symbolic" for s in report.steps)
