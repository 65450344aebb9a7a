"""The closed loop on a world without geometry, with and without failures."""

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.loop.termination import PATIENCE
from dadu.planner.policies.make import make_planner
from dadu.planner.settings import LoopSettings
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Relation

MILK = "take the milk out of the fridge and put it on the dining table"


def attempt(known, memory, instruction, settings=None, fail=lambda call, count: None, disturb=lambda *now: None,
            trace=lambda step: None):
    world = SymbolicWorld(known.copy(), memory.copy(), fail)
    loop = ClosedLoop(instruction, make_planner(), world, settings, trace=trace)
    return run(loop, world, lambda call, step: disturb(world, loop, call, step)), world


def codes(report):
    return [step.result.code for step in report.steps]


@pytest.mark.parametrize("instruction", [
    f"{MILK}, then bring the apple from the fruit table to the shelf",
    "put the bowl in the cabinet and close the drawer",
    "open the fridge, take out the milk, put it on the counter, and close it",
    "put everything from the coffee table in the wardrobe",
    "put the lemon in the fridge",
    "bring all the books to the desk",
    "put the red apple on the dining table next to the vase",
    "bring me the soda can",
    "put an apple on the desk and another on the coffee table",
])
@pytest.mark.parametrize("start", ["known", "layout"])
def test_the_goal_is_reached_whatever_is_known(request, known, start, instruction):
    report, _ = attempt(known, request.getfixturevalue(start), instruction)
    assert report.success, report.summary
    assert set(codes(report)) == {Code.SUCCEEDED}, "no step that the world forbids"


def test_where_the_goal_holds_it_only_makes_sure(known):
    report, world = attempt(known, known, "close the fridge")
    assert report.success and [str(call) for call in world.calls] == ["go_to(fridge_0)"]


def test_refused(known):
    report, world = attempt(known, known, "bring the unicorn to the desk")
    assert not report.success and report.outcome.code is Code.UNKNOWN_TARGET and not world.calls


def test_a_failed_pick_is_approached_anew(known):
    def slips(call, count):
        if call.skill == "pick" and count == 0:
            return SkillResult(Code.EXECUTION_FAILED, "the grasp slipped", "grasp_slipped", "milk_0")
    report, world = attempt(known, known, MILK, fail=slips)
    assert report.success
    at = world.calls.index(SkillCall("pick", ("milk_0",)))
    assert world.calls[at:at + 3] == [SkillCall("pick", ("milk_0",)), SkillCall("go_to", ("milk_0",)),
                                      SkillCall("pick", ("milk_0",))]


def test_another_instance_is_taken_where_one_cannot_be(known):
    def out_of_reach(call, count):
        if call == SkillCall("pick", ("apple_1",)):
            return SkillResult(Code.TOO_FAR, "out of reach", target="apple_1")
    report, world = attempt(known, known, "put an apple on the coffee table", fail=out_of_reach)
    assert report.success
    assert world.calls.count(SkillCall("pick", ("apple_1",))) == 3
    assert SkillCall("pick", ("apple_0",)) in world.calls


def test_it_gives_up_honestly_and_does_the_rest(known):
    def never(call, count):
        if call == SkillCall("pick", ("milk_0",)):
            return SkillResult(Code.EXECUTION_FAILED, "no grasp is free", "no_grasp", "milk_0")
    report, world = attempt(known, known, "put the milk on the dining table and the lemon on the desk", fail=never)
    assert report.outcome.code is Code.EXECUTION_FAILED and report.outcome.detail == "gave_up"
    assert "no grasp is free" in report.summary and "achieved: is_on_top(the lemon" in report.summary
    assert world.truth.support("lemon_0").object == "desk_0"
    assert len(report.steps) < 20


@pytest.mark.parametrize(("instruction", "fits"), [
    ("put the cereal box, the soap and the yogurt on the shelf", "yogurt_0"),
    ("put everything from the coffee table on the shelf", "candle_0"),
])
def test_what_has_no_room_is_put_aside_and_the_rest_is_done(known, instruction, fits):
    held = []

    def too_big(call, count):
        held[:] = [call.arguments[0]] if call.skill == "pick" else held
        if call.skill == "place" and call.arguments[1] == "shelf_0" and held != [fits]:
            return SkillResult(Code.EXECUTION_FAILED, "there is no free space on shelf_0", "no_space", "shelf_0")
    report, world = attempt(known, known, instruction, LoopSettings(max_steps=80), fail=too_big)
    assert report.outcome.detail == "gave_up" and "there is no free space on shelf_0" in report.summary
    assert world.truth.support(fits).object == "shelf_0"


