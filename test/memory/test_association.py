"""One thing stays one, two stay two: things that move, vanish, hide, come back, stand side by side."""

import dataclasses

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, Surface, WorldGraph
from test.support.boxworld import SceneBox, look, render

ROOM = Entity("kitchen", Kind.ROOM, "kitchen", polygon=((-1, -4), (6, -4), (6, 4), (-1, 4)))
TABLES = {"table_0": (2.0, 0.0), "table_1": (2.0, 2.5)}
TOP = 0.72
EYE = (0.2, 0.0, 1.35)


def table_entity(id):
    x, y = TABLES[id]
    return Entity(id, Kind.FURNITURE, "table", (x, y, 0.0), size=(0.8, 1.2, TOP),
                  surfaces=(Surface("top", Pose2(x, y, 0.0), TOP, (0.8, 1.2), 2.0),))


def table_box(id):
    return SceneBox(id, (*TABLES[id], TOP / 2), (0.8, 1.2, TOP))


def mug(name="mug_9", x=1.9, y=0.0, color=(200, 30, 30), z=TOP):
    return SceneBox(name, (x, y, z + 0.05), (0.08, 0.08, 0.1), color)


class World:
    """A true world of boxes and a memory that looks at it. True names differ from memory's on purpose."""

    def __init__(self, known=()):
        self.boxes = [table_box(id) for id in TABLES]
        graph = WorldGraph([ROOM, Entity("robot", Kind.AGENT, "robot"), *(table_entity(id) for id in TABLES), *known])
        self.memory = Associator(graph)
        self.stamp = 0.0
        self.body = ObserverPose(Pose2(0.0, 0.0, 0.0), tool=(0.0, -0.5, 0.8))

    def look(self, *things, at=(2.0, 0.0, TOP), eye=EYE, times=1, noise=0.0, scale=2):
        boxes = [*self.boxes, *things]
        detector = InstanceDetector([b.name for b in boxes], {b.name: b.name.rsplit("_", 1)[0] for b in boxes})
        for i in range(times):
            self.stamp += 0.2
            picture = render(boxes, look(eye, at), stamp=self.stamp, scale=scale)
            if noise:
                error = np.random.default_rng(i).normal(0, noise, picture.depth.shape)
                picture = dataclasses.replace(picture, depth=(picture.depth + error).astype(np.float32))
            self.memory.update(perceive(picture, detector), self.body)
        return self.objects

    @property
    def objects(self):
        return sorted(e.id for e in self.memory.graph.of(Kind.OBJECT))

    def where(self, id):
        return self.memory.graph[id].position

    def support(self, id):
        edge = self.memory.graph.support(id)
        return (edge.relation.value, edge.object, edge.part) if edge else None


def test_a_new_thing_gets_name_place_support_room_and_colour():
    world = World()
    assert world.look(mug()) == ["mug_0"]
    entity = world.memory.graph["mug_0"]
    np.testing.assert_allclose(entity.position, (1.9, 0.0, TOP + 0.05), atol=0.01)
    assert world.support("mug_0") == ("on", "table_0", "top")
    assert world.memory.graph.room_of("mug_0") is None or world.memory.graph.room_of("mug_0").id == "kitchen"
    assert entity.attributes["color"] == "red" and "cup" in entity.aliases and entity.provenance == "detection"


def test_seen_again_from_elsewhere_and_with_noise_it_stays_one():
    world = World()
    for eye in ((0.2, 0, 1.35), (0.6, 1.2, 1.3), (0.5, -1.3, 1.2), (2.0, 2.0, 1.35)):
        world.look(mug(), eye=eye, times=3, noise=0.003)
    assert world.objects == ["mug_0"]
    np.testing.assert_allclose(world.where("mug_0"), (1.9, 0, TOP + 0.05), atol=0.012)
    np.testing.assert_allclose(world.memory.graph["mug_0"].size, (0.08, 0.08, 0.1), atol=0.02)


