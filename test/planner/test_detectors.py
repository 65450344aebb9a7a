"""What the loop notices by itself, and that it can be turned off."""

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.planner.feedback import line, possible
from dadu.planner.grammar import Grammar
from dadu.planner.loop.changes import changes
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.loop.watch import Watch, back_and_forth, moved_by_others, repeated_failure
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.settings import LoopSettings
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Edge, Relation

PICK, GO, ROOM = SkillCall("pick", ("milk_0",)), SkillCall("go_to", ("milk_0",)), SkillCall("go_to", ("kitchen",))
FAILED = SkillResult(Code.EXECUTION_FAILED, "no grasp", "no_grasp", "milk_0")
OK = SkillResult(Code.SUCCEEDED, "done")
LEMON = "put the lemon on the desk"


def steps(*pairs):
    return [Step(i + 1, Decision(call, "so", "symbolic"), 0.0, result=result) for i, (call, result) in enumerate(pairs)]


@pytest.mark.parametrize(("history", "noticed"), [
    (steps((PICK, FAILED), (PICK, FAILED)), True),
    (steps((PICK, FAILED), (GO, OK), (PICK, FAILED)), True),
    (steps((GO, FAILED), (GO, FAILED)), True),
    (steps((PICK, FAILED)), False),
    (steps((PICK, FAILED), (PICK, OK)), False),
    (steps((PICK, OK), (PICK, FAILED)), False),
    (steps((PICK, FAILED), (SkillCall("open", ("fridge_0",)), OK), (PICK, FAILED)), False),
])
def test_the_same_failure_twice(known, history, noticed):
    text = repeated_failure(history, known)
    assert bool(text) is noticed
    assert not noticed or "failed twice" in text and "go_to milk_0" in text


@pytest.mark.parametrize(("calls", "noticed"), [
    ([GO, ROOM, GO, ROOM], True), ([ROOM, GO, ROOM, GO, ROOM], True), ([GO, GO, GO, GO], False),
    ([GO, ROOM, PICK, ROOM], False), ([GO, ROOM, GO], False)])
def test_back_and_forth(calls, noticed):
    assert bool(back_and_forth(steps(*((c, OK) for c in calls)))) is noticed


def test_moved_by_others_is_not_what_the_robot_did(known):
    pick = SkillCall("pick", ("lemon_0",))
    step, = steps((pick, OK))
    after = apply(known, pick)
    assert not moved_by_others(step, known, after)
    after.set_support("apple_0", Edge("apple_0", Relation.ON, "desk_0"))
    assert moved_by_others(step, known, after) == "Moved by somebody: apple_0 now on desk_0."


def test_what_the_robot_carries_moves_with_it_and_is_not_reported(known):
    before = apply(known, SkillCall("pick", ("lemon_0",)))
    lost, = steps((ROOM, SkillResult(Code.OBJECT_LOST, "gone", target="lemon_0")))
    after = before.copy()
    after.set_support("lemon_0", None)
    assert not moved_by_others(lost, before, after)


def test_changes_are_told_by_kind(known):
    after = known.copy()
    after.remove("lemon_0")
    after.set_support("apple_0", Edge("apple_0", Relation.ON, "desk_0"))
    after = apply(after, SkillCall("open", ("fridge_0",)))
    assert {(c.id, c.kind) for c in changes(known, after)} == {("lemon_0", "gone"), ("apple_0", "moved"),
                                                               ("fridge_0", "opened")}
    assert {(c.id, c.kind) for c in changes(after, known)} == {("lemon_0", "seen"), ("apple_0", "moved"),
                                                               ("fridge_0", "closed")}
    assert changes(known, known) == []


def test_no_progress_is_said_every_so_many_steps(known):
    watch, said = Watch(), []
    for i in range(1, 19):
        said.append(watch.remarks(steps(*[(PICK, OK)] * i), known, known, None, "the same"))
    assert [i for i, remarks in enumerate(said, 1) if any("No progress" in r for r in remarks)] == [9, 17]


