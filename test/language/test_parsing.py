"""Words to frames: the table of frames.yaml, and what holds of every sentence."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark
from lark.lexer import Lexer

from dadu.language.frames.schema import to_json
from dadu.language.parsing import trees
from dadu.language.parsing.names import catalogue_names
from dadu.language.parsing.parse import parse
from dadu.language.parsing.tokens import sentences
from dadu.language.refusal import Refusal

TABLE = yaml.safe_load(Path(__file__).with_name("frames.yaml").read_text())


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


def test_the_parser_finds_what_lark_finds_by_itself():
    """Rules that cannot begin with the next word are left out before lark predicts them: that changes no tree."""
    options = {"parser": "earley", "ambiguity": "forest", "maybe_placeholders": False}
    grammar = Path(trees.__file__).with_name("english.lark").read_text()
    plain = Lark(grammar, start="sentence", lexer=GivenWords, **options)
    for sentence in list(TABLE)[:8]:
        for words in (spoken.words for spoken in sentences(sentence, catalogue_names())):
            tree, = trees._Choice().of(plain.parse(words)).children()
            assert tree == trees.best_tree(words)


class GivenWords(Lexer):
    def __init__(self, lexer_conf):
        pass

    def lex(self, words):
        return iter(words)
