"""What is told by what it is like or for is taken for what it describes, and said so; what nothing fits is refused."""

import pytest
from understood import interpret

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.refusal import Refusal

GRAPH = build_graph(load_house("small_flat"), "all")
VOCABULARY = default_vocabulary().extended(GRAPH)


def moved(words):
    """What is moved where, by category, and what was noted."""
    goal = interpret(words, GRAPH, VOCABULARY, complete=True)
    first = goal.propositions[0]
    return *({GRAPH[id].category for id in term.ids} for term in (first.subject, first.object)), goal.notes


@pytest.mark.parametrize(("words", "what", "where"), [
    ("Put the handheld gadget that changes channels on the bed.", "remote", "bed"),
    ("Put the apple in the appliance that keeps food cold.", "apple", "fridge"),
    ("Take the apple to the comfortable lounging spot.", "apple", "sofa"),
    ("Bring the folding computer for work to the place where people sleep.", "laptop", "bed"),
    ("Set the water boiling vessel on the desk.", "electric_kettle", "desk")])
def test_what_is_described_is_found_and_told(words, what, where):
    subject, place, notes = moved(words)
    assert (subject, place) == ({what}, {where})
    assert any("taken for" in note for note in notes)


@pytest.mark.parametrize("words", ["Put the tool for welding pipes on the bed.", "Bring me the mysterious gizmo."])
def test_what_nothing_fits_is_refused(words):
    with pytest.raises(Refusal):
        moved(words)


def test_a_name_stays_what_it_is_whatever_is_said_of_it():
    subject, _, notes = moved("Put the apple that keeps doctors away on the bed.")
    assert subject == {"apple"} and not any("taken for" in note for note in notes)


def test_a_thing_may_be_told_by_what_somebody_does_with_it():
    assert moved("Put the thing I change channels with on the bed.")[:2] == ({"remote"}, {"bed"})
