"""What the words mean when memory drops what they meant."""

from dataclasses import replace

from understood import interpret

from dadu.goals.goal import Description, Goal, Proposition, Term, Where
from dadu.goals.progress import Progress
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.world.graph import ROBOT, Edge, Entity, Kind, Relation
from dadu.world.names import PERSON

FROM_THE_TABLE = Description("the apple", Kind.OBJECT, ("apple",), where=(Where(Relation.ON, ("side_table_0",)),))
TO_THE_COUNTER = Proposition("is_on_top", Term("apple", (), FROM_THE_TABLE), Term("counter", ("counter_0",)))


def flat_with(**apples):
    """The flat with these apples on these pieces of furniture, and no other."""
    graph = build_graph(load_house("flat"), known="all")
    known = [e for e in graph.of(Kind.OBJECT) if e.category == "apple"]
    for entity in known:
        graph.remove(entity.id)
    for name, piece in apples.items():
        graph.put(replace(known[0], id=name))
        graph.set_support(name, Edge(name, Relation.ON, piece))
    return graph


def test_another_one_that_is_there_already_is_not_what_was_to_be_brought_from_elsewhere():
    progress = Progress(Goal((TO_THE_COUNTER,)))
    progress.update(flat_with(apple_0="side_table_0"))
    assert progress.proposition(0).subject.ids == ("apple_0",)
    without = flat_with(apple_1="counter_0")  # a view has made apple_0 something else
    progress.update(without)
    assert progress.proposition(0).subject.ids == () and not progress.achieved(without)
    progress.relax("apple", without)  # it was looked for where the words say, in vain
    assert progress.achieved(without) and progress.said_to_be["apple"] == ("side_table_0",)


def test_the_same_one_under_another_id_is():
    progress = Progress(Goal((TO_THE_COUNTER,)))
    progress.update(flat_with(apple_0="side_table_0"))
    progress.update(flat_with(apple_1="bed_0"))
    assert progress.proposition(0).subject.ids == ("apple_1",)


def test_what_is_seen_from_nearby_to_be_something_else_is_no_longer_meant():
    progress, graph = Progress(Goal((TO_THE_COUNTER,))), flat_with(apple_0="side_table_0", apple_1="bed_0")
    graph.change("apple_0", provenance="detection")
    progress.update(graph)
    assert progress.proposition(0).subject.ids == ("apple_0",)
    graph.set_support("apple_0", Edge("apple_0", Relation.ON, "counter_0"))
    graph.change("apple_0", category="orange", confidence=0.6, may_be={"apple": 0.4})
    progress.update(graph)
    assert progress.proposition(0).subject.ids == ("apple_0",)
    graph.change("apple_0", confidence=0.7, may_be={"apple": 0.2})
    progress.update(graph)
    assert progress.proposition(0).subject.ids == () and not progress.achieved(graph)
    progress.relax("apple", graph)
    assert progress.proposition(0).subject.ids == ("apple_1",)


def test_what_is_brought_to_where_it_was_asked_for_is_handed_to_who_is_met_meanwhile():
    graph = build_graph(load_house("flat"), known="all")
    progress = Progress(interpret("give me the lemon", graph))
    graph.set_support("lemon_0", Edge("lemon_0", Relation.HELD_BY, ROBOT))
    alone = progress.copy()
    alone.update(graph)
    assert alone.achieved(graph)  # nobody is known: in the hand, in the room where it was asked for
    graph.put(Entity(PERSON, Kind.AGENT, PERSON, (1.0, 1.0, 0.0)))
    progress.update(graph)
    assert not progress.achieved(graph)
    assert [str(progress.proposition(i)) for i in progress.unmet(graph)] == ["is_held_by(the lemon, person)"]
    graph.set_support("lemon_0", Edge("lemon_0", Relation.HELD_BY, PERSON))
    progress.update(graph)
    assert progress.achieved(graph)
