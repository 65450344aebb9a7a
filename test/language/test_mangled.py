"""Whatever words arrive, they are understood or refused by name; nothing else happens."""

import random

import pytest
from understood import interpret

from dadu.goals.goal import Goal
from dadu.language.refusal import NotUnderstood, Refusal
from dadu.tasks.suite import load_suite

SUITES = ("store", "household", "chores")


@pytest.fixture(scope="module")
def instructions():
    return [episode.instruction for name in SUITES for episode in load_suite(name)[0].episodes]


def mangled(instructions, rng):
    """One instruction, or two run together, with words dropped, doubled from elsewhere or exchanged, or broken off."""
    words = rng.choice(instructions).split()
    if rng.random() < 0.3:
        words += [rng.choice((",", ".", "then", "and", "but", ":"))] + rng.choice(instructions).split()
    for _ in range(rng.randrange(4)):
        i, j = rng.randrange(len(words)), rng.randrange(len(words))
        change = rng.randrange(4)
        if change == 0:
            words = words[:i] + words[i + 1:] or words
        elif change == 1:
            words.insert(i, rng.choice(rng.choice(instructions).split()))
        elif change == 2:
            words[i], words[j] = words[j], words[i]
        else:
            words = words[:i + 1]
    return " ".join(words)


@pytest.mark.parametrize("seed", range(10))
def test_mangled_instructions_are_understood_or_refused(known, instructions, seed):
    rng = random.Random(seed)
    for _ in range(15):
        text = mangled(instructions, rng)
        try:
            assert isinstance(interpret(text, known), Goal), text
        except NotUnderstood as refusal:
            assert str(refusal), text


SCRAPS = ("There is an oven but no microwave in this home.", "Lunch break: on the table.", "Lunch break: on put", ":",
          "and", "if", "the", "put", "bring me", "then then then", "not the mug", "\u00e9\u4e2d\u6587",
          "put the mug on the " + "gronk " * 200 + "table",
          "put the mug and the " + "lemon apple " * 15 + "unicorn on the table")


@pytest.mark.parametrize("text", SCRAPS)
def test_scraps_are_refused(known, text):
    with pytest.raises(Refusal):
        interpret(text, known)
