"""What is certain once there is nowhere left to look counts for every policy, not only for the one that says so."""

import copy
from dataclasses import replace

import pytest
from test_grounding import Taught

from dadu.knowledge import nouns as grounding
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.stacks.oracle import OracleStack


class OwnThoughts:
    """A model that does all that is right, and keeps what it makes of it to itself."""

    name = "vllm"

    def __init__(self):
        self.progress, self.inner = None, SymbolicPolicy()

    def choose(self, turn):
        self.progress = self.progress or copy.deepcopy(turn.progress)
        self.progress.update(turn.graph)
        return replace(self.inner.choose(replace(turn, progress=self.progress)), policy=self.name, hopeless=False)


@pytest.mark.parametrize(("instruction", "says"), [
    ("put all the apples on the desk", "all the apples"),
    ("if there is a banana in the fridge, put it on the desk, otherwise open the cupboard", "in the fridge: no"),
    ("check whether there is a banana in the kitchen", "in the kitchen: no"),
    ("bring the lemon from the fridge to the desk", "the lemon"),
    ("bring the pepsi to the desk", "the pepsi -> soda_can_0"),
])
def test_done_counts_where_there_is_nowhere_left_to_look(flat, monkeypatch, instruction, says):
    embedder = Taught({"pepsi", "pepsi can", "soda can"})
    monkeypatch.setattr(grounding, "default_embedder", lambda: embedder)
    report = OracleStack(flat, known="layout").do(instruction, OwnThoughts())
    assert report.success and says in report.summary, report.summary


def test_nothing_is_given_up_in_a_model_s_place(flat):
    report = OracleStack(flat, known="layout").do("bring the pepsi and the lemon to the desk", OwnThoughts())
    assert report.outcome.detail == "gave_up" and "insists" in report.summary
    assert "given up" not in report.summary and "is_on_top(the lemon, the desk)" in report.summary
