"""Memory as a whole: outcomes, description, recall, edits, revisions, decay."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.memory.describe import describe, describe_thing
from dadu.memory.edit import EditRefused
from dadu.memory.memory import Memory
from dadu.memory.recall.recall import Unit
from dadu.memory.settings import ForgettingSettings, MemorySettings
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.world.detection import DetectionFrame
from dadu.world.graph import LIGHTNESS, UNIDENTIFIED, Entity, Kind, Relation

PRIOR = build_graph(load_house("flat"), known="all")
BASE = Pose2(6.4, 3.9, 0.0)


def make(**forgetting):
    return Memory(PRIOR, settings=MemorySettings(forgetting=ForgettingSettings(**forgetting)),
                  embedder=LexicalEmbedder)


def blank(stamp):
    """A picture of nothing, at the ceiling."""
    return DetectionFrame(stamp, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), ())


def did(memory, *call, code=Code.SUCCEEDED, detail="", target="", stamp=1.0):
    memory.learn(SkillCall(call[0], call[1:]), SkillResult(code, "", detail, target), stamp)


def test_pick_carry_place():
    memory = make()
    memory.see(blank(0.5), BASE, tool=(6.4, 3.4, 0.9), aperture=0.06)
    did(memory, "pick", "mug_0")
    assert memory.graph.held().id == "mug_0"
    memory.see(blank(2.0), Pose2(7, 3, 0), tool=(7.0, 2.5, 0.9), aperture=0.06)
    np.testing.assert_allclose(memory.graph["mug_0"].position, (7.0, 2.5, 0.9), atol=0.06)
    assert memory.graph.room_of("mug_0").id in ("living_room", "dining_room")
    did(memory, "place", "on", "dining_table_0", stamp=3.0)
    edge = memory.graph.support("mug_0")
    assert (edge.relation, edge.object, edge.part) == (Relation.ON, "dining_table_0", "top")
    assert memory.graph.held() is None and memory.graph["mug_0"].provenance == "skill"


def test_unconfirmed_outcomes_are_doubted():
    memory = make()
    did(memory, "pick", "mug_0", code=Code.UNCERTAIN)
    assert memory.graph.held().id == "mug_0" and memory.graph["mug_0"].confidence < 1


def test_place_in_uses_an_inside_surface():
    memory = make()
    did(memory, "pick", "mug_0")
    did(memory, "place", "in", "fridge_0")
    assert memory.graph.support("mug_0").part.startswith("shelf_")


def test_open_and_close():
    memory = make()
    did(memory, "open", "fridge_0")
    fridge = memory.graph["fridge_0"]
    assert fridge.parts[0].open and fridge.states["is_open"] and not fridge.closed
    did(memory, "close", "fridge_0", code=Code.UNCERTAIN)
    assert memory.graph["fridge_0"].closed and not memory.graph["fridge_0"].states["is_open"]
    half = replace(memory.graph["fridge_0"], parts=(replace(fridge.parts[0], value=0.8),))
    memory.graph.put(half)
    did(memory, "close", "fridge_0")
    assert memory.graph["fridge_0"].parts[0].value == 0.0
    did(memory, "open", "wardrobe_0", target="wardrobe_0/right_door")
    assert [part.open for part in memory.graph["wardrobe_0"].parts] == [False, True]
    did(memory, "open", "wardrobe_0", code=Code.EXECUTION_FAILED, detail=Detail.DOOR_STUCK)
    did(memory, "pick", "milk_0", code=Code.CONTAINER_CLOSED, target="wardrobe_0")
    assert memory.graph["wardrobe_0"].closed


@pytest.mark.parametrize(("code", "detail", "known"), [
    (Code.EXECUTION_FAILED, Detail.ARM_STALLED, False), (Code.EXECUTION_FAILED, Detail.GRASP_SLIPPED, False),
    (Code.CANCELLED, "", False), (Code.SAFETY_STOP, "", False), (Code.OPERATOR_OVERRIDE, Detail.BODY_IN_USE, True),
    (Code.EXECUTION_FAILED, Detail.NO_GRASP, True), (Code.TOO_FAR, Detail.IK_FAILED, True)])
def test_a_part_that_the_hand_left_in_the_middle_is_neither_open_nor_closed(code, detail, known):
    memory = make()
    did(memory, "open", "wardrobe_0", code=code, detail=detail, target="wardrobe_0/right_door")
    left, right = memory.graph["wardrobe_0"].parts
    assert left.closed and right.closed == known and not right.open
    did(memory, "open", "wardrobe_0", target="wardrobe_0/right_door")
    did(memory, "close", "wardrobe_0", code=code, detail=detail, target="wardrobe_0/right_door")
    assert memory.graph["wardrobe_0"].parts[1].open == known


def test_without_a_name_it_is_the_part_nearest_to_the_hand():
    memory = make()
    memory.follow(BASE, tool=memory.graph["wardrobe_0"].parts[1].handle)
    did(memory, "open", "wardrobe_0", code=Code.CANCELLED)
    left, right = memory.graph["wardrobe_0"].parts
    assert left.closed and not right.closed


def test_failures_teach_too():
    memory = make()
    for _ in range(2):
        did(memory, "pick", "mug_0", code=Code.EXECUTION_FAILED, detail=Detail.NOT_THERE, target="mug_0")
    did(memory, "pick", "mug_0", code=Code.EXECUTION_FAILED, detail=Detail.NOT_SEEN, target="mug_0")  # no picture came
    assert memory.graph["mug_0"].confidence == pytest.approx(0.25)
    did(memory, "pick", "mug_0", code=Code.UNKNOWN_TARGET)
    assert "mug_0" not in memory.graph and "mug_0" in memory.lost
    did(memory, "pick", "mug_0")
    assert memory.graph.held().id == "mug_0" and not memory.lost
    did(memory, "place", "on", "sofa_0")
    did(memory, "pick", "bowl_0")
    did(memory, "place", "on", "sofa_0", code=Code.OBJECT_LOST)
    assert memory.graph.held() is None and memory.graph["bowl_0"].position[2] < 0.2


def test_fingers_that_met_hold_nothing():
    memory = make()
    did(memory, "pick", "mug_0")
    memory.see(blank(2.0), BASE, tool=(6.4, 3.4, 0.9), aperture=0.0005)
    assert memory.graph.held() is None
    did(memory, "place", "on", "dining_table_0", stamp=3.0)
    assert memory.graph.support("mug_0").object == "dining_table_0", "the hand shuts before place reports"


@pytest.mark.parametrize("call", [("pick", "unicorn_0"), ("open", "mug_0"), ("place", "on", "nowhere"), ("go_to", "x"),
                                  ("place",), ("place", "under", "sofa_0"), ("pick",), ("juggle", "mug_0")])
def test_outcomes_about_unknown_things_change_nothing(call):
    memory = make()
    for code in (Code.SUCCEEDED, Code.UNKNOWN_TARGET, Code.OBJECT_LOST, Code.CONTAINER_CLOSED):
        did(memory, *call, code=code)
    assert memory.revision == 1


def test_revision_counts_changes_not_reconfirmations():
    memory = make()
    for stamp in (1.0, 2.0, 3.0):
        memory.see(blank(stamp), BASE)
    assert memory.revision == 1
    memory.see(blank(4.0), Pose2(6.0, 3.9, 0.0))
    assert memory.revision == 2
    did(memory, "pick", "mug_0")
    assert memory.revision == 3


def test_confidence_halves_while_unseen_and_only_in_steps():
    memory = make(half_life=100.0)
    revisions = set()
    for stamp in np.arange(0.0, 101.0, 1.0):
        memory.see(blank(float(stamp)), BASE)
        revisions.add(memory.revision)
    assert memory.graph["mug_0"].confidence == pytest.approx(0.5, abs=0.06)
    assert memory.graph["sofa_0"].confidence == 1.0 and len(revisions) < 15


def test_time_that_jumps_back_is_now():
    memory = make(half_life=100.0)
    did(memory, "pick", "mug_0", stamp=500.0)
    did(memory, "place", "on", "sofa_0", stamp=510.0)
    memory.see(blank(1.0), BASE)
    assert memory.graph["mug_0"].stamp <= 1.0


def test_description_names_all_and_stays_short():
    text = make().describe()
    for entity in PRIOR:
        if entity.kind in (Kind.OBJECT, Kind.FURNITURE):
            assert entity.id in text
    assert text.startswith("robot: in living_room, holds nothing")
    assert "kitchen fridge_0[closed]: in: juice_0(orange), milk_0(white)" in text


def test_what_else_a_thing_may_be_is_said_where_it_may_as_well_be_it():
    graph = make().graph
    graph.change("milk_0", may_be={"juice": 0.4, "vase": 0.1})
    assert "milk_0(white, or juice?)" in describe(graph)


def test_how_light_a_thing_is_is_not_told():
    graph = make().graph
    graph.change("milk_0", attributes={"color": "white", LIGHTNESS: "0.83"})
    assert "0.83" not in describe(graph) and "0.83" not in describe_thing(graph["milk_0"], None, "")


def test_description_within_words_keeps_what_the_instruction_names():
    text = make().describe("put the lemons on the sofa", max_words=12)
    assert len(text.split()) <= 12 and "lemon_0" in text and "sofa_0" in text and text.endswith("...")


def test_description_within_words_then_keeps_what_is_near_in_meaning():
    memory = make()
    plain = memory.describe("lemons", max_words=14)
    near = describe(memory.graph, "lemons", 14, lambda text, limit: [Unit("sofa_0", "sofa", (0, 0, 0), text, 0.5)])
    assert "sofa_0" not in plain and "sofa_0" in near and "lemon_0" in near and len(near.split()) <= 14
    whole = describe(memory.graph, "lemons", 0, lambda text, limit: pytest.fail("nothing is left out"))
    assert whole == memory.describe("lemons")


def test_description_of_five_places_and_fifteen_things_leaves_room_in_543_tokens():
    graph = PRIOR.copy()
    keep = {"fridge_0", "counter_0", "cabinet_0", "fruit_table", "side_table_0"}
    for thing in PRIOR.of(Kind.OBJECT):
        if PRIOR.support(thing.id).object not in keep:
            graph.remove(thing.id)
    for piece in PRIOR.of(Kind.FURNITURE):
        if piece.id not in keep:
            graph.remove(piece.id)
    assert len(graph.of(Kind.OBJECT)) >= 14
    text = Memory(graph, embedder=LexicalEmbedder).describe("bring the milk to the table")
    # Every run of letters, number and mark counted as a token: more than any model's tokenizer makes of it.
    assert len(re.findall(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]", text)) < 250


def test_recall_orders_by_similarity():
    memory = make()
    units = memory.recall("red apple", 3)
    assert units[0].id == "apple_0" and units[0].object == "apple" and "fruit_table" in units[0].description
    assert [u.similarity for u in units] == sorted((u.similarity for u in units), reverse=True) and len(units) == 3
    assert memory.recall("couch", 1)[0].id == "sofa_0"
    assert memory.recall("anything", 0) == []


def test_edits_and_undo():
    memory = make()
    before = memory.graph.copy()
    memory.edit(json.dumps({"move": {"object": "mug_0", "in": "fridge_0"}}))
    assert memory.graph.support("mug_0").object == "fridge_0"
    memory.edit(json.dumps({"put": {"id": "key_0", "kind": "object", "category": "key", "position": [1, 1, 0.1]}}))
    memory.edit(json.dumps({"put": {"id": "mug_1", "attributes": {"owner": "Ada"}}}))
    assert memory.graph["mug_1"].attributes == {"owner": "Ada"} and memory.graph["mug_1"].category == "mug"
    memory.edit(json.dumps({"remove": "fridge_0"}))
    assert memory.graph.support("mug_0") is None
    for _ in range(4):
        memory.edit('{"undo": true}')
    assert memory.graph.entities == before.entities and memory.graph.edges == before.edges
    with pytest.raises(EditRefused, match="nothing to undo"):
        memory.edit('{"undo": true}')


@pytest.mark.parametrize(("text", "reason"), [
    ("{", "not JSON"), ("[]", "move, put, remove, teach, undo"), ('{"fly": 1}', "move, put, remove, teach, undo"),
    ('{"put": {"category": "mug"}}', "at least an id"),
    ('{"put": {"id": "x", "colour": "red"}}', "unknown field colour"),
    ('{"put": {"id": "x", "kind": "ghost", "category": "x"}}', "kind"),
    ('{"put": {"id": "mug_0", "kind": "room"}}', "known as"),
    ('{"put": {"id": "mug_0", "position": ["a", 1, 2]}}', "position"), ('{"remove": "robot"}', "stays"),
    ('{"remove": 7}', "nothing called"), ('{"move": {"object": "mug_0"}}', "move takes"),
    ('{"move": {"object": "mug_0", "in": "sofa_0"}}', "nothing can be in sofa_0"),
    ('{"move": {"object": "sofa_0", "on": "bed_0"}}', "objects move"),
    ('{"move": {"object": "mug_0", "on": ["x"]}}', "nothing called"),
])
def test_refused_edits_change_nothing(text, reason):
    memory = make()
    with pytest.raises(EditRefused, match=reason):
        memory.edit(text)
    assert memory.revision == 1 and memory.graph.entities == PRIOR.entities


def test_states_follow_skills():
    memory = make()
    did(memory, "clean", "mug_0")
    did(memory, "fill", "mug_0")
    did(memory, "power_on", "lamp_9")
    assert memory.graph["mug_0"].states == {"is_clean": True, "is_filled": True}
    did(memory, "pour", "mug_0", "bowl_0")
    assert not memory.graph["mug_0"].states["is_filled"] and memory.graph["bowl_0"].states["is_filled"]
    did(memory, "fill", "mug_0", code=Code.EXECUTION_FAILED)
    assert not memory.graph["mug_0"].states["is_filled"]


def test_what_nobody_knows_is_called_by_its_looks():
    graph = make().graph
    graph.put(Entity("thing_0", Kind.OBJECT, UNIDENTIFIED, size=(0.06, 0.06, 0.24), attributes={"color": "red"},
                     may_be={"mug": 0.3}))
    assert "thing_0(tall red thing, 25 cm, or mug?)" in describe(graph)
    assert describe_thing(graph["thing_0"], None, "") == "tall red thing, 25 cm or mug on floor"
    graph.change("thing_0", category="mug", may_be={})
    assert "thing_0(mug, red)" in describe(graph)