def test_twins_side_by_side_stay_two_when_either_is_hidden():
    a, b, screen = mug("mug_7", y=0.08), mug("mug_8", y=-0.08), SceneBox("book_0", (1.6, 0.09, 0.87), (0.05, 0.12, 0.3))
    world = World()
    world.look(a, b)
    ids = world.objects
    assert len(ids) == 2
    places = {id: world.where(id) for id in ids}
    world.look(a, b, screen, times=5)
    assert [id for id in world.objects if id.startswith("mug")] == ids
    world.look(a, b, times=2)
    for id in ids:
        np.testing.assert_allclose(world.where(id), places[id], atol=0.01)


def test_a_prior_thing_is_recognised_not_doubled():
    known = Entity("blue_mug", Kind.OBJECT, "mug", (1.8, 0.1, TOP + 0.05), 0.6, (0.08, 0.08, 0.1))
    world = World([known])
    assert world.look(mug(), times=2) == ["blue_mug"]
    np.testing.assert_allclose(world.where("blue_mug"), (1.9, 0, TOP + 0.05), atol=0.01)


def test_what_is_taken_away_is_lost_after_some_views_and_comes_back_as_itself():
    world = World()
    world.look(mug())
    world.look(times=2)
    assert world.objects == ["mug_0"]
    world.look(times=2)
    assert world.objects == [] and "mug_0" in world.memory.lost
    world.look(mug(y=2.4), at=(2.0, 2.5, TOP), eye=(0.2, 2.5, 1.35))
    assert world.objects == ["mug_0"] and world.support("mug_0") == ("on", "table_1", "top")
    assert not world.memory.lost


@pytest.mark.parametrize(("told", "there", "left"), [
    (True, False, ["table_0", "table_1"]), (True, True, ["dresser_0", "table_0", "table_1"]),
    (False, False, ["dresser_0", "table_0", "table_1"])])
def test_a_piece_that_nobody_told_of_is_given_up_where_its_place_is_empty(told, there, left):
    """While its pose was 1.4 m off a robot had seen 16 pieces of furniture a second time, and searched them for hours.
    """
    world = World()
    world.memory.graph.put(Entity("dresser_0", Kind.FURNITURE, "dresser", (1.9, -2.0, 0.0), size=(0.5, 0.9, 0.9),
                                  provenance="detection"))
    if not told:
        for id in TABLES:
            world.memory.graph.change(id, provenance="detection")
    dresser = SceneBox("dresser_7", (1.9, -2.0, 0.45), (0.5, 0.9, 0.9))
    world.look(*[dresser] * there, at=(1.9, -2.0, 0.5), eye=(0.2, -1.0, 1.35), times=6)
    assert sorted(e.id for e in world.memory.graph.of(Kind.FURNITURE)) == left


def test_moved_within_view_it_keeps_its_name():
    world = World()
    world.look(mug(y=-0.4), scale=1)
    assert world.look(mug(y=0.4), scale=1) == ["mug_0"]
    np.testing.assert_allclose(world.where("mug_0")[1], 0.4, atol=0.01)


def test_moved_unseen_and_met_elsewhere_first_it_ends_as_one():
    world = World()
    world.look(mug())
    world.look(mug(y=2.4), at=(2.0, 2.5, TOP), eye=(0.2, 2.5, 1.35))
    assert len(world.objects) == 2
    world.look(times=4)
    assert world.objects == ["mug_1"] and "mug_0" in world.memory.graph["mug_1"].aliases and not world.memory.lost


def test_another_colour_is_another_thing():
    world = World()
    world.look(mug())
    world.look(times=4)
    world.look(mug(y=0.3, color=(30, 60, 200)))
    assert world.objects == ["mug_1"] and "mug_0" in world.memory.lost


def test_hidden_and_out_of_view_things_stay():
    world = World()
    world.look(mug())
    wall = SceneBox("screen_0", (1.0, 0.0, 0.9), (0.05, 2.0, 1.8))
    world.look(wall, times=6)
    world.look(at=(2.0, 2.5, TOP), eye=(0.2, 2.5, 1.35), times=6)
    assert "mug_0" in world.objects