@pytest.mark.parametrize(("code", "target", "names"), [
    (Code.TOO_FAR, "milk_0", "go_to milk_0"), (Code.CONTAINER_CLOSED, "fridge_0", "open fridge_0"),
    (Code.NOT_INTERACTIVE, "sofa_0", "fridge_0"), (Code.EXECUTION_FAILED, "apple_0", "apple_1"),
    (Code.UNKNOWN_TARGET, "unicorn_0", "kitchen"), (Code.HAND_EMPTY, "", "pick"),
    (Code.OBJECT_LOST, "milk_0", "milk_0"), (Code.UNREACHABLE_BACKEND, "", "wait")])
def test_every_failure_has_a_way_on_that_exists(known, code, target, names):
    tried = SkillCall("open" if code is Code.NOT_INTERACTIVE else "pick", (target,))
    assert names in possible(tried, SkillResult(code, "no", target=target), known)


def test_a_full_hand_names_what_is_in_it(known):
    graph = apply(known, SkillCall("pick", ("lemon_0",)))
    assert possible(PICK, SkillResult(Code.HAND_FULL, "no"), graph) == "place lemon_0 first"


def test_a_line_holds_code_detail_and_sentence():
    assert line(steps((PICK, FAILED))[0]) == "1. pick(milk_0) -> EXECUTION_FAILED (no_grasp): no grasp"


class Listener:
    """The symbolic policy, keeping what it is told."""

    name = "symbolic"

    def __init__(self):
        self.inner, self.feedback, self.codes = SymbolicPolicy(), [], []

    def choose(self, turn):
        self.feedback.append(turn.feedback)
        self.codes = [s.result.code for s in turn.history]
        return self.inner.choose(turn)


def carry_out(known, instruction=LEMON, fail=lambda call, count: None, disturb=lambda world, step: None, **settings):
    world, policy = SymbolicWorld(known.copy(), known.copy(), fail), Listener()
    report = run(ClosedLoop(instruction, TaskPlanner(policy, Grammar()), world, LoopSettings(**settings)), world,
                 lambda call, step: disturb(world, step))
    return report, policy, world


def move_the_apple(world, step):
    if step == 1:
        for graph in (world.truth, world.memory):
            graph.set_support("apple_0", Edge("apple_0", Relation.ON, "desk_0"))


def slips_twice(call, count):
    return FAILED if call.skill == "pick" and count < 2 else None


def test_the_policy_is_told_what_the_loop_notices(known):
    report, policy, _ = carry_out(known, fail=slips_twice, disturb=move_the_apple)
    assert report.success
    assert any("apple_0 now on desk_0" in f for f in policy.feedback)
    assert any("pick(lemon_0) failed twice" in f for f in policy.feedback)


def test_what_holds_already_is_said(known):
    _, policy, _ = carry_out(known, "close the fridge and put the lemon on the desk")
    assert "Holds already: is_closed" in policy.feedback[0]
    assert not any("Holds already" in f for f in policy.feedback[1:-1])


def test_what_holds_no_more_is_said(known):
    def undo(world, step):
        if step == 2:
            world.truth = apply(world.truth, SkillCall("open", ("cabinet_0",)))
            world.memory = apply(world.memory, SkillCall("open", ("cabinet_0",)))
    _, policy, _ = carry_out(known, "close the cabinet and put the lemon on the desk", disturb=undo)
    assert any("No longer holds: is_closed" in f for f in policy.feedback)


def test_without_feedback_nothing_is_told_and_all_is_taken_for_done(known):
    report, policy, world = carry_out(known, fail=slips_twice, disturb=move_the_apple, feedback=False)
    assert not any(policy.feedback) and set(policy.codes) <= {Code.SUCCEEDED}
    assert world.truth.support("lemon_0") == known.support("lemon_0"), "it never noticed that the pick had failed"
    assert Code.EXECUTION_FAILED in [s.result.code for s in report.steps], "the record holds what really happened"


def test_without_replanning_the_first_plan_is_followed_to_its_end(known):
    def never(call, count):
        return FAILED if call.skill == "pick" else None
    report, policy, world = carry_out(known, fail=never, replan=False)
    assert len(policy.feedback) == 1 and not report.success and report.replans == 0
    assert [c.skill for c in world.calls] == ["go_to", "pick", "go_to", "place"]
    report, policy, _ = carry_out(known, replan=False)
    assert report.success and len(policy.feedback) == 1
