"""What is read does not depend on the order in which words, classes and rules of the grammar are written down."""

import random
import re
from pathlib import Path

import pytest
import yaml

from dadu.language.frames.schema import to_json
from dadu.language.parsing import classes, trees
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal

HERE = Path(__file__)
SENTENCES = [*yaml.load(HERE.with_name("frames.yaml").read_text(), yaml.CSafeLoader),
             *yaml.load(HERE.with_name("instructions.yaml").read_text(), yaml.CSafeLoader)["small_flat"]][:100]
WORDS = Path(classes.__file__).with_name("words.yaml").read_text()
GRAMMAR = Path(trees.__file__).with_name("english.lark").read_text()


def shuffled(value, chance):
    """Lists and keys in another order, all the way down."""
    if isinstance(value, dict):
        return {key: shuffled(value[key], chance) for key in chance.sample(list(value), len(value))}
    return chance.sample(value, len(value)) if isinstance(value, list) else value


def shuffled_grammar(chance):
    """Rules in another order, and the lines of alternatives of each."""
    plain = "\n".join(line.partition("//")[0].rstrip() for line in GRAMMAR.splitlines())
    declared = re.findall(r"(?m)^%.*$", plain)
    rules = []
    for rule in re.findall(r"(?m)^(\??\w[\w.-]*): (.*(?:\n +\|.*)*)", plain):
        lines = re.split(r"\n +\| ", rule[1])
        rules.append(f"{rule[0]}: " + "\n  | ".join(chance.sample(lines, len(lines))))
    return "\n".join([*chance.sample(rules, len(rules)), *declared])


def read(sentence):
    try:
        return to_json(parse(sentence))
    except Refusal as refusal:
        return refusal.words


def forget():
    classes.word_classes.cache_clear()
    for made in (trees._rules, trees._first, trees._may_begin, trees._beginning):
        made.cache_clear()


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_changes_no_reading(seed, monkeypatch, tmp_path):
    before = {sentence: read(sentence) for sentence in SENTENCES}
    chance = random.Random(seed)
    words = classes.WordClasses(**shuffled(yaml.load(WORDS, yaml.CSafeLoader), chance))
    (tmp_path / "english.lark").write_text(shuffled_grammar(chance))
    with monkeypatch.context() as other:
        other.setattr(classes, "load", lambda *_: words)
        other.setattr(trees, "GRAMMAR", tmp_path / "english.lark")
        forget()
        after = {sentence: read(sentence) for sentence in SENTENCES}
    forget()
    assert len(after) > 90
    assert {sentence: frames for sentence, frames in after.items() if frames != before[sentence]} == {}
