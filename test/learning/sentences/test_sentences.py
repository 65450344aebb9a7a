"""Sentences and frames that are drawn together: the same every time, always frames, kept apart for testing."""

import json

import pytest

from dadu.core.errors import ConfigError
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.frames.schema import from_json, to_json
from dadu.language.learned.codec import to_utterance
from dadu.language.learned.sentence import words_of
from dadu.language.learned.slots import vocabulary
from dadu.language.learned.writing import Writing
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal
from dadu.learning.sentences import store
from dadu.learning.sentences.example import example
from dadu.learning.sentences.names import is_held_out
from dadu.learning.sentences.run import make_sentences
from dadu.learning.sentences.store import SentenceFolder
from dadu.world.graph import Kind

SOME = range(1000)


def utterance_of(one):
    words = one.text.split()
    writing = Writing(len(words))
    for symbol in one.symbols:
        assert symbol in writing.allowed(), one.text
        writing.push(symbol)
    return to_utterance(writing, words)


def names_in(value):
    if isinstance(value, dict):
        own = [value["name"]] if value.get("name") else []
        return own + [name for item in value.values() for name in names_in(item)]
    return [name for item in value for name in names_in(item)] if isinstance(value, list) else []


def test_every_sentence_comes_with_frames():
    kinds = set()
    for i in SOME:
        one = example(7, i)
        read = utterance_of(one)
        assert from_json(to_json(read)) == read
        kinds |= {frame.frame for frame in read.frames}
    assert kinds >= {"move", "change", "look", "go", "tidy", "swap", "if", "sequence", "wish", "leave", "told"}


def test_words_are_those_that_are_read():
    for i in SOME:
        one = example(7, i)
        assert words_of(one.text) == one.text.split()


def test_a_seed_draws_the_same():
    assert [example(3, i) for i in range(50)] == [example(3, i) for i in range(50)]
    assert [example(3, i) for i in range(50)] != [example(4, i) for i in range(50)]


def test_what_is_kept_out_is_never_trained_on():
    catalogue = {" ".join(name) for e in default_vocabulary().entries.values() for name in (e.name, *e.aliases)
                 if e.kind is not Kind.ROOM}
    forms = {"train": set(), "test": set(), "validation": set()}
    for i in SOME:
        one = example(7, i)
        names = names_in(json.loads(to_json(utterance_of(one)))["frames"])
        if one.split == "names":
            continue
        forms[one.split].add(one.form)
        # what a slip of spelling, or a name that nobody knows, ends in is chance
        assert not any(is_held_out(name) and name in catalogue for name in names), one.text
    assert not forms["train"] & forms["test"] and not forms["train"] & forms["validation"]
    assert forms["test"] and forms["validation"]


def test_the_grammar_reads_many_of_them_the_same():
    """Both follow one set of conventions. Texts differ, and so does what one of them cannot read."""
    short = [one for i in range(120) if len((one := example(11, i)).text.split()) < 11]
    same = read = 0
    for one in short:
        try:
            by_grammar = parse(one.text)
        except Refusal:
            continue
        read += 1
        same += plain(by_grammar) == plain(utterance_of(one))
    assert read > len(short) / 2 > 10 and same > 0.6 * read


def plain(utterance):
    def bare(value):
        if isinstance(value, dict):
            return {k: bare(v) for k, v in value.items() if k != "text"}
        return [bare(v) for v in value] if isinstance(value, list) else value
    return bare(json.loads(to_json(utterance))["frames"])


def test_a_folder_is_made_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "SHARD", 20)
    assert list(make_sentences(tmp_path, 30, 5, 1)) == [(1, 2), (2, 2)]
    first = (tmp_path / "sentences-000000.jsonl").read_bytes()
    (tmp_path / "sentences-000001.jsonl").unlink()
    assert list(make_sentences(tmp_path, 60, 5, 1)) == [(1, 2), (2, 2)]
    assert (tmp_path / "sentences-000000.jsonl").read_bytes() == first
    folder = SentenceFolder(tmp_path)
    assert len(list(folder.examples("train", "validation", "test", "names"))) == 60
    assert "| names | 3 |" in folder.write_card()
    assert folder.sheet().vocabulary == vocabulary()
    with pytest.raises(ConfigError, match="seed 5"):
        folder.begin(6)
