"""Furniture that nobody told of, seen by a detector that wavers: one piece keeps one name, and all of its top."""

from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.memory.association.levels import levels, levels_and_rims, united
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, WorldGraph

SMALL = 0.36, 0.36, 0.45
SEAT, BACK = ((0.0, -0.7, 0.42), (0.62, 0.7, 0.42)), ((0.62, -0.55, 0.8), (0.82, 0.55, 0.8))


def level(low, high):
    """Points (N, 3) [m, map] all over a level rectangle between two corners (3,) [m]."""
    x, y = np.meshgrid(np.arange(low[0], high[0], 0.03), np.arange(low[1], high[1], 0.03))
    return np.column_stack([x.ravel(), y.ravel(), np.full(x.size, low[2])])


def seen(label, score, centre=(0.4, 0.0, 0.4), size=(0.82, 1.4, 0.8), others=()):
    return Detection(label, score, (0, 0, 200, 200), 9000, level(*SEAT).astype(np.float32), np.array(centre),
                     np.array(size), others=others)


def remembered(*pictures, sides=None, told=()):
    """What is known after pictures, each of some detections, each from another side, or from `sides`."""
    memory = Associator(WorldGraph(told))
    for i, detections in zip(sides or range(len(pictures)), pictures, strict=True):
        T = np.eye(4)
        T[:3, 3] = 0.4 + 2.0 * np.cos(i), 2.0 * np.sin(i), 1.3
        frame = DetectionFrame(float(i), T, np.eye(3), 640, 480, np.zeros((60, 80), np.float32), tuple(detections))
        memory.update(frame, ObserverPose(Pose2(-2.0, 0.0, 0.0)))
    return memory.graph


def found(*pictures, sides=None):
    """The furniture of it."""
    return sorted(remembered(*pictures, sides=sides).of(Kind.FURNITURE), key=lambda piece: piece.category)


def pieces(*pictures, sides=None):
    """What that is called."""
    return [piece.category for piece in found(*pictures, sides=sides)]


def test_a_piece_is_what_most_views_call_it_and_no_second_piece_stands_there():
    hamper, stool = [seen("hamper", 0.6, size=SMALL)], [seen("stool", 0.7, size=SMALL)]
    assert pieces(hamper, stool) == ["stool"]
    assert pieces(hamper, stool, hamper) == ["hamper"]


@pytest.mark.parametrize(("wide", "expected"), [(1.4, "loveseat"), (2.1, "couch"), (0.5, "loveseat")])
def test_of_what_it_may_be_it_is_what_has_its_size(wide, expected):
    """A part of a couch may be all that is seen of it, but less of a loveseat is missing."""
    seat = [seen("couch", 0.5, size=(0.82, wide, 0.8), others=(("loveseat", 0.4),))]
    assert pieces(seat, seat) == [expected]


def test_a_second_choice_counts_too():
    assert pieces(*[[seen("armchair", 0.5, others=(("loveseat", 0.45),))], [seen("loveseat", 0.55)]]) == ["loveseat"]


@pytest.mark.parametrize("sure", [0.7, 1.0])
def test_what_one_picture_shows_beside_it_is_another_piece(sure):
    stool = seen("stool", 0.6, centre=(0.3, 0.0, 0.2), size=(0.36, 0.36, 0.4))
    assert pieces([seen("table", sure)], [seen("table", sure), stool], [stool]) == ["stool", "table"]


def test_who_is_sure_sees_two_in_one_place():
    assert pieces([seen("armchair", 1.0)], [seen("loveseat", 1.0)]) == ["armchair", "loveseat"]


def test_a_mask_that_takes_in_what_stands_beside_a_piece_makes_it_no_larger():
    loveseat, with_the_armchair = seen("loveseat", 0.8), seen("loveseat", 0.8, (0.4, 0.6, 0.4), (0.82, 2.6, 0.8))
    (piece,) = found([loveseat], [with_the_armchair], [with_the_armchair])
    assert piece.size[1] == pytest.approx(1.4)
    (piece,) = found([loveseat], [seen("loveseat", 0.8, (0.4, 0.2, 0.4), (0.82, 1.8, 0.8))])
    assert piece.size[1] == pytest.approx(1.8), "somewhat larger than usual it may be"


