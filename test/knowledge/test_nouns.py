"""Nouns that the graph lacks are mapped to the nearest thing: by name, alias, hypernym, then by embedding."""

import pytest
from taught import Taught
from understood import interpret

from dadu.knowledge.nouns import MIN_PIXELS, THRESHOLD, ground
from dadu.world.graph import Kind


def ids(found):
    return [m.id for m in found]


@pytest.mark.parametrize(("words", "first", "how"), [
    ("sofa", "sofa_0", "name"), ("couch", "sofa_0", "name"), ("milk", "milk_0", "alias"),
    ("apple_1", "apple_1", "name"), ("fruit", "apple_0", "hypernym"), ("fruit stand", "fruit_table", "alias"),
    ("night stand", "nightstand_0", "name"), ("cup boards", "cupboard_0", "name"), ("book shelf", "shelf_0", "alias"),
    ("tissuebox", "tissue_box_0", "name"),
])
def test_names_come_before_meanings(known, words, first, how):
    found = ground(words, known, embedder=Taught())
    assert (found[0].id, found[0].how) == (first, how)
    assert [m.score for m in found] == sorted((m.score for m in found), reverse=True)


def test_meanings_above_the_threshold_only(known):
    embedder = Taught({"davenport", "sofa"})
    found = ground("davenport", known, embedder=embedder)
    assert ids(found) == ["sofa_0"] and found[0].how == "similarity" and found[0].score > THRESHOLD
    assert ground("spaceship", known, embedder=embedder) == []


@pytest.mark.parametrize(("words", "name"), [("sofa cover", "sofa"), ("dining", "dining table")])
def test_what_only_shares_words_is_not_near(known, words, name):
    assert ground(words, known, embedder=Taught({words, name})) == []


def test_only_the_kinds_that_fit(known):
    assert ground("davenport", known, (Kind.OBJECT,), embedder=Taught({"davenport", "sofa"})) == []


def test_things_of_another_sort_are_never_near(known):
    # The catalogue knows both: a soda is no cup, however alike their vectors are.
    assert "soda_can_0" not in ids(ground("glass", known, embedder=Taught({"glass", "soda can"})))


def test_weak_evidence_does_not_count(known):
    graph = known.copy()
    graph.change("sofa_0", provenance="detection", pixels=MIN_PIXELS - 1)
    assert ground("sofa", graph, embedder=Taught()) == []
    graph.change("sofa_0", pixels=MIN_PIXELS)
    assert ids(ground("sofa", graph, embedder=Taught())) == ["sofa_0"]


@pytest.mark.parametrize("words", ["tea box", "water bottle", "coffee cup"])
def test_a_thing_not_seen_yet_is_looked_for_however_like_it_another_is_called(known, words):
    unseen = known.copy()
    unseen.entities.pop("water_bottle_0", None)
    [meant] = interpret(f"bring the {words} to the sofa", unseen).propositions
    assert meant.subject.ids == () and meant.subject.description.categories == (words.replace(" ", "_"),)