def test_something_else_in_its_place_does_not_prove_it_gone_but_looking_beyond_does():
    world = World()
    world.look(mug())
    world.look(SceneBox("bowl_0", (1.9, 0, TOP + 0.05), (0.16, 0.16, 0.1)), times=5)
    assert "mug_0" in world.objects
    world.look(times=3)
    assert "mug_0" not in world.objects


def test_a_truncated_view_does_not_move_or_shrink_what_is_known():
    world = World()
    world.look(mug())
    before = world.memory.graph["mug_0"]
    world.look(mug(), at=(2.0, -0.845, TOP), eye=EYE, times=5)
    after = world.memory.graph["mug_0"]
    assert after.stamp > before.stamp and world.objects == ["mug_0"]
    np.testing.assert_allclose(after.position, before.position, atol=0.01)
    np.testing.assert_allclose(after.size, before.size, atol=0.01)


def test_held_things_are_not_made_anew():
    world = World()
    world.look(mug())
    graph = world.memory.graph
    graph.set_support("mug_0", Edge("mug_0", Relation.HELD_BY, "robot"))
    world.body = ObserverPose(Pose2(0, 0, 0), tool=(0.8, 0.1, 0.95))
    assert world.look(mug(x=0.8, y=0.1, z=0.9), times=4) == ["mug_0"]
    assert graph.held().id == "mug_0"


def test_a_load_seen_under_another_name_is_no_second_thing():
    world = World()
    world.look(mug())
    world.memory.graph.set_support("mug_0", Edge("mug_0", Relation.HELD_BY, "robot"))
    world.body = ObserverPose(Pose2(0, 0, 0), tool=(0.8, 0.1, 0.95))
    loaded, elsewhere = mug(x=0.8, y=0.1, z=0.9), mug("mug_7", y=0.3)
    boxes = [*world.boxes, loaded, elsewhere]
    detector = InstanceDetector([b.name for b in boxes], {b.name: b.name.rsplit("_", 1)[0] for b in boxes})
    frame = perceive(render(boxes, look(EYE, (1.4, 0.2, 0.8)), stamp=1.0, scale=2), detector)
    world.memory.update(wavering(frame, np.random.default_rng(0), ["glass"]), world.body)
    assert [(e.id, e.category) for e in world.memory.graph.of(Kind.OBJECT)] == [("mug_0", "mug"), ("glass_0", "glass")]
    assert world.support("glass_0") == ("on", "table_0", "top")


def test_what_the_hand_is_at_is_not_given_up():
    world = World()
    world.look(mug())
    world.body = ObserverPose(Pose2(0, 0, 0), tool=(1.9, 0.1, TOP + 0.25))
    assert world.look(times=6) == ["mug_0"]
    world.body = ObserverPose(Pose2(0, 0, 0), tool=(0.0, -0.5, 0.8))
    assert world.look(times=6) == ["mug_0"], "drawn in, and its place in full view"
    world.stamp += 20.0
    assert world.look(times=3) == []


def test_lifted_out_of_its_place_and_seen_in_the_hand_it_is_no_second_one():
    world = World()
    world.look(mug(), scale=1)
    world.body = ObserverPose(Pose2(0, 0, 0), tool=(1.9, 0.0, TOP + 0.1))
    world.look(scale=1)
    world.body = ObserverPose(Pose2(0, 0, 0), tool=(1.5, 0.0, 1.1))
    assert world.look(mug(x=1.5, z=1.05), scale=1) == ["mug_0"]


def test_twin_of_a_held_thing_is_a_thing_of_its_own():
    world = World()
    world.look(mug())
    world.memory.graph.set_support("mug_0", Edge("mug_0", Relation.HELD_BY, "robot"))
    world.look(mug(y=0.3))
    assert world.objects == ["mug_0", "mug_1"]