def test_two_that_grow_into_one_place_become_one():
    half = seen("loveseat", 0.6, centre=(0.4, -0.5, 0.4), size=(0.82, 0.5, 0.8))
    whole, grown = seen("couch", 0.7), seen("loveseat", 0.6)
    assert pieces([half], [whole]) == ["couch", "loveseat"]
    assert pieces([half], [whole], [grown, whole]) == ["couch", "loveseat"]  # one picture shows two
    assert pieces([half], [whole], [whole], [grown]) == ["loveseat"], "one, as large as loveseats are"


def test_a_top_that_is_seen_in_parts_is_one_top():
    left, right = levels(level((0, -0.9, 0.9), (0.6, 0.1, 0.9))), levels(level((0, -0.1, 0.91), (0.6, 0.9, 0.91)))
    (top,) = united(left, right)
    np.testing.assert_allclose((*top.pose[:2], *top.size), (0.3, 0.0, 0.6, 1.8), atol=0.05)
    assert united([top], left) == (top,)


def test_a_seat_is_open_above_and_its_backrest_no_place_to_put_things():
    (seat,) = levels(np.vstack([level(*SEAT), level(*BACK)]))
    assert seat.height == pytest.approx(0.42) and seat.clearance >= 2.0


ARMS = np.vstack([level((0.0, -0.7, 0.6), (0.82, -0.52, 0.6)), level((0.0, 0.52, 0.6), (0.82, 0.7, 0.6)),
                  level((0.65, -0.52, 0.6), (0.82, 0.52, 0.6))])


def test_arms_and_back_of_a_seat_are_no_board_above_it():
    points = np.vstack([level(*SEAT), ARMS])
    (seat,), hollow = levels_and_rims(points)
    assert seat.height == pytest.approx(0.42) and hollow == (pytest.approx(0.6),)
    from_afar = levels(ARMS)  # where the seat was not seen
    assert [s.height for s in from_afar] == [pytest.approx(0.6)]
    assert [s.height for s in united(from_afar, *levels_and_rims(points))] == [pytest.approx(0.42)]


def test_the_edge_round_a_basin_is_a_place_to_put_things():
    front = level((0.0, -0.52, 0.6), (0.03, 0.52, 0.6))
    edge, bottom = levels(np.vstack([level((0.03, -0.52, 0.45), (0.62, 0.52, 0.45)), ARMS, front]))
    assert (edge.height, bottom.height) == (pytest.approx(0.6), pytest.approx(0.45))


def test_a_board_close_above_another_is_one():
    both = np.vstack([level((0, 0, h), (0.4, 1.2, h)) for h in (0.3, 0.5)])
    assert len(levels(both)) == 2 and levels_and_rims(both)[1] == ()


def test_a_board_leaves_the_one_below_the_room_between_them():
    top, board = levels(np.vstack([level((0, 0, h), (0.4, 1.2, h)) for h in (0.3, 0.72)]))
    assert (top.name, board.name) == ("top", "level_1")
    assert top.clearance >= 2.0 and board.clearance == pytest.approx(0.42, abs=0.02)


def test_the_floor_before_a_piece_is_no_board_of_it():
    """What was put on the floor there would count as on the trunk."""
    floor, lowest = level((-0.3, -0.1, 0.0), (1.0, 0.7, 0.0)), level((0.0, 0.0, 0.04), (0.9, 0.6, 0.04))
    assert [s.height for s in levels(np.vstack([level((0.0, 0.0, 0.46), (0.9, 0.6, 0.46)), floor]))] == [0.46]
    assert [s.height for s in levels(np.vstack([level((0.0, 0.0, 0.46), (0.9, 0.6, 0.46)), lowest]))] == [0.46, 0.04]


def test_pillows_are_no_board_of_a_bed():
    bed = united(levels(level((0, 0, 0.5), (2.0, 1.6, 0.5))), levels(level((0, 0, 0.56), (1.7, 1.6, 0.56))))
    assert [(round(s.height, 2), s.clearance >= 2.0) for s in bed] == [(0.5, True)]


def test_a_neighbour_that_is_called_so_too_does_not_make_a_piece_with_doors_larger():
    """As far as a door swings it may be that."""
    nightstand, desk = seen("nightstand", 0.6, (0.2, 0.0, 0.3), (0.4, 0.5, 0.5)), seen(
        "nightstand", 0.5, (0.2, 1.0, 0.4), (0.6, 1.0, 0.7))
    memory = Associator(WorldGraph([]))
    for stamp, detection in enumerate((nightstand, desk)):
        frame = DetectionFrame(float(stamp), np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32),
                               (detection,))
        memory.update(frame, ObserverPose(Pose2(-2.0, 0.0, 0.0)))
    (piece,) = memory.graph.of(Kind.FURNITURE)
    np.testing.assert_allclose(piece.size[:2], (0.4, 0.5), atol=0.01)


