"""What is so already, as far as memory knows, is looked at before it is told as done."""

from dataclasses import replace

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Edge, Relation

LATER = 1000.0


class Forgetting(SymbolicWorld):
    """What is not where memory has it is forgotten once that place is looked at; doors there are seen."""

    def execute(self, call: SkillCall) -> SkillResult:
        result = super().execute(call)
        place = call.arguments[0] if call.arguments else ""
        if result.ok and call.skill == "go_to" and place in self.truth:
            self.memory.put(replace(self.truth[place], stamp=self.clock))
            for edge in list(self.memory.edges):
                if edge.object == place and self.truth.support(edge.subject) != edge:
                    self.memory.remove(edge.subject)
        return result


def attempt(known, instruction, change=lambda truth: None, fail=lambda call, count: None):
    truth = known.copy()
    change(truth)
    world = Forgetting(truth, known.copy(), fail, clock=LATER)
    report = run(ClosedLoop(instruction, make_planner(), world), world)
    return report, world, [(step.decision.policy, str(step.call)) for step in report.steps]


def taken_away(truth):
    truth.set_support("cup_0", Edge("cup_0", Relation.ON, "coffee_table_0"))


def opened(truth):
    truth.put(replace(truth["fridge_0"], parts=tuple(replace(p, value=p.range) for p in truth["fridge_0"].parts)))


def test_one_look_where_it_is_so(known):
    report, _, steps = attempt(known, "put the cup on the dining table")
    assert report.success and steps == [("making_sure", "go_to(dining_table_0)")]


def test_what_somebody_has_taken_away_is_brought_back(known):
    report, world, steps = attempt(known, "put the cup on the dining table", taken_away)
    assert steps[0] == ("making_sure", "go_to(dining_table_0)") and report.success
    assert world.truth.support("cup_0").object == "dining_table_0" and SkillCall("pick", ("cup_0",)) in world.calls


def test_a_door_that_somebody_has_opened_is_closed(known):
    report, world, steps = attempt(known, "close the fridge", opened)
    assert report.success and world.truth["fridge_0"].closed and ("symbolic", "close(fridge_0)") in steps


def test_what_cannot_be_looked_at_is_not_certain(known):
    blocked = SkillResult(Code.EXECUTION_FAILED, "the way is blocked", "path_blocked")
    report, _, steps = attempt(known, "put the cup on the dining table", taken_away, lambda call, count: blocked)
    assert report.outcome.code is Code.UNCERTAIN and not report.success
    assert "cup_0 was so already" in report.summary and len(steps) == 2


def test_what_was_said_to_be_elsewhere_and_is_so_already_is_not_certain(known):
    """Perhaps another one was meant."""
    report, _, steps = attempt(known, "move the cup from the sofa to the dining table")
    assert report.outcome.code is Code.UNCERTAIN and "it was so already" in report.summary
    assert ("symbolic", "go_to(sofa_0)") in steps


@pytest.mark.parametrize("instruction", ["put the milk in the fridge", "go to the kitchen"])
def test_what_is_shut_away_or_felt_is_taken_for_granted(known, instruction):
    report, _, steps = attempt(known, instruction)
    assert report.success and "making_sure" not in [policy for policy, _ in steps]


def test_what_was_seen_lately_too(known):
    seen = known.copy()
    seen.put(replace(seen["cup_0"], stamp=LATER - 10.0))
    report, _, steps = attempt(seen, "put the cup on the dining table")
    assert report.success and not steps


def test_what_the_task_has_done_itself_too(known):
    report, _, steps = attempt(known, "put the cup on the coffee table")
    assert report.success and "making_sure" not in [policy for policy, _ in steps]