@pytest.mark.parametrize(("z", "expected"), [(0.0, None), (TOP, ("on", "table_0", "top")), (1.3, None)])
def test_support_follows_height(z, expected):
    world = World()
    world.look(mug(x=1.7, z=z), at=(1.7, 0, z), eye=(0.2, -1.2, 1.6))
    if z == 0.0:
        assert world.objects == []  # under the table: hidden
        world.look(mug(x=1.2, z=z), at=(1.2, 0, z))
    assert world.support("mug_0") == expected
    assert world.memory.graph.room_of("mug_0").id == "kitchen"


def test_inside_surfaces_give_in_and_a_drawer_takes_its_surface_along():
    drawer = Articulation("drawer", "slide", (3.6, 0, 0.6), (-1, 0, 0), (3.55, 0, 0.6), (0, 1, 0), (-1, 0, 0), 0.4, 0.4)
    chest = Entity("cabinet_0", Kind.FURNITURE, "cabinet", (3.8, 0, 0), np.pi, (0.4, 0.6, 0.7), parts=(drawer,),
                   surfaces=(Surface("drawer", Pose2(3.8, 0, np.pi), 0.55, (0.36, 0.5), 0.15, True, "drawer"),))
    world = World([chest])
    world.boxes = []
    sponge = SceneBox("sponge_3", (3.4, 0, 0.575), (0.08, 0.06, 0.05), (230, 200, 50))
    world.look(sponge, at=(3.4, 0, 0.6), eye=(2.2, 0, 1.4))
    assert world.support("sponge_0") == ("in", "cabinet_0", "drawer")


def test_nonsense_is_left_out():
    world = World()
    nan, zero = np.full(3, np.nan), np.zeros(3)
    junk = [Detection("", 1.0, (0, 0, 1, 1), 50, np.zeros((1, 3)), zero, zero),
            Detection("mug", 1.0, (0, 0, 1, 1), 50, np.zeros((1, 3)), nan, zero),
            Detection("sofa", 1.0, (0, 0, 1, 1), 500, np.zeros((1, 3)), zero, nan)]
    empty = DetectionFrame(1.0, np.eye(4), np.eye(3), 0, 0, np.zeros((0, 1), np.float32), tuple(junk))
    before = dict(world.memory.graph.entities)
    world.memory.update(empty, world.body)
    assert world.memory.graph.entities == before


def test_unknown_furniture_is_made_from_what_is_seen_once():
    world = World()
    sofa = SceneBox("sofa_5", (3.0, -2.5, 0.21), (0.8, 1.8, 0.42))
    for y in (-1.8, -2.5, -3.0):
        world.look(sofa, mug(x=2.9, y=-2.5, z=0.42), at=(3.0, y, 0.4), eye=(1.0, -2.2, 1.35), times=2)
    sofas = [e for e in world.memory.graph.of(Kind.FURNITURE) if e.category == "sofa"]
    assert len(sofas) == 1 and world.support("mug_0") == ("on", sofas[0].id, "top")
    np.testing.assert_allclose(sofas[0].size, (0.8, 1.8, 0.42), atol=0.06)
    np.testing.assert_allclose(sofas[0].surfaces[0].height, 0.42, atol=0.02)


@pytest.mark.parametrize("score, believed", [(0.3, False), (0.7, True)])
def test_furniture_that_a_detector_doubts_is_not_made(score, believed):
    world, sofa = World(), SceneBox("sofa_5", (3.0, -2.5, 0.21), (0.8, 1.8, 0.42))
    frame = perceive(render([sofa], look((1.0, -2.2, 1.35), (3.0, -2.5, 0.4)), stamp=0.0, scale=2),
                     InstanceDetector(["sofa_5"], {"sofa_5": "sofa"}))
    doubtful = tuple(dataclasses.replace(d, score=score) for d in frame.detections)
    assert doubtful
    world.memory.update(dataclasses.replace(frame, detections=doubtful), world.body)
    assert believed == any(e.category == "sofa" for e in world.memory.graph.of(Kind.FURNITURE))


