"""What stands open where the robot would have to stand is closed first, whoever has opened it."""

from symbolic_world import SymbolicWorld, run

from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, Detail, SkillResult

BLOCKED = SkillCall("go_to", ("cabinet_0",))
"""by the fridge, which stands open"""


def attempt(known, instruction, closes=True):
    opened = apply(known.copy(), SkillCall("open", ("fridge_0",)))
    world = SymbolicWorld(opened, opened.copy())

    def fail(call, count):
        if call == BLOCKED and not world.truth["fridge_0"].closed:
            return SkillResult(Code.TOO_FAR, "fridge_0 stands open", Detail.OPEN_IN_THE_WAY, "fridge_0")
        if call.skill == "close" and not closes:
            return SkillResult(Code.EXECUTION_FAILED, "the door is stuck", Detail.DOOR_STUCK, "fridge_0")
        return None

    world.fail = fail
    report = run(ClosedLoop(instruction, make_planner(), world), world)
    return report, [" ".join((call.skill, *call.arguments)) for call in world.calls]


def test_it_is_closed_and_the_way_is_tried_again(known):
    report, steps = attempt(known, "open the cabinet")
    assert report.success
    assert steps == ["go_to cabinet_0", "go_to fridge_0", "close fridge_0", "go_to cabinet_0", "open cabinet_0"]
    assert "in the way" in report.steps[1].decision.reasoning


def test_a_full_hand_is_emptied_for_it(known):
    report, steps = attempt(known, "put the lemon in the cabinet")
    assert report.success
    close = steps.index("close fridge_0")
    assert close < steps.index("open cabinet_0") < steps.index("place in cabinet_0")


def test_what_the_goal_wants_open_stays_so(known):
    report, steps = attempt(known, "open the fridge and the cabinet")
    assert not report.success and "close fridge_0" not in steps
    assert "fridge_0 stands open" in report.summary


def test_a_door_that_cannot_be_closed_is_tried_once(known):
    report, steps = attempt(known, "open the cabinet", closes=False)
    assert not report.success and steps.count("close fridge_0") == 1
    assert steps.count("go_to cabinet_0") == 3
