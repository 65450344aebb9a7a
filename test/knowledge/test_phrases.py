"""Vectors of phrases: computed once, kept in a file, and none the worse for a file that is broken."""

import numpy as np
import pytest

from dadu.knowledge.embedding import LexicalEmbedder
from dadu.knowledge.phrases import PhraseVectors

PHRASES = ["red mug", "sofa", "coffee table"]


class Counting(LexicalEmbedder):
    """Remembers what it had to compute."""

    def __init__(self):
        self.asked, self.batches = [], 0

    def embed(self, texts):
        self.asked += texts
        self.batches += 1
        return super().embed(texts)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "new" / "phrases.sqlite"


def test_another_process_computes_nothing_again(path):
    first, second = Counting(), Counting()
    there = PhraseVectors(first, path).of(PHRASES)
    np.testing.assert_array_equal(PhraseVectors(second, path).of([*reversed(PHRASES)]), there[::-1])
    assert sorted(first.asked) == sorted(PHRASES) and second.asked == []


def test_what_is_new_of_many_lists_is_one_batch(path):
    embedder = Counting()
    lists = [("red mug", "sofa"), ("coffee table",), ("sofa", "lamp")]
    vectors = PhraseVectors(embedder, path).embed_lists(lists)
    assert embedder.batches == 1 and [len(some) for some in vectors] == [2, 1, 2]
    np.testing.assert_array_equal(vectors[2][0], vectors[0][1])


def test_what_people_say_is_not_kept(path):
    PhraseVectors(Counting(), path).of(["where is my red mug"], keep=False)
    again = Counting()
    PhraseVectors(again, path).of(["where is my red mug"])
    assert again.asked == ["where is my red mug"]


def test_what_is_compared_with_many_things_is_computed_once(path):
    embedder = Counting()
    vectors = PhraseVectors(embedder, path)
    first = vectors.of(["where is my red mug"], keep=False)
    np.testing.assert_array_equal(vectors.of(["where is my red mug"], keep=False), first)
    assert embedder.asked == ["where is my red mug"]


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(200)])
def test_a_broken_file_costs_no_more_than_its_use(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    np.testing.assert_array_equal(PhraseVectors(Counting(), path).of(PHRASES), LexicalEmbedder().embed(PHRASES))


def test_a_folder_that_cannot_be_made_costs_no_more(tmp_path):
    (tmp_path / "file").touch()
    vectors = PhraseVectors(Counting(), tmp_path / "file" / "phrases.sqlite")
    np.testing.assert_array_equal(vectors.of(PHRASES), LexicalEmbedder().embed(PHRASES))


def test_embedders_do_not_share_vectors(path):
    class Other(Counting):
        name = "other"

    PhraseVectors(Counting(), path).of(PHRASES)
    other = Other()
    PhraseVectors(other, path).of(PHRASES)
    assert len(other.asked) == len(PHRASES)


def test_what_is_said_is_computed_once_while_it_is_compared():
    embedder = Counting()
    vectors = PhraseVectors(embedder, None)
    for _ in range(3):
        np.testing.assert_array_equal(vectors.of(["red mug"], keep=False), LexicalEmbedder().embed(["red mug"]))
    assert embedder.batches == 1
