"""Words to frames: the table of frames.yaml, and what holds of every sentence."""

import json
from functools import cache
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dadu.language.frames.schema import to_json
from dadu.language.parsing import trees
from dadu.language.parsing.clauses import without_each
from dadu.language.parsing.names import catalogue_names
from dadu.language.parsing.parse import parse
from dadu.language.parsing.tokens import sentences
from dadu.language.refusal import Refusal

TABLE = yaml.load(Path(__file__).with_name("frames.yaml").read_text(), yaml.CSafeLoader)


def without_text(value):
    """The words as they were said are for messages only, but for a remark's."""
    if isinstance(value, dict):
        return {key: without_text(inner) for key, inner in value.items() if key != "text" or "frame" in value}
    return [without_text(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("sentence", TABLE)
def test_what_sentences_ask_for(sentence):
    try:
        said = without_text(json.loads(to_json(parse(sentence))))["frames"]
    except Refusal as refusal:
        said = {"refused": list(refusal.words)}
    assert said == TABLE[sentence]


THINGS = st.sampled_from(["mug", "coffee table", "glorp", "plate", "lamp"])
DESCRIBED = st.sampled_from(["red", "biggest", "washed", "frumious", "wooden"])
NOUNS = st.builds("{} {} {}".format, st.sampled_from(["the", "a", "all", "two", "another"]), DESCRIBED, THINGS)
PLACES = st.builds("{} {}".format, st.sampled_from(["on", "next to", "from", "into", "behind"]), NOUNS)
ORDERS = st.builds("{} {} {}".format, st.sampled_from(["put", "wash", "bring me", "look for", "please heat", "take"]),
                   NOUNS, PLACES)
CONDITIONS = st.builds("if there is {}, take it {}".format, NOUNS, PLACES)
SENTENCES = st.lists(ORDERS | CONDITIONS, min_size=1, max_size=3).map(", then ".join)


@settings(max_examples=60, deadline=None)
@given(SENTENCES)
def test_no_word_that_carries_meaning_is_lost(sentence):
    """It is in a frame or in notes, or the words are refused: a half-reading is worse than none."""
    try:
        utterance = parse(sentence)
    except Refusal:
        return
    told = json.dumps(without_text(json.loads(to_json(utterance))))
    carrying = {"mug", "coffee table", "glorp", "plate", "lamp", "red", "frumious", "wooden"}
    assert [word for word in carrying if word in sentence and word not in told] == []


@settings(max_examples=40, deadline=None)
@given(st.permutations("put the red mug from a shelf next to two plates if there is none then not it".split()))
def test_words_in_any_order_are_read_or_refused(words):
    """Nothing but a refusal is raised, and the same words are read alike each time."""
    def read():
        try:
            return parse(" ".join(words))
        except Refusal as refusal:
            return refusal.words
    assert read() == read()


@pytest.mark.parametrize("sentence", [
    "put the red mug on the table in the kitchen", "bring a cup and the plate to the sofa",
    "if the mug is dirty wash it"])
def test_no_tree_is_better(sentence):
    """By trying every rule on every stretch of words, whatever can begin there."""
    words = [word for spoken in sentences(sentence, catalogue_names()) for word in spoken.words]

    @cache
    def best(part, start, end):
        if part.isupper():
            return 0 if end - start == 1 and part in words[start].classes else None
        found = [score + rule.priority for rule in trees._rules()[part]
                 if (score := together(rule.parts, start, end)) is not None]
        return max(found, default=None)

    @cache
    def together(parts, start, end):
        if len(parts) == 1:
            return best(parts[0], start, end)
        return max((a + b for middle in range(start + 1, end) if (a := best(parts[0], start, middle)) is not None
                    and (b := together(parts[1:], middle, end)) is not None), default=None)
    choice = trees._Choice(words, trees._Chart(words))
    assert choice.of("sentence", 0, len(words)).score == best("sentence", 0, len(words))


def test_each_clause_is_quoted_without_the_signs_around_it():
    found = list(without_each("bring the mug and juggle it, then close the fridge", catalogue_names()))
    assert found[1] == ("juggle it", "bring the mug. then close the fridge")
    assert found[2] == ("close the fridge", "bring the mug. juggle it")
