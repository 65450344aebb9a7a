"""A corpus of instructions in three furnished houses and in generated homes, and what each is understood as:
``instructions.yaml``, ``homes.yaml``, ``lodge.yaml``."""

from pathlib import Path

import pytest
import yaml
from understood import interpret

from dadu.homes.home import generate_home
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.refusal import NotUnderstood

HERE = Path(__file__)
CORPUS = {**yaml.load(HERE.with_name("instructions.yaml").read_text(), yaml.CSafeLoader),
          **yaml.load(HERE.with_name("homes.yaml").read_text(), yaml.CSafeLoader),
          **yaml.load(HERE.with_name("lodge.yaml").read_text(), yaml.CSafeLoader)}


def house_of(name):
    """By its name, ``ROOMS rooms, seed SEED``, or ``houses/NAME`` beside this file."""
    if name.startswith("houses/"):
        return load_house(HERE.parent / f"{name}.house.yaml")
    rooms, generated, seed = name.partition(" rooms, seed ")
    return generate_home(int(seed), rooms=int(rooms)) if generated else load_house(name)


def shown(goal):
    out = []
    for p in goal.propositions:
        arguments = ["|".join(term.ids) for term in (p.subject, p.object) if term is not None]
        out.append(" ".join([p.predicate, *arguments, *([str(p.needed)] if p.needed > 1 else [])]))
    return out + ([f"order {' '.join(f'{a}<{b}' for a, b in goal.order)}"] if goal.order else [])


def alike(lines):
    """The same whatever the propositions are sorted by, and whether order that follows from other order is said."""
    if lines is None:
        return None
    asked = [line for line in lines if not line.startswith("order ")]
    pairs = {tuple(map(int, pair.split("<"))) for line in lines[len(asked):] for pair in line.split()[1:]}
    for b in range(len(asked)):
        pairs |= {(a, c) for a, x in pairs if x == b for y, c in pairs if y == b}
    return sorted(asked), sorted((asked[a], asked[b]) for a, b in pairs)


@pytest.mark.parametrize("house", CORPUS)
def test_the_corpus_is_understood(house):
    graph = build_graph(house_of(house), "all")
    vocabulary = default_vocabulary().extended(graph)
    wrong = {}
    for instruction, wanted in CORPUS[house].items():
        try:
            got = shown(interpret(instruction, graph, vocabulary, complete=True))
        except NotUnderstood:
            got = None
        if alike(got) != alike(wanted):
            wrong[instruction] = got
    assert not wrong
