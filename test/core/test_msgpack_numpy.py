"""Arrays in msgpack, in both dialects, and what is no such array."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dadu.core.errors import NotUsable
from dadu.core.msgpack_numpy import pack, unpack

pytestmark = pytest.mark.needs("policy")
NUMBERS = st.sampled_from([np.uint8, np.float32, np.float64, np.int64, np.bool_])


@given(arrays.arrays(NUMBERS, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0)),
       st.sampled_from(["openpi", "msgpack_numpy"]))
def test_an_array_comes_back_from_either_dialect(array, dialect):
    found = unpack(pack({"x": array, "prompt": "pick"}, dialect))
    assert found["prompt"] == "pick" and found["x"].dtype == array.dtype and found["x"].shape == array.shape
    assert np.array_equal(found["x"], array, equal_nan=array.dtype.kind == "f")


def test_what_openpi_client_and_msgpack_numpy_write_is_read():
    import msgpack

    row = np.arange(3, dtype=np.float32)
    theirs = {b"__ndarray__": True, b"data": row.tobytes(), b"dtype": "<f4", b"shape": (3,)}
    package = {b"nd": True, b"type": "<f4", b"kind": b"", b"shape": (3,), b"data": row.tobytes()}
    number = {b"__npgeneric__": True, b"data": 2.5, b"dtype": "<f4"}
    found = unpack(msgpack.packb({"a": theirs, "b": package, "c": number}))
    assert np.array_equal(found["a"], row) and np.array_equal(found["b"], row) and found["c"] == 2.5


@pytest.mark.parametrize("wrong", [{b"dtype": "O"}, {b"dtype": "|V8"}, {b"dtype": 3}, {b"shape": (-1,)},
                                   {b"shape": (4,)}, {b"shape": 3}, {b"data": "text"}, {b"dtype": "nonsense"}])
def test_an_array_that_is_none_is_refused(wrong):
    import msgpack

    row = {b"__ndarray__": True, b"data": bytes(12), b"dtype": "<f4", b"shape": (3,)}
    with pytest.raises(NotUsable):
        unpack(msgpack.packb({"a": row | wrong}))


@given(st.binary(max_size=200))
def test_bytes_that_are_no_msgpack_are_refused(data):
    try:
        unpack(data)
    except NotUsable:
        pass