def test_what_is_no_smaller_is_not_tried_where_something_did_not_fit(known):
    def full(call, count):
        if call.skill == "place" and call.arguments[1] == "desk_0":
            return SkillResult(Code.EXECUTION_FAILED, "there is no free space on desk_0", "no_space", "desk_0")
    report, world = attempt(known, known, "put the apples on the desk", fail=full)
    assert not report.success
    assert sum(call.arguments[1:] == ("desk_0",) for call in world.calls) == 3


def test_to_stand_before_a_closed_container_is_not_to_have_looked_into_it(known, layout):
    report, world = attempt(known, layout, "go to the fridge, then bring the milk to the dining table")
    assert report.success and [call.skill for call in world.calls][:2] == ["go_to", "open"]


def test_a_thing_that_is_nowhere_is_not_searched_for_ever(known, layout):
    report, world = attempt(known, layout, "bring a pear to the desk")
    assert report.outcome.detail == "gave_up" and "not found" in report.summary
    explored = [c for c in world.calls if c.skill == "explore"]
    assert len(explored) == len(set(explored)) == 6
    assert sum(c.skill == "open" for c in world.calls) == 5


@pytest.mark.parametrize("instruction, before", [
    ("put the sock and the lemon on the dining table", True),
    ("put the lemon and the sock on the dining table", True),
    ("first put the sock on the dining table, then put the lemon there", False),
])
def test_what_is_known_is_brought_before_what_has_to_be_looked_for(known, layout, instruction, before):
    memory = layout.copy()
    memory.put(known["lemon_0"])
    memory.set_support("lemon_0", known.support("lemon_0"))
    _, world = attempt(known, memory, instruction)
    skills = [call.skill for call in world.calls]
    assert (skills.index("place") < skills.index("explore")) is before


def test_what_is_knocked_from_the_hand_is_picked_again(known):
    def knock(world, loop, call, step):
        if call == SkillCall("go_to", ("dining_table_0",)) and world.calls.count(call) == 1:
            world.drop("dining_room")
    report, world = attempt(known, known, MILK, disturb=knock)
    assert report.success, report.summary
    lost = next(s for s in report.steps if s.result.code is Code.OBJECT_LOST)
    assert lost.result.target == "milk_0"
    assert world.calls.count(SkillCall("pick", ("milk_0",))) == 2


def test_a_pick_that_broke_off_after_the_grip_has_filled_the_hand(known):
    def dies(call, count):
        if call.skill == "pick" and count == 0:
            return SkillResult(Code.UNREACHABLE_BACKEND, "the server of pick is gone")

    def grips(world, loop, call, step):
        if call.skill == "pick" and world.calls.count(call) == 1:
            world.truth = apply(world.truth, call)
    report, world = attempt(known, known, MILK, fail=dies, disturb=grips)
    assert report.success, report.summary
    assert world.calls.count(SkillCall("pick", ("milk_0",))) == 1


def test_a_container_that_someone_shut_is_opened_again(known):
    def shut(world, loop, call, step):
        if call == SkillCall("go_to", ("milk_0",)) and world.calls.count(call) == 1:
            world.truth = apply(world.truth, SkillCall("close", ("fridge_0",)))
    report, world = attempt(known, known, MILK, disturb=shut)
    assert report.success
    assert Code.CONTAINER_CLOSED in codes(report)
    assert world.calls.count(SkillCall("open", ("fridge_0",))) == 2


@pytest.mark.parametrize("code", [Code.OPERATOR_OVERRIDE, Code.SAFETY_STOP, Code.UNREACHABLE_BACKEND])
def test_interruptions_are_not_the_skill_s_fault(known, code):
    def interrupted(call, count):
        if call == SkillCall("go_to", ("milk_0",)) and count < 4:
            return SkillResult(code, "interrupted")
    report, _ = attempt(known, known, MILK, fail=interrupted)
    assert report.success and codes(report).count(code) == 4


def test_a_backend_that_stays_away_ends_the_task(known):
    gone = SkillResult(Code.UNREACHABLE_BACKEND, "the server of go_to is gone")
    report, _ = attempt(known, known, MILK, fail=lambda call, count: gone)
    assert report.outcome.code is Code.UNREACHABLE_BACKEND and len(report.steps) == PATIENCE


def test_limits(known):
    report, _ = attempt(known, known, MILK, LoopSettings(max_steps=3))
    assert report.outcome.code is Code.TIMED_OUT and len(report.steps) == 3
    report, _ = attempt(known, known, MILK, LoopSettings(max_seconds=25.0))
    assert report.outcome.code is Code.TIMED_OUT and len(report.steps) == 3


def test_cancel(known):
    report, _ = attempt(known, known, MILK,
                        disturb=lambda world, loop, call, step: loop.cancel() if step == 2 else None)
    assert report.outcome.code is Code.CANCELLED and len(report.steps) == 2


