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


@pytest.mark.parametrize(("words", "not_understood"), [
    ("Put the apple in a receptacle that can hold it for ever for several days.", "receptacle"),  # not in the hand
    ("Put the bladed utensil on the bed.", "bladed"),  # not any fork
    ("Put the apple on top of the water tank.", "tank")])  # not on the bottle of water
def test_words_that_would_tell_which_are_not_passed_over(words, not_understood):
    with pytest.raises(Refusal, match=not_understood):
        interpret(words, GRAPH, VOCABULARY)


def test_where_a_description_fits_several_sorts_the_one_is_asked_for_and_any_one_is_taken():
    with pytest.raises(Refusal, match="bath towel or hand towel"):
        interpret("Put the soft absorbent fabric on the bed.", GRAPH, VOCABULARY)
    notes = interpret("Put a soft absorbent fabric on the bed.", GRAPH, VOCABULARY).notes
    assert any("taken for bath towel or hand towel" in note for note in notes)


def test_what_is_taken_for_what_goes_into_it_is_told_too():
    notes = interpret("Put a mug with an erasable writing tool in it on the bed.", GRAPH, VOCABULARY).notes
    assert any("taken for pencil" in note for note in notes)


def test_a_name_stays_what_it_is_whatever_is_said_of_it():
    subject, _, notes = moved("Put the apple that keeps doctors away on the bed.")
    assert subject == {"apple"} and not any("taken for" in note for note in notes)


def test_a_thing_may_be_told_by_what_somebody_does_with_it():
    assert moved("Put the thing I change channels with on the bed.")[:2] == ({"remote"}, {"bed"})
