"""The index finds the same as comparing with everything, whatever was added, freed and added again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples

from dadu.memory.recall import index
from dadu.memory.recall.index import VectorIndex


def unit(rng, count, width, clusters=0):
    vectors = rng.standard_normal((count, width))
    if clusters:
        vectors = 0.3 * vectors + rng.standard_normal((clusters, width))[rng.integers(0, clusters, count)]
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@examples(25)
@given(seed=st.integers(0, 10**6), count=st.integers(1, 600), clusters=st.sampled_from([0, 7]),
       wanted=st.integers(0, 20), small=st.booleans(), width=st.sampled_from([16, 96, 224]))
def test_the_same_as_comparing_with_all(seed, count, clusters, wanted, small, width):
    rng = np.random.default_rng(seed)
    vectors, query = unit(rng, count, width, clusters), unit(rng, 1, width)[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "_SMALL", 10**6 if small else 0)
        patch.setattr(index, "_BATCH", 16)
        found = VectorIndex()
        rows = found.add(vectors[:count // 2])
        found.nearest(query, 1)
        rows = np.concatenate([rows, found.add(vectors[count // 2:])])
        gone = rng.random(count) < 0.3
        for row in rows[gone]:
            found.free(int(row))
        assert len(found) == np.count_nonzero(~gone)
        _, cosines = found.nearest(query, wanted)
        expected = np.sort(vectors[~gone] @ query)[::-1][:wanted]
        np.testing.assert_allclose(cosines, expected, atol=1e-5)
        again = found.add(vectors[gone])
        assert set(again) <= set(rows), "freed rows are used again"
        np.testing.assert_allclose(found.nearest(query, wanted)[1], np.sort(vectors @ query)[::-1][:wanted], atol=1e-5)


def test_an_empty_index_finds_nothing():
    assert len(VectorIndex().nearest(np.ones(4, np.float32) / 2, 3)[0]) == 0