class Late(SymbolicWorld):
    """Fingers are still felt to hold what was just placed."""

    def holding(self):
        return super().holding() or bool(self.calls) and self.calls[-1].skill == "place"


def test_what_was_placed_is_not_taken_to_be_in_the_hand(known):
    world = Late(known.copy(), known.copy())
    report = run(ClosedLoop(MILK, make_planner(), world), world)
    assert report.success, report.summary
    assert [call.skill for call in world.calls].count("place") == 1


class Numb(SymbolicWorld):
    """Skills say that they worked, and newer sight says that nothing has changed."""

    def execute(self, call):
        self.clock += 10.0
        for id in ("milk_0", "fridge_0"):
            self.memory.change(id, stamp=self.clock + 1.0)
        return SkillResult(Code.SUCCEEDED, "done")

    def holding(self):
        return None


def test_success_without_effect_is_noticed(known):
    world = Numb(known.copy(), known.copy())
    report = run(ClosedLoop(MILK, make_planner(), world), world)
    assert not report.success and report.outcome.detail == "no_progress"


def test_every_step_is_traced_twice(known):
    seen = []
    report, _ = attempt(known, known, MILK, trace=seen.append)
    assert [(s.index, s.result is not None) for s in seen] == [
        (i, finished) for i in range(1, len(report.steps) + 1) for finished in (False, True)]
    assert all(s.decision.reasoning and s.decision.plan[0] == s.call for s in seen)
    assert [s.decision.purpose for s in report.steps if s.call.skill == "go_to"] == ["open", "pick", "place", "close"]


def test_a_full_hand_is_emptied_first(known):
    graph = apply(known, SkillCall("pick", ("ball_0",)))
    report, world = attempt(graph, graph, "put the milk on the dining table")
    assert report.success
    assert world.truth.support("ball_0").relation is Relation.ON


def test_a_full_hand_is_emptied_first_though_nobody_knows_of_what(known):
    """Found out by the pick that it rules out; what was in the hand is found where it was put."""
    world = SymbolicWorld(apply(known, SkillCall("pick", ("ball_0",))), known.copy())
    world.memory.remove("ball_0")
    report = run(ClosedLoop("put the apple on the desk", make_planner(), world), world)
    assert report.success, report.summary
    assert [code for code in codes(report) if code is not Code.SUCCEEDED] == [Code.HAND_FULL]
    assert world.truth.support("ball_0").relation is Relation.ON


class Jammed(SymbolicWorld):
    """Fingers that press on each other, and do not let go."""

    def holding(self):
        return True


@pytest.mark.parametrize("code", [Code.HAND_EMPTY, Code.EXECUTION_FAILED])
@pytest.mark.parametrize("before", ["", "milk_0"])
def test_what_is_put_down_nowhere_is_not_carried_to_every_table(known, code, before):
    def fail(call, count):
        if before and [c.skill for c in world.calls].count("place") < 1 + (call.skill == "place"):
            return None  # a first task that works
        if call.skill in ("pick", "open", "close"):
            return SkillResult(Code.HAND_FULL, "the hand holds something; place it first")
        return SkillResult(code, "it is felt still") if call.skill == "place" else None
    world = Jammed(known.copy(), known.copy(), fail)
    words = "put the milk on the dining table and the apple on the desk" if before else "put the apple on the desk"
    report = run(ClosedLoop(words, make_planner(), world), world)
    assert not report.success and "nowhere to put" in report.summary, report.summary
    assert [call.skill for call in world.calls].count("place") <= 8


def _slips(times):
    def fail(call, count):
        if call == SkillCall("pick", ("milk_0",)) and count < times:
            return SkillResult(Code.EXECUTION_FAILED, "the grasp slipped", "grasp_slipped", "milk_0")
    return fail


@pytest.mark.parametrize("times", [3, 8])
def test_what_slips_is_looked_at_anew_and_tried_again(known, times):
    report, _ = attempt(known, known, MILK, fail=_slips(times))
    assert report.success, report.summary


def test_what_always_slips_is_given_up(known):
    report, world = attempt(known, known, MILK, fail=_slips(100))
    assert report.outcome.detail == "gave_up" and "the grasp slipped" in report.summary
    assert world.calls.count(SkillCall("pick", ("milk_0",))) == 9


def test_where_from_is_where_to_look_and_no_condition(known):
    """The planner died after the milk was placed, and the instruction is sent again."""
    moved = apply(apply(known, SkillCall("pick", ("milk_0",))), SkillCall("place", ("on", "dining_table_0")))
    report, world = attempt(moved, moved, MILK)
    assert report.success, report.summary
    assert not any(call.skill == "pick" for call in world.calls)
