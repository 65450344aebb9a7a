"""A corpus of instructions in three furnished houses, and what each is understood as: ``instructions.yaml``."""

from pathlib import Path

import pytest
import yaml

from dadu.planner.language.interpret import interpret
from dadu.planner.language.refusal import Refusal
from dadu.planner.vocabulary import default_vocabulary
from dadu.sim.house import load_house
from dadu.sim.layout import build_graph

CORPUS = yaml.safe_load(Path(__file__).with_name("instructions.yaml").read_text())


def shown(goal):
    out = []
    for p in goal.propositions:
        arguments = ["|".join(term.ids) for term in (p.subject, p.object) if term is not None]
        out.append(" ".join([p.predicate, *arguments, *([str(p.needed)] if p.needed > 1 else [])]))
    return out + ([f"order {' '.join(f'{a}<{b}' for a, b in goal.order)}"] if goal.order else [])


@pytest.mark.parametrize("house", CORPUS)
def test_the_corpus_is_understood(house):
    graph = build_graph(load_house(house), "all")
    vocabulary = default_vocabulary().extended(graph)
    wrong = {}
    for instruction, wanted in CORPUS[house].items():
        try:
            got = shown(interpret(instruction, graph, vocabulary, complete=True))
        except Refusal:
            got = None
        if got != wanted:
            wrong[instruction] = got
    assert not wrong
