"""What is to stay where it is: on its furniture, or in its room where it lies on the floor."""

import pytest

from dadu.language.interpret import interpret
from dadu.world.graph import Edge, Relation


@pytest.mark.parametrize(("on_the_floor", "wanted"), [(False, ("is_on_top", "counter_0")),
                                                       (True, ("is_in_room", "kitchen"))])
def test_kept_in_a_room(known, on_the_floor, wanted):
    graph = known.copy()
    if on_the_floor:
        graph.set_support("mug_0", None)
        graph.edges.add(Edge("mug_0", Relation.IN_ROOM, "kitchen"))
    kept, = interpret("keep one mug in the kitchen", graph).propositions
    assert (kept.predicate, *kept.place.ids) == wanted and kept.subject.ids == ("mug_0",)
