"""What a thing is called whose name nobody knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.world.graph import UNIDENTIFIED, Entity, Kind
from dadu.world.looks import looks

EXTENT = st.floats(0, 5)


@pytest.mark.parametrize("size, said", [((0.06, 0.06, 0.24), "tall red thing, 25 cm"),
                                        ((0.3, 0.2, 0.01), "flat red thing, 30 cm"),
                                        ((0.2, 0.18, 0.15), "red thing, 20 cm"), ((0.0, 0.0, 0.0), "red thing")])
def test_it_is_called_by_colour_shape_and_size(size, said):
    assert looks("red", size) == said
    assert Entity("thing_0", Kind.OBJECT, UNIDENTIFIED, size=size, attributes={"color": "red"}).called == said


@given(st.tuples(EXTENT, EXTENT, EXTENT))
def test_any_size_has_words(size):
    assert looks("", size).split(",")[0].endswith("thing")
