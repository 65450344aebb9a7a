"""One thing by place and look together: other names, parts and doubles of it make no second one; neighbours stay."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Kind, Relation, WorldGraph

FLOWERS, ALMOST, BOX = (1.0, 0.0, 0.0), (0.96, 0.28, 0.0), (0.0, 0.0, 1.0)
WHOLE, PART = (0.15, 0.15, 0.25), (0.1, 0.1, 0.1)
BODY = ObserverPose(Pose2(-1.0, 0.0, 0.0))


def seen(label, centre, size, look=None, score=0.6):
    return Detection(label, score, (0, 0, 9, 9), round(4e4 * size[0] * size[2]), np.zeros((1, 3), np.float32),
                     np.array(centre), np.array(size),
                     embedding=None if look is None else np.array(look, np.float32))


def things(*pictures):
    """Objects after each picture was shown three times."""
    memory = Associator(WorldGraph())
    for stamp, picture in enumerate(picture for picture in pictures for _ in range(3)):
        memory.update(DetectionFrame(float(stamp), np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32),
                                     tuple(picture)), BODY)
    return [(e.id, e.category) for e in memory.graph.of(Kind.OBJECT)]


def test_a_person_who_is_seen_is_somebody_and_no_thing():
    memory = Associator(WorldGraph())
    for stamp, x in enumerate((1.0, 2.0)):
        person = seen("person", (x + 0.1, 0.5, 0.9), (0.5, 0.6, 1.7), score=0.9)
        person = replace(person, points=np.array([(x, 0.5, z) for z in (0.1, 0.9, 1.2)] + [(x + 0.4, 0.5, 1.0)]))
        memory.update(DetectionFrame(float(stamp), np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32),
                                     (person,)), BODY)
    [entity] = memory.graph
    assert (entity.id, entity.kind, entity.stamp) == ("person", Kind.AGENT, 1.0)
    assert entity.position == pytest.approx((2.0, 0.5, 0.0))


def test_what_is_up_in_the_air_beside_a_person_is_in_their_hand():
    memory = Associator(WorldGraph())

    def look(stamp, *detections):
        memory.update(DetectionFrame(stamp, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), detections),
                      BODY)
        return memory.graph.support(memory.graph.of(Kind.OBJECT)[-1].id)

    for stamp, x in enumerate((1.0, 1.05)):  # they walk, and it goes along
        person = replace(seen("person", (x, 0.5, 0.9), (0.5, 0.6, 1.7)), points=np.array([(x, 0.5, 0.9)]))
        held = look(float(stamp), person, seen("milk", (x + 0.35, 0.4, 1.05), PART))
        assert (held.relation, held.object) == (Relation.HELD_BY, "person")
    person = replace(seen("person", (1.05, 0.5, 0.9), (0.5, 0.6, 1.7)), points=np.array([(1.05, 0.5, 0.9)]))
    assert look(3.0, person, seen("milk", (1.4, 0.4, 0.05), PART)) is None  # at their feet


def flowers(look=FLOWERS):
    return seen("flowers", (0.0, 0.0, 0.9), WHOLE, look)


@pytest.mark.parametrize(("look", "count"), [(ALMOST, 1), (BOX, 2), (None, 1)])
def test_another_name_for_a_part_of_it_is_it_where_it_looks_like_it(look, count):
    upper = seen("plant", (0.02, 0.0, 1.0), PART, look)
    assert len(things([flowers()], [upper])) == count


def test_what_a_detector_cut_in_two_in_one_picture_is_one_thing():
    parts = [flowers(), seen("plant", (0.02, 0.0, 1.0), PART, ALMOST)]
    assert things(parts) == [("flowers_0", "flowers")]
    assert len(things([flowers(), seen("box", (0.02, 0.0, 1.0), PART, BOX)])) == 2, "something stands in it"


def test_twins_beside_each_other_stay_two():
    twin = seen("flowers", (0.0, 0.17, 0.9), WHOLE, FLOWERS)
    assert len(things([flowers(), twin], [flowers()], [twin])) == 2


def test_a_mask_of_the_whole_table_is_none_of_the_things_on_it():
    table = seen("plant", (0.0, 0.3, 0.9), (0.9, 0.9, 0.25), FLOWERS, 0.2)
    assert things([flowers()], [table]) == [("flowers_0", "flowers")]
    memory = Associator(WorldGraph())
    for stamp, detection in enumerate((flowers(), table)):
        memory.update(DetectionFrame(float(stamp), np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32),
                                     (detection,)), BODY)
    assert memory.graph["flowers_0"].position == (0.0, 0.0, 0.9)


def test_doubles_that_turn_out_to_overlap_become_one_and_their_views_count_together():
    beside = seen("plant", (0.0, 0.2, 0.9), WHOLE, ALMOST)
    (found,) = things([flowers()], [beside], [seen("plant", (0.0, 0.1, 0.9), WHOLE, ALMOST)])
    assert found[0] == "flowers_0"