@pytest.mark.parametrize(("other", "there"), [("couch", ["sofa"]), ("bed", [])])
def test_two_names_that_mean_the_same_do_not_make_a_piece_doubtful(other, there):
    assert pieces([seen("sofa", 0.14, others=((other, 0.13),))]) == there


DOUBTFUL = [seen("hamper", 0.17, size=SMALL, others=(("trash_can", 0.12),))]


def test_where_another_piece_stands_or_all_were_told_more_has_to_speak_for_it_than_where_none_does():
    """That there is something needs no name, where nothing else explains it."""
    likely = seen("hamper", 0.3, size=SMALL)
    assert pieces([likely]) == ["hamper"] and pieces([replace(likely, truncated=True)]) == ["hamper"]
    assert pieces([replace(likely, score=0.25, truncated=True)]) == [], "its size is not known"
    assert pieces([replace(likely, size=np.array([0.36, 0.1, 0.45]))]) == [], "a picture, or a part of something"
    assert pieces([seen("table", 1.0)], [likely]) == ["table"]
    told = Entity("bed_0", Kind.FURNITURE, "bed", (5.0, 5.0, 0.0), size=(2.0, 1.6, 0.5), provenance="prior")
    assert [piece.id for piece in remembered([likely], told=[told])] == ["bed_0"]


def test_what_no_picture_is_sure_of_is_there_once_it_is_seen_from_two_sides():
    assert pieces(DOUBTFUL) == []
    assert pieces(DOUBTFUL, DOUBTFUL, DOUBTFUL, sides=(0, 0, 0)) == [], "pictures from one place err alike"
    assert pieces(DOUBTFUL, DOUBTFUL) == ["hamper"]


def test_until_then_it_is_a_suspect():
    graph = remembered(DOUBTFUL)
    (suspect,) = graph.of(Kind.SUSPECT)
    assert suspect.may_be == {"hamper": 0.17, "trash_can": 0.12} and suspect.size == pytest.approx((0.36, 0.36, 0.625))
    assert not list(graph), "it is not among what is believed"
    graph = remembered(DOUBTFUL, DOUBTFUL)
    assert not graph.of(Kind.SUSPECT) and [piece.id for piece in graph] == ["hamper_0"]


def test_what_hardly_says_anything_is_none_and_no_piece_is_missed_where_all_were_told():
    assert not remembered([seen("hamper", 0.05, size=SMALL)]).of(Kind.SUSPECT)
    told = Entity("bed_0", Kind.FURNITURE, "bed", (5.0, 5.0, 0.0), size=(2.0, 1.6, 0.5), provenance="prior")
    assert not remembered(DOUBTFUL, told=[told]).of(Kind.SUSPECT)


def test_it_is_called_what_all_of_them_make_likely():
    trash_can = [seen("trash_can", 0.19, size=SMALL)]
    assert pieces(DOUBTFUL, trash_can) == ["trash_can"]
    assert pieces(*([seen(kind, 0.15, size=SMALL)] for kind in ("hamper", "toilet", "stool"))) == []


def test_two_that_no_picture_is_sure_of_are_two():
    elsewhere = [seen("hamper", 0.17, centre=(3.0, 0.0, 0.4), size=SMALL)]
    assert pieces(DOUBTFUL, elsewhere) == []


def test_a_doubtful_picture_makes_a_piece_no_larger_unless_one_from_elsewhere_does_so_too():
    part = seen("counter", 0.7, size=(0.6, 0.6, 0.9))
    whole_counter = seen("counter", 0.2, centre=(0.4, 0.6, 0.45), size=(0.6, 1.8, 0.9))
    (piece,) = found([part], [whole_counter])
    assert piece.size[1] == pytest.approx(0.6)
    (piece,) = found([part], [whole_counter], [whole_counter], sides=(0, 1, 1))
    assert piece.size[1] == pytest.approx(0.6)
    (piece,) = found([part], [whole_counter], [whole_counter])
    assert piece.size[1] == pytest.approx(1.8)