@pytest.mark.parametrize("score, believed", [(0.9, False), (1.0, True)])
def test_told_furniture_under_another_name_is_no_second_piece_unless_the_detector_is_sure(score, believed):
    world = World()
    frame = perceive(render([table_box("table_0")], look(EYE, (2.0, 0.0, TOP)), stamp=0.0, scale=2),
                     InstanceDetector(["table_0"], {"table_0": "desk"}))
    desk = tuple(dataclasses.replace(d, score=score) for d in frame.detections)
    assert desk
    world.memory.update(dataclasses.replace(frame, detections=desk), world.body)
    assert believed == any(e.category == "desk" for e in world.memory.graph.of(Kind.FURNITURE))


def wavering(frame, rng, labels, score=0.6):
    """The frame with labels changed at random, as a learned detector gives them."""
    return dataclasses.replace(frame, detections=tuple(
        dataclasses.replace(d, score=score, label=str(rng.choice(labels)) if d.label == "mug" else d.label)
        for d in frame.detections))


def test_a_thing_that_is_named_now_this_now_that_is_one_thing():
    world, rng = World(), np.random.default_rng(1)
    boxes = [*world.boxes, mug(), mug("mug_8", y=0.3)]
    detector = InstanceDetector([b.name for b in boxes], {b.name: b.name.rsplit("_", 1)[0] for b in boxes})
    for i in range(30):
        picture = render(boxes, look(EYE, (2.0, 0.0, TOP)), stamp=0.2 * i, scale=2)
        frame = wavering(perceive(picture, detector), rng, ["mug", "mug", "glass"])
        world.memory.update(frame, world.body)
    things = world.memory.graph.of(Kind.OBJECT)
    assert len(things) == 2 and {e.category for e in things} == {"mug"}


def test_two_chairs_side_by_side_are_two_and_a_sofa_seen_in_parts_is_one():
    world = World()
    chairs = [SceneBox("chair_5", (3.0, y, 0.25), (0.4, 0.4, 0.5)) for y in (-0.25, 0.25)]
    chairs[1] = dataclasses.replace(chairs[1], name="chair_6")
    world.boxes = []
    world.look(*chairs, at=(3.0, 0, 0.3), times=4, noise=0.003)
    assert len([e for e in world.memory.graph.of(Kind.FURNITURE) if e.category == "chair"]) == 2

    sofa = SceneBox("sofa_5", (3.0, -2.5, 0.21), (0.8, 3.6, 0.42))
    for y, eye in ((-4.2, (1.6, -4.2, 1.2)), (-0.8, (1.6, -0.8, 1.2)), (-2.5, (-1.0, -2.5, 1.4))):
        world.look(sofa, at=(3.0, y, 0.4), eye=eye, times=2)
    sofas = [e for e in world.memory.graph.of(Kind.FURNITURE) if e.category == "sofa"]
    assert len(sofas) == 1
    np.testing.assert_allclose(sofas[0].size[:2], (0.8, 3.6), atol=0.15)


def test_an_open_door_alone_makes_no_second_fridge_where_nothing_was_known():
    world = World()
    world.boxes = []
    body = SceneBox("fridge_5", (3.0, 0.0, 0.8), (0.6, 0.6, 1.6))
    door = SceneBox("fridge_6", (2.4, 0.32, 0.8), (0.55, 0.05, 1.5))
    world.look(body, at=(3.0, 0, 0.8), times=2)
    world.look(door, at=(2.4, 0.3, 0.8), eye=(0.8, 1.2, 1.3), times=3)
    assert len([e for e in world.memory.graph.of(Kind.FURNITURE) if e.category == "fridge"]) == 1


def test_what_the_house_calls_furniture_is_furniture():
    known = Entity("basket_0", Kind.FURNITURE, "mug", (1.9, 0.0, 0.0), size=(0.3, 0.3, TOP + 0.1))
    assert World([known]).look(mug()) == []
