"""Predicates on the default house's layout, and goals over sequences of states."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from dadu.core.errors import ConfigError
from dadu.core.geometry import Pose2, rotation_z
from dadu.goals.monitor import evaluate
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.predicates.truth_view import TruthView
from dadu.goals.predicates.whereabouts import whereabouts
from dadu.goals.suite_goal import parse_goal
from dadu.world.boxes import OrientedBox, gap, horizontal_gap
from dadu.world.graph import Articulation, Entity, Kind, Surface, WorldGraph
from dadu.world.state import ObjectState, TrueWorld, WorldState

TABLE = Entity("table_0", Kind.FURNITURE, "table", (2.0, 2.0, 0.0), 0.3, (0.8, 1.2, 0.75),
               surfaces=(Surface("top", Pose2(2.0, 2.0, 0.3), 0.75, (0.8, 1.2), 2.0),))
FRIDGE = Entity("fridge_0", Kind.FURNITURE, "fridge", (0.4, 0.5, 0.0), 0.0, (0.6, 0.6, 1.5),
                surfaces=(Surface("inside", Pose2(0.4, 0.5, 0.0), 0.6, (0.5, 0.5), 0.4, inside=True, part="door"),
                          Surface("top", Pose2(0.4, 0.5, 0.0), 1.5, (0.6, 0.6), 2.0)),
                parts=(Articulation("door", "hinge", (0.7, 0.2, 0), (0, 0, -1), (0.7, 0.7, 1), (0, 0, 1), (1, 0, 0),
                                    1.6),))
CABINET = Entity("cabinet_0", Kind.FURNITURE, "cabinet", (3.0, 0.5, 0.0), 0.0, (0.5, 0.5, 0.8),
                 surfaces=(Surface("drawer", Pose2(3.0, 0.5, 0.0), 0.5, (0.4, 0.4), 0.2, inside=True, part="drawer"),),
                 parts=(Articulation("drawer", "slide", (3, 0.5, 0.5), (1, 0, 0), (3.3, 0.5, 0.6), (0, 1, 0),
                                      (1, 0, 0), 0.35),))
SINK = Entity("sink_0", Kind.FURNITURE, "sink", (1.2, 3.2, 0.0), 0.0, (0.6, 0.6, 0.9),
              surfaces=(Surface("basin", Pose2(1.2, 3.2, 0.0), 0.74, (0.4, 0.4), 0.3, inside=True),))
KITCHEN = Entity("kitchen", Kind.ROOM, "kitchen", polygon=((0, 0), (4, 0), (4, 3.5), (0, 3.5)))
HALL = Entity("hall", Kind.ROOM, "hall", polygon=((4, 0), (6, 0), (6, 3.5), (4, 3.5)))
LAYOUT = WorldGraph([TABLE, FRIDGE, CABINET, SINK, KITCHEN, HALL])


def body(name, x, y, bottom, size=(0.07, 0.07, 0.2), **kw):
    return ObjectState(name, "thing", OrientedBox.upright(x, y, bottom, 0.0, size), **kw)


IN_HALL = Pose2(5, 1, 0)


def world(*bodies, stamp=0.0, robot=IN_HALL, **parts):
    values = {"fridge_0/door": parts.get("door", 0.0), "cabinet_0/drawer": parts.get("drawer", 0.0)}
    return TrueWorld(LAYOUT, WorldState(stamp, robot, {b.name: b for b in bodies}, values))


def on_table(name="milk_0", **kw):
    return body(name, 2.0, 2.0, 0.751, **kw)


def thrown(name, z, R, size):
    """Over the table, its middle at height `z`."""
    return ObjectState(name, "thing", OrientedBox(np.array([2.0, 2.0, z]), R, np.array(size)))


def in_fridge(name="milk_0"):
    return body(name, 0.4, 0.5, 0.601)


@pytest.mark.parametrize("expected, predicate, subject, target, state", [
    (True, "is_on_top", "milk_0", "table_0", world(on_table())),
    (False, "is_on_top", "milk_0", "table_0", world(on_table(held=True))),
    (False, "is_on_top", "milk_0", "table_0", world(body("milk_0", 2.0, 2.0, 0.80))),
    (False, "is_on_top", "milk_0", "table_0", world(body("milk_0", 2.0, 2.0, 0.0))),
    (False, "is_on_top", "milk_0", "table_0", world(body("milk_0", 2.9, 2.0, 0.75))),
    (False, "is_on_top", "milk_0", "fridge_0", world(in_fridge())),
    (True, "is_on_top", "milk_0", "fridge_0", world(body("milk_0", 0.4, 0.5, 1.5))),
    (True, "is_inside", "milk_0", "fridge_0", world(in_fridge())),
    (False, "is_inside", "milk_0", "fridge_0", world(body("milk_0", 0.4, 0.5, 1.5))),
    (True, "is_on_top", "milk_0", "sink_0", world(body("milk_0", 1.2, 3.2, 0.74))),
    (True, "is_inside", "milk_0", "sink_0", world(body("milk_0", 1.2, 3.2, 0.74))),
    (False, "is_on_top", "milk_0", "sink_0", world(body("milk_0", 1.2, 3.2, 0.8))),
    (True, "is_inside", "milk_0", "cabinet_0", world(body("milk_0", 3.3, 0.5, 0.5, (0.05,) * 3), drawer=0.3)),
    (False, "is_inside", "milk_0", "cabinet_0", world(body("milk_0", 3.3, 0.5, 0.5, (0.05,) * 3))),
    (True, "is_in_room", "milk_0", "kitchen", world(on_table())),
    (False, "is_in_room", "milk_0", "kitchen", world(on_table(held=True))),
    (True, "is_in_room", "robot", "hall", world()),
    (True, "is_on_floor", "milk_0", "", world(body("milk_0", 2, 1, 0.01))),
    (False, "is_on_floor", "milk_0", "", world(on_table())),
    (True, "is_held", "milk_0", "", world(on_table(held=True))),
    (False, "is_held", "missing", "", world()),
    (True, "is_next_to", "milk_0", "mug_0", world(on_table(), body("mug_0", 2.0, 2.4, 0.75))),
    (False, "is_next_to", "milk_0", "mug_0", world(on_table(), body("mug_0", 2.0, 2.4, 0.0))),
    (False, "is_next_to", "milk_0", "mug_0", world(on_table(), body("mug_0", 2.0, 2.7, 0.75))),
    (True, "is_next_to", "robot", "fridge_0", world(robot=Pose2(1.5, 0.5, 0))),
    (False, "is_next_to", "robot", "fridge_0", world()),
    (True, "is_open", "fridge_0", "", world(door=1.2)),
    (False, "is_open", "fridge_0", "", world(door=0.5)),
    (False, "is_closed", "fridge_0", "", world(door=0.5)),
    (True, "is_closed", "fridge_0", "", world()),
    (True, "is_closed", "fridge_0/door", "", world()),
    (False, "is_closed", "table_0", "", world()),
    (True, "is_dirty", "cup_0", "", world(on_table("cup_0", states={"is_clean": False}))),
    (True, "is_dirty", "cup_0", "", world(on_table("cup_0"))),
    (False, "is_clean", "cup_0", "", world(on_table("cup_0"))),
    (True, "is_empty", "cup_0", "", world(on_table("cup_0"))),
    (False, "is_empty", "cup_0", "", world(on_table("cup_0", states={"is_filled": True}))),
    (True, "is_on_top", "milk_0", "table_0", world(body("milk_0", 2.43, 2.0, 0.75))),
    (False, "is_on_top", "milk_0", "table_0", world(body("milk_0", 2.5, 2.0, 0.75))),
])
def test_predicates(expected, predicate, subject, target, state):
    assert PREDICATES[predicate].answer(TruthView(state), subject, target) is expected


def test_a_pile_stands_on_the_table():
    state = world(body("tray_0", 2.0, 2.0, 0.75, (0.3, 0.3, 0.02)), body("cup_0", 2.1, 2.0, 0.77))
    view, on_top = TruthView(state), PREDICATES["is_on_top"]
    assert on_top.answer(view, "cup_0", "tray_0") and on_top.answer(view, "cup_0", "table_0")


@given(turn=st.tuples(*3 * [st.floats(-3.1, 3.1)]), lifted=st.sampled_from([0.0, 0.12]))
def test_a_ball_rests_however_it_has_rolled(turn, lifted):
    R = Rotation.from_euler("zyx", turn).as_matrix()
    there = TruthView(world(thrown("ball_0", 0.75 + 0.11 + lifted, R, (0.22, 0.22, 0.22))))
    assert PREDICATES["is_on_top"].answer(there, "ball_0", "table_0") is (lifted == 0.0)


def test_a_kettle_that_fell_over_lies_where_it_lies():
    """As one lay on a washer dryer at 0.86 m in a physical simulation."""
    up = np.array([-0.33, -0.94, -0.1]) / np.linalg.norm([-0.33, -0.94, -0.1])
    side = np.array([0.94, -0.33, 0.0]) / np.linalg.norm([0.94, -0.33])
    R = np.vstack([side, np.cross(up, side), up])
    there = TruthView(world(thrown("kettle_0", 0.75 + 0.051, R, (0.19, 0.13, 0.22))))
    assert PREDICATES["is_on_top"].answer(there, "kettle_0", "table_0") is True


def test_whereabouts():
    assert whereabouts(TruthView(world(in_fridge())), "milk_0") == "in fridge_0"
    assert whereabouts(TruthView(world(body("milk_0", 5, 1, 0.0))), "milk_0") == "on the floor in hall"


def judge(goal, *states):
    stamped = [replace(w, state=replace(w.state, stamp=float(i))) for i, w in enumerate(states)]
    return evaluate(parse_goal(goal, "test", states[0].names), stamped)


MILK_OUT = {"propositions": [{"is_on_top": [["milk_0"], ["table_0"]]}, {"is_closed": ["fridge_0"]}],
            "dependencies": [{"propositions": [1], "depends_on": [0], "relation": "after_satisfied"}],
            "constraints": [{"temporal": [[0, 1]]}, {"terminal": [0, 1]}]}


def test_closing_counts_only_after_the_milk_is_out():
    start, out = world(in_fridge()), world(on_table(), door=1.5)
    verdict = judge(MILK_OUT, start, out, world(on_table()))
    assert verdict.success and verdict.since == (1.0, 2.0) and verdict.explanation == ""
    assert judge(MILK_OUT, start, world(on_table()), world(on_table())).success, "shut all along counts afterwards"
    left_open = judge(MILK_OUT, start, out)
    assert not left_open.success and left_open.percent_complete == 0.5
    assert "is_closed(fridge_0) never came true" in left_open.explanation
    fallen = judge(MILK_OUT, start, out, world(body("milk_0", 2, 1, 0.0)))
    assert not fallen.success and "milk_0 is on the floor in kitchen" in fallen.explanation


ONE, BOTH = {"is_on_top": ["milk_0", "table_0"]}, {"is_on_top": [["milk_0", "a"], ["table_0"]], "number": 2}


@pytest.mark.parametrize("put, order, says", [
    (ONE, [0, 1], "is_open(fridge_0) came true before is_on_top(milk_0, table_0)."),
    (BOTH, [0, 1], "is_open(fridge_0) came true before is_on_top(2 of milk_0 or a, table_0)."),
    (BOTH, [1, 0], "is_on_top(2 of milk_0 or a, table_0) came true before is_open(fridge_0).")])
def test_the_wrong_order_fails_and_is_said_once(put, order, says):
    a = body("a", 2.0, 1.8, 0.75)
    opened, put_down, both = (world(a, in_fridge(), door=1.5), world(a, on_table()), world(a, on_table(), door=1.5))
    goal = {"propositions": [put, {"is_open": ["fridge_0"]}], "constraints": [{"temporal": [order]}] * 2}
    verdict = judge(goal, world(body("a", 3, 3, 0.0), in_fridge()), opened if order == [0, 1] else put_down, both)
    assert not verdict.success and verdict.explanation == says


@pytest.mark.parametrize("proposition, state, says", [
    ({"is_closed": ["fridge_0"]}, world(door=1.2), "never came true (fridge_0 is open)."),
    ({"is_closed": ["table_0"]}, world(), "(table_0 has nothing to open)."),
    ({"is_clean": ["cup_0"]}, world(on_table("cup_0")), "(cup_0 is dirty)."),
    ({"is_next_to": ["milk_0", "mug_0"]}, world(on_table(), body("mug_0", 2.0, 2.7, 0.75)),
     "(milk_0 is on table_0, 0.63 m from mug_0)."),
    ({"is_in_room": ["robot", "kitchen"]}, world(), "(robot is in hall)."),
    ({"is_on_top": [["milk_0", "mug_0"], ["table_0"]], "number": 2}, world(on_table(), body("mug_0", 2, 1, 0.0)),
     "no more than 1 (mug_0 is on the floor in kitchen)."),
    ({"is_next_to": ["milk_0", "kitchen"]}, world(on_table()), "(milk_0 is on table_0)."),
])
def test_a_failure_says_how_it_stands_instead(proposition, state, says):
    verdict = judge({"propositions": [proposition]}, state)
    assert not verdict.success and verdict.explanation.endswith(says)


def test_what_held_out_of_turn_says_so():
    goal = {"propositions": [{"is_held": ["a"]}, {"is_on_top": ["a", "table_0"]}],
            "dependencies": [{"propositions": [1], "depends_on": [0], "relation": "after_satisfied"}]}
    says = judge(goal, world(body("a", 2.0, 2.0, 0.75))).explanation
    assert "is_on_top(a, table_0) never came true: it holds, but what it depends on was not met when it did." in says


def test_without_a_terminal_constraint_once_is_enough_unless_asked_otherwise():
    goal = {"propositions": [{"is_held": ["milk_0"]}]}
    states = world(on_table(held=True)), world(on_table())
    assert judge(goal, *states).success
    assert not evaluate(parse_goal(goal, "test").held_to_the_end(), states).success


def test_number_and_same_target():
    spoons = [["a", "b", "c"], ["table_0", "fridge_0"]]
    two = world(body("a", 2.0, 2.0, 0.75), body("b", 0.4, 0.5, 1.5), body("c", 3, 3, 0))
    assert judge({"propositions": [{"is_on_top": spoons, "number": 2}]}, two).success
    assert not judge({"propositions": [{"is_on_top": spoons, "number": 2, "same_target": True}]}, two).success
    assert not judge({"propositions": [{"is_on_top": spoons, "number": 3}]}, two).success


@pytest.mark.parametrize("constraint, success", [("same_arg", False), ("different_arg", True)])
def test_links_between_arguments(constraint, success):
    goal = {"propositions": [{"is_on_top": [[name], ["table_0", "fridge_0"]]} for name in ("a", "b")],
            "constraints": [{constraint: {"propositions": [0, 1], "arg": 1}}]}
    assert judge(goal, world(body("a", 2.0, 2.0, 0.75), body("b", 0.4, 0.5, 1.5))).success is success


def test_clustered_needs_every_one():
    near, far = body("b", 2.0, 2.2, 0.75), body("b", 0.4, 0.5, 1.5)
    goal = {"propositions": [{"is_clustered": [["a", "b"]]}]}
    assert judge(goal, world(body("a", 2.0, 2.0, 0.75), near)).success
    assert not judge(goal, world(body("a", 2.0, 2.0, 0.75), far)).success


@pytest.mark.parametrize("relation, success", [
    ("while_satisfied", True), ("after_satisfied", True), ("after_unsatisfied", False), ("before_satisfied", True)])
def test_relations(relation, success):
    goal = {"propositions": [{"is_held": ["a"]}, {"is_on_top": ["a", "table_0"]}],
            "dependencies": [{"propositions": [1], "depends_on": [0], "relation": relation}]}
    stand, carry = world(body("a", 2.0, 2.0, 0.75)), world(body("a", 2.0, 2.0, 0.75, held=True))
    assert judge(goal, stand, carry, stand).success is success
    assert judge(goal, stand, carry, stand, stand).success, "judged by the states before: one later, it counts"


@pytest.mark.parametrize("goal, says", [
    ({"propositions": []}, "propositions"),
    ({"propositions": [{"is_over": ["a", "b"]}]}, "is_on_top"),
    ({"propositions": [{"is_on_top": [["a"]]}]}, "takes 2"),
    ({"propositions": [{"is_held": ["ghost"]}]}, "ghost"),
    ({"propositions": [{"is_held": ["milk_0"]}], "constraints": [{"terminal": [1]}]}, "proposition 1"),
    ({"propositions": [{"is_held": ["milk_0"]}], "constrains": []}, "constrains"),
])
def test_a_bad_goal_says_what_is_wrong(goal, says):
    with pytest.raises(ConfigError, match=says):
        parse_goal(goal, "suite.yaml", world(on_table()).names)


angles, shifts = st.floats(-3.1, 3.1), st.floats(-2, 2)


@given(angles, angles, shifts, shifts)
def test_gap_agrees_with_sampling(a, b, x, y):
    p = OrientedBox(np.zeros(3), rotation_z(a), np.array([0.6, 0.3, 0.1]))
    q = OrientedBox(np.array([x, y, 0]), rotation_z(b), np.array([0.4, 0.2, 0.1]))
    t = np.linspace(-0.5, 0.5, 21)
    grid = np.stack(np.meshgrid(t, t), -1).reshape(-1, 2)
    ps = (grid * p.size[:2]) @ p.R[:2, :2].T
    qs = (grid * q.size[:2]) @ q.R[:2, :2].T + (x, y)
    sampled = np.sqrt(((ps[:, None] - qs) ** 2).sum(2).min())
    exact = horizontal_gap(p, q)
    assert exact <= sampled + 1e-9 and sampled - exact <= 0.03
    assert gap(p.outline, q.outline) == pytest.approx(gap(q.outline, p.outline))
