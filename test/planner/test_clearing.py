"""What stands open where the robot would have to stand is closed first, whoever has opened it."""

from dataclasses import replace

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, Detail, SkillResult


def attempt(known, instruction, closes=True, blocked="cabinet_0", share=1.0):
    """With the fridge open by this `share` of its range, in the way to what is `blocked`."""
    opened = apply(known.copy(), SkillCall("open", ("fridge_0",)))
    opened.change("fridge_0", parts=tuple(replace(p, value=share * p.range) for p in opened["fridge_0"].parts))
    world = SymbolicWorld(opened, opened.copy())

    def fail(call, count):
        ajar = not all(part.closed for part in world.truth["fridge_0"].parts)
        if call == SkillCall("go_to", (blocked,)) and ajar:
            return SkillResult(Code.TOO_FAR, "fridge_0 stands open", Detail.OPEN_IN_THE_WAY, "fridge_0")
        if call.skill == "close" and not closes:
            return SkillResult(Code.EXECUTION_FAILED, "the door is stuck", Detail.DOOR_STUCK, "fridge_0")
        return None

    world.fail = fail
    report = run(ClosedLoop(instruction, make_planner(), world), world)
    return report, [" ".join((call.skill, *call.arguments)) for call in world.calls]


@pytest.mark.parametrize("share", [1.0, 0.4])
def test_it_is_closed_and_the_way_is_tried_again(known, share):
    report, steps = attempt(known, "open the cabinet", share=share)
    assert report.success
    assert steps == ["go_to cabinet_0", "go_to fridge_0", "close fridge_0", "go_to cabinet_0", "open cabinet_0"]
    assert "in the way" in report.steps[1].decision.reasoning


def test_a_full_hand_is_emptied_for_it(known):
    report, steps = attempt(known, "put the lemon in the cabinet")
    assert report.success
    close = steps.index("close fridge_0")
    assert close < steps.index("open cabinet_0") < steps.index("place in cabinet_0")


def test_it_is_closed_before_the_hand_is_filled_again(known):
    """What bars the way to where a thing goes shows with the thing in the hand; emptied, the hand closes it at once."""
    report, steps = attempt(known, "put the lemon on the coffee table", blocked="coffee_table_0")
    assert report.success, steps
    barred, close = steps.index("go_to coffee_table_0"), steps.index("close fridge_0")
    assert steps.count("pick lemon_0") == 2 and "pick lemon_0" not in steps[barred:close]


def test_where_it_bars_every_way_a_full_hand_is_emptied_into_it(known):
    """A robot before an open fridge, with a full hand: no table can be reached, and only an empty hand closes it."""
    opened = apply(apply(known.copy(), SkillCall("pick", ("lemon_0",))), SkillCall("open", ("fridge_0",)))
    world = SymbolicWorld(opened, opened.copy())

    def fail(call, count):
        ajar = not all(part.closed for part in world.truth["fridge_0"].parts)
        if call.skill == "go_to" and call.arguments != ("fridge_0",) and ajar:
            return SkillResult(Code.TOO_FAR, "fridge_0 stands open", Detail.OPEN_IN_THE_WAY, "fridge_0")
        return None

    world.fail = fail
    report = run(ClosedLoop("go to the bedroom", make_planner(), world), world)
    steps = [" ".join((call.skill, *call.arguments)) for call in world.calls]
    assert report.success, steps
    assert steps[-5:] == ["go_to fridge_0", "place in fridge_0", "go_to fridge_0", "close fridge_0", "go_to bedroom"]


def test_what_the_goal_wants_open_stays_so(known):
    report, steps = attempt(known, "open the fridge and the cabinet")
    assert not report.success and "close fridge_0" not in steps
    assert "fridge_0 stands open" in report.summary


def test_a_door_that_cannot_be_closed_is_tried_once(known):
    report, steps = attempt(known, "open the cabinet", closes=False)
    assert not report.success and steps.count("close fridge_0") == 1
    assert steps.count("go_to cabinet_0") == 3


def test_who_only_goes_somewhere_closes_it_too(known):
    report, steps = attempt(known, "go to the bedroom", blocked="bedroom")
    assert report.success
    assert steps == ["go_to bedroom", "go_to fridge_0", "close fridge_0", "go_to bedroom"]


def test_what_the_goal_needs_open_is_not_closed_and_opened_in_turn(known):
    report, steps = attempt(known, "put the lemon in the fridge", blocked="lemon_0")
    assert not report.success and "close fridge_0" not in steps


def test_what_was_closed_once_has_to_be_met_with_again():
    situation, call = Situation(), SkillCall("go_to", ("cabinet_0",))
    situation.take(call, "open", SkillResult(Code.TOO_FAR, "in the way", Detail.OPEN_IN_THE_WAY, "fridge_0"))
    assert situation.last_failure[call].detail == Detail.OPEN_IN_THE_WAY
    situation.take(SkillCall("close", ("fridge_0",)), "", SkillResult(Code.SUCCEEDED, "closed"))
    assert not situation.last_failure[call].detail and situation.failures[call] == 1
