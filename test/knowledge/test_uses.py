"""The common-sense data as such: complete, without contradictions, and understood in other words than its own."""

import pytest

from dadu.knowledge.commonsense import occasions, uses, usual_places
from dadu.knowledge.recognise import purpose, wish
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.world.graph import Kind

VOCABULARY = default_vocabulary()
OBJECTS = sorted(c for c, e in VOCABULARY.entries.items() if e.kind is Kind.OBJECT)


def test_every_category_is_good_for_something():
    def good(category: str) -> bool:
        return any(any(VOCABULARY.is_a(category, w) for w in (*u.things, *u.also))
                   and not any(VOCABULARY.is_a(category, w) for w in u.without) for u in uses().values())
    assert [c for c in OBJECTS if not good(c)] == []


def test_every_category_has_a_usual_place():
    assert [c for c in OBJECTS if not any(VOCABULARY.is_a(c, word) for word in usual_places())] == []


def test_every_use_has_things_that_the_catalogue_knows():
    def known(word: str) -> bool:
        return any(VOCABULARY.is_a(c, word) for c in OBJECTS)
    assert [n for n, u in uses().items() if not any(map(known, (*u.things, *u.also)))] == []
    slots = [(n, slot) for n, u in uses().items() for slot in u.needs]
    assert [s for s in slots if not any(map(known, (s[1],) if isinstance(s[1], str) else s[1]))] == []


def test_every_place_of_a_use_is_a_role():
    assert {u.place for u in uses().values() if u.place} <= occasions().roles.keys()


def test_every_phrase_means_its_use_or_one_with_the_same_words():
    for name, use in uses().items():
        for phrase in (*use.phrases, *use.contains):
            found = purpose(phrase.replace("'s", "").split())
            assert found is not None and not found.rest, (name, phrase)
        for phrase in use.wishes:
            found = wish(phrase.replace("'s", "").split())
            assert found is not None and not found.rest, (name, phrase)


@pytest.mark.parametrize("words, use", [
    ("to dry her hands with", "dry"), ("for washing dishes", "dishes"), ("with lots of potassium", "potassium"),
    ("which is full of vitamins", "vitamin_c"), ("to write a long letter with", "write"), ("that can swim", "swims"),
    ("for cleaning the windows", "windows"), ("to drink coffee from", "drink_from"), ("to read for my wife", "read"),
])
def test_a_purpose_is_understood_in_other_words(words, use):
    found = purpose(words.split())
    assert (found.use, found.rest) == (use, ())


@pytest.mark.parametrize("words, use", [
    ("my son has a terribly runny nose", "nose"), ("i have got an awful headache", "pain"),
    ("it is really dark", "dark"),
    ("our guests are thirsty", "drink"), ("the kids are bored", "child"), ("my grandmother is freezing", "warm"),
    ("i need to take some notes", "write"), ("the plants look so dry", "plants"),
])
def test_a_wish_is_understood_in_other_words(words, use):
    found = wish([w for w in words.split() if w != "look"])
    assert (found.use, found.rest) == (use, ())


@pytest.mark.parametrize("words", ["i am not hungry", "i never drink", "the table is brown", "she lives in paris"])
def test_what_is_no_wish_is_not_taken_for_one(words):
    found = wish(words.split())
    assert found is None or found.rest


@pytest.mark.parametrize(("thing", "affordance"), [
    ("egg", "clean"), ("soap", "clean"), ("knife", "clean"), ("cup", "fill"), ("mug", "fill")])
def test_what_people_wash_and_fill_can_be(thing, affordance):
    assert default_vocabulary().has_affordance(thing, affordance)


def test_words_that_say_little_count_last():
    assert purpose("to clean windows with".split()).use == purpose("to clean windows".split()).use == "windows"
    assert purpose("to clean with".split()).use == "wipe"
