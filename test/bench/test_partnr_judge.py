"""PARTNR's evaluation functions beside DaDu's judge; theirs is a stand-in of our own with their names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dadu.bench.partnr import theirs
from dadu.bench.partnr.agreement import JudgeError, run
from dadu.bench.partnr.cases import random_cases
from dadu.bench.partnr.tasks import run as run_tasks
from dadu.bench.partnr.tasks import summary
from dadu.core.errors import ConfigError
from dadu.eval.options import EvalOptions
from dadu.imports.instructed.rows import RowPiece, RowRoom, home
from dadu.imports.instructed.suites import write_suite
from dadu.imports.instructed.task import Task
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite

STAND_IN = '''
import copy
from habitat_llm.agent.env.evaluation.predicate_wrappers import PropositionResult

class EvaluationProposition:
    def __init__(self, function_name, args): self.function_name, self.args = function_name, args

class EvaluationPropositionDependency:
    def __init__(self, proposition_indices, depends_on, relation_type, dependency_mode="all"):
        self.proposition_indices = proposition_indices

class _Constraint:
    def __init__(self, **given): pass

TemporalConstraint = TerminalSatisfactionConstraint = SameArgConstraint = DifferentArgConstraint = _Constraint

def unroll_propositions_with_number(propositions, dependencies, constraints):
    for prop in list(propositions):
        for number in range(1, prop.args["number"]):
            new = copy.deepcopy(prop)
            new.args["number"] = number
            propositions.append(new)
    return propositions, dependencies, constraints

def determine_propositions_to_evaluate(states, propositions, dependencies):
    assert all(isinstance(result, PropositionResult) for state in states for result in state)
    return set(range(len(propositions)))

def apply_constraint_satisfaction(constraints, states, since):
    return None

def compute_percent_complete(since, table):
    return sum(at != -1 for at in since) / len(since)
'''


def checkout(folder: Path, text: str = STAND_IN) -> Path:
    file = folder / theirs.FILE
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return folder


def test_what_a_judge_without_constraints_says_differs_where_there_are_some(tmp_path):
    found = run(checkout(tmp_path), Path(sys.executable), 25, (), 0)["random"]
    cases = list(random_cases(25, 0))
    plain = {case.name for case in cases if not case.goal.constraints and not case.goal.dependencies}
    assert found["cases"] == 25 and found["states"] == sum(len(case.states) for case in cases)
    assert plain and not plain & set(found["unexplained"])
    assert found["unexplained"] and 0 < found["agree"]["mean"] < 1


def test_random_goals_come_true_and_do_not():
    shares = [case.ours() for case in random_cases(25, 1)]
    assert min(shares) == 0 and max(shares) == 1


def test_episodes_are_recorded_as_the_expert_does_them(tmp_path):
    suite, path = load_suite("rearrange")
    one = suite.model_copy(update={"episodes": suite.episodes[:1]})
    found = run(checkout(tmp_path), Path(sys.executable), 0, prepare_all(one, path), 5)["recorded"]
    assert found["cases"] == found["complete"] == 1 and found["agree"]["mean"] == 1


def test_what_is_no_checkout_and_what_cannot_run_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="partnr-planner"):
        run(tmp_path, Path(sys.executable), 1, (), 0)
    with pytest.raises(JudgeError, match="nonsense"):
        run(checkout(tmp_path, "import nonsense"), Path(sys.executable), 1, (), 0)


def test_a_planner_carries_instructions_out_and_both_judge_it(tmp_path):
    """One that it can do, one that it refuses; the second's half and type are told apart."""
    pieces = {name: name.partition("_")[0] for name in ("table_0", "couch_0")}
    house = home("mine", [RowRoom("living_room_0", "living_room", [RowPiece(n, k) for n, k in pieces.items()])])
    hat = {"name": "hat_0", "category": "hat", "on": "table_0"}
    goal = {"propositions": [{"is_on_top": [["hat_0"], ["couch_0"]]}], "constraints": [{"terminal": [0]}]}
    said = {"rearrange": "Put the hat on the couch.", "temporal": "Put the violin on the couch."}
    tasks = [Task(f"partnr-{kind}-train-0", kind, text, house, [hat], [goal], kind) for kind, text in said.items()]
    path = write_suite("mine", "", tasks, tmp_path / "suite", defaults={"known": "all"})
    carried = run_tasks(path, checkout(tmp_path / "checkout"), Path(sys.executable), EvalOptions(skills="oracle"))
    assert [(one.type, one.success, one.theirs) for one in carried] == [
        ("constraint-free", True, 1.0), ("temporal", False, 0.0)]
    found = summary(carried)
    assert found["all"]["all"]["success"]["mean"] == 0.5 and found["all"]["temporal"]["success_theirs"]["mean"] == 0
    assert sum(found[half]["all"]["instructions"] for half in ("looked_at", "held_out")) == 2
