"""Broken files of every kind end in a sentence: nothing crashes, whatever is in them.

A few of each kind here; `make test-all` takes two thousand. A case is repeated by its number: it is the seed.
"""

import random
import re
import shutil

import pytest

from dadu.core.errors import DaduError
from dadu.core.yaml_text import load_yaml
from dadu.house.files import parse_house

from .kinds import KINDS

FEW, MANY = 15, 2000


def sentence_or_fine(use) -> bool:
    """True if `use` worked; any error but ours comes through."""
    try:
        use()
    except DaduError as error:
        assert str(error)
        return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_broken_files(kind, tmp_path):
    assert not all(run(kind, tmp_path, range(FEW)))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_many_broken_files(kind, tmp_path):
    run(kind, tmp_path, range(FEW, MANY))


@pytest.mark.parametrize(("kind", "number"), [("memory", 907)])
def test_what_was_found_so(kind, number, tmp_path):
    """The damaged schema that SQLite quotes in its error is no text, which Python's sqlite3 cannot tell."""
    run(kind, tmp_path, [number])


def run(kind, tmp_path, seeds) -> list[bool]:
    fine = []
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            fine.append(sentence_or_fine(lambda: KINDS[kind](folder, random.Random(seed))))  # noqa: B023
        except Exception as error:
            raise AssertionError(f"{kind} number {seed}: {error!r}") from error
        shutil.rmtree(folder)
    return fine


@pytest.mark.parametrize("text", [
    "a: 1\na: 2", "a: &x [*x]", "[" * 5000, "[" * 100000, "- " * 100000, "[{a: " * 20000, "a: .inf\nb: [", "? [1]\n: 2",
    "a: &a [1, 1]\n" + "".join(f"{c}: &{c} [{', '.join([f'*{b}'] * 30)}]\n" for b, c in zip("abcdef", "bcdefg")),
], ids=["key twice", "itself", "deep", "deeper", "dashes", "both", "torn", "key of a list", "thirty to the sixth"])
def test_yaml_that_is_refused(text):
    with pytest.raises(DaduError, match="^here: "):
        load_yaml(text, "here")


HUT = {"house": "hut", "rooms": [{"name": "den", "category": "kitchen", "floor": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
       "furniture": [{"name": "table_0", "category": "table", "room": "den", "pose": [2, 2, 0]}],
       "robot": {"pose": [0.5, 0.5, 0]}}


@pytest.mark.parametrize("change, field", [
    ({"robot": {"pose": [2, 2, 0]}}, "robot.pose"),
    ({"robot": {"pose": [0.5, 0.5, float("nan")]}}, "robot.pose.2"),
    ({"rooms": [{"name": "den", "category": "kitchen", "floor": [[0, 0], [8e5, 0], [8e5, 8e5], [0, 8e5]]}]}, "rooms"),
    ({"rooms": [{"name": "den", "category": "kitchen", "floor": [[0, 0], [400, 0], [400, 4], [0, 4]]}]}, "rooms"),
    ({"furniture": [{**HUT["furniture"][0], "size": [float("inf"), 1, 1]}]}, "furniture.0.size.0"),
    ({"furniture": [{**HUT["furniture"][0], "size": [1e9, 1, 1]}]}, "furniture.0.size.0"),
])
def test_houses_that_are_refused(change, field):
    parse_house(HUT, "hut")
    with pytest.raises(DaduError, match=f"^hut: {re.escape(field)}"):
        parse_house({**HUT, **change}, "hut")
