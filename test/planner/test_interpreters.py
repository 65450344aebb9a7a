"""Where a goal comes from: interpreters by name, what the grammar answers, and what the loop makes of each answer."""

from dataclasses import FrozenInstanceError

import pytest
from symbolic_world import SymbolicWorld, run

from dadu.core.errors import ConfigError
from dadu.eval.episode.record import _ended
from dadu.goals.goal import Goal, Proposition, Term
from dadu.goals.interpreter import AskBack, Context, LookFirst, Refused
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.grammar import Grammar
from dadu.planner.interpreters import INTERPRETERS, make_interpreter
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.settings import PlannerSettings
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.stacks.offline import plan_offline
from dadu.world.graph import WorldGraph

LEMON = Goal((Proposition("is_on_top", Term("lemon", ("lemon_0",)), Term("desk", ("desk_0",))),))


class Answers:
    """An interpreter that gives one answer after the other, the last of them again and again."""

    name = "answers"

    def __init__(self, *answers):
        self.answers, self.contexts = list(answers), []

    def read(self, instruction, context):
        self.contexts.append(context)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def context(graph, **changes):
    return Context(graph, default_vocabulary(), **changes)


def carry_out(known, memory, *answers):
    world, interpreter = SymbolicWorld(known.copy(), memory.copy()), Answers(*answers)
    return run(ClosedLoop("...", TaskPlanner(SymbolicPolicy(), interpreter), world), world), world, interpreter


@pytest.mark.parametrize("name", INTERPRETERS)
def test_those_that_come_along_are_found(name):
    assert make_interpreter(name).name == name


@pytest.mark.parametrize(("name", "says"), [
    ("grammer", "valid: grammar, package.module:Class or FILE.py:Class"),
    ("nowhere.py:Mine", "nowhere.py"), ("dadu.planner.grammar:Grammer", "no 'Grammer' in dadu.planner.grammar"),
    ("no.such.module:Mine", "no.such"), ("both:weights.zip", "No module named 'both'; valid: grammar"),
])
@pytest.mark.parametrize("setting", ["interpreter", "verify"])
def test_a_name_that_means_nothing_is_refused_with_what_would_be_valid(setting, name, says):
    with pytest.raises(ConfigError, match=says):
        make_planner(PlannerSettings(policy="vllm", **{setting: name}))


def test_one_of_ones_own_is_named_by_its_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    name = 'mine'\n")
    assert make_interpreter(f"{file}:Mine").name == "mine"


def test_the_grammar_answers_with_a_goal_a_place_to_look_or_a_refusal(known, layout):
    read = Grammar().read
    assert read("put the lemon on the desk", context(known)).propositions[0].subject.ids == ("lemon_0",)
    look = read("swap the book and the mug", context(layout))
    assert isinstance(look, LookFirst) and look.place in layout and "book" in " ".join(look.wanted.categories)
    refused = read("put the gronk on the desk", context(known))
    assert isinstance(refused, Refused) and refused.words == ("gronk",) and refused.code is Code.UNKNOWN_TARGET
    assert isinstance(read("juggle the lemon", context(known)), Refused)


def test_where_nothing_is_known_it_says_so_until_all_was_looked_at():
    empty = WorldGraph()
    look = Grammar().read("put the lemon on the desk", context(empty))
    assert look == LookFirst("unknown", "the desk: not seen yet; looking around", sorts=(frozenset({"desk"}),))
    refused = Grammar().read("put the lemon on the desk", context(empty, looked={"unknown": 2}))
    assert isinstance(refused, Refused) and "was looked at" in refused.message


def test_what_does_not_exist_is_not_looked_for(layout):
    assert isinstance(Grammar().read("swap the book and the mug", context(layout, complete=True)), Refused)


@pytest.mark.parametrize("answer", [LookFirst("kitchen", "why"), AskBack("which?"), Refused("no")])
def test_answers_do_not_change(answer):
    with pytest.raises(FrozenInstanceError):
        answer.message = "else"


def test_the_loop_pursues_the_goal_whatever_read_it(known):
    report, world, _ = carry_out(known, known, LEMON)
    assert report.success and world.truth.support("lemon_0").object == "desk_0"


def test_it_looks_first_where_it_is_told_and_reads_again(known, layout):
    report, world, interpreter = carry_out(known, layout, LookFirst("hall", "somewhere"), LEMON)
    assert report.success and world.calls[0] == SkillCall("explore", ("hall",))
    assert report.steps[0].decision.reasoning == "somewhere"
    assert [c.looking for c in interpreter.contexts] == [None, None] and set(interpreter.contexts[1].looked) == {"hall"}


@pytest.mark.parametrize(("answer", "code", "detail"), [
    (Refused("I cannot", (), Code.UNKNOWN_ACTION), Code.UNKNOWN_ACTION, "refused"),
    (AskBack("which apple?"), Code.UNKNOWN_TARGET, "asked_back"),
])
def test_a_refusal_or_a_question_ends_the_task_and_is_told(known, answer, code, detail):
    report, world, _ = carry_out(known, known, answer)
    assert (report.outcome.code, report.outcome.detail) == (code, detail) and not world.calls
    assert report.summary == answer.message
    assert _ended(report) == "refused", "an evaluation counts it as a task that was not begun"


def test_an_interpreter_that_always_wants_to_look_elsewhere_does_not_hold_up_a_plan(flat):
    plan = plan_offline("...", flat, interpreter=Answers(LookFirst("kitchen", "never enough")))
    assert plan["plan"] == [] and plan["refused"] == "never enough"
