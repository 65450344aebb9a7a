"""What is certain once there is nowhere left to look counts for every policy, not only for the one that says so."""

from dataclasses import replace

import pytest
from taught import Taught

from dadu.knowledge import nouns as grounding
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.planner.grammar import Grammar
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.own_goal import WithOwnGoal
from dadu.planner.policies.policy import TaskPlanner
from dadu.stacks.oracle import OracleStack


class OwnThoughts:
    """A model that does all that is right, and keeps what it makes of it to itself."""

    name = "vllm"

    def __init__(self):
        self.inner = WithOwnGoal(make_planner())

    def choose(self, turn):
        return replace(self.inner.choose(turn), policy=self.name, hopeless=False, verdict=None)


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
    report = OracleStack(flat, known="layout").do(instruction, TaskPlanner(OwnThoughts(), check=Grammar()))
    assert report.success and says in report.summary, report.summary


def test_nothing_is_given_up_in_a_model_s_place(flat, monkeypatch):
    monkeypatch.setattr(grounding, "default_embedder", LexicalEmbedder)  # to which a pepsi is like nothing
    report = OracleStack(flat, known="layout").do("bring the pepsi and the lemon to the desk",
                                                  TaskPlanner(OwnThoughts(), check=Grammar()))
    assert report.outcome.detail == "gave_up" and "insists" in report.summary
    assert "given up" not in report.summary and "is_on_top(the lemon, the desk)" in report.summary
