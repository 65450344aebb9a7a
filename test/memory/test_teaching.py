"""Somebody says what a thing is: it stays so whatever views say, the detector is shown what looks like it, and all that
can be taken back."""

import json
import sqlite3

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.memory.edit import EditRefused
from dadu.memory.memory import Memory
from dadu.memory.teaching import MOST, Examples, TaughtThing, category_of
from dadu.world.detection import Detection, DetectionFrame, Exemplar
from dadu.world.graph import Entity, Kind, WorldGraph

PRIOR = WorldGraph([Entity("house", Kind.HOUSE, "house"),
                    Entity("desk_0", Kind.FURNITURE, "desk", (0.0, 0.0, 0.35), size=(1.0, 0.6, 0.7))])
LOOK = np.array([0.6, 0.8], np.float32)


def see(memory, stamp, label="radio", look=LOOK, x=0.0):
    """A picture of a thing on the desk, each from another side."""
    seen = Detection(label, 0.6, (0, 0, 9, 9), 800, np.zeros((1, 3), np.float32), np.array([x, 0.0, 0.75]),
                     np.full(3, 0.1), embedding=look)
    T = np.eye(4)
    T[:2, 3] = 2 * np.cos(stamp), 2 * np.sin(stamp)
    memory.see(DetectionFrame(stamp, T, np.eye(3), 640, 480, np.zeros((60, 80), np.float32), (seen,)),
               Pose2(-1.0, 0.0, 0.0))


def teach(memory, thing, name):
    return memory.edit(json.dumps({"teach": {"thing": thing, "is": name}}))


def known(memory):
    return {e.id: e.category for e in memory.graph.of(Kind.OBJECT)}


def shown(memory):
    return [(example.category, example.look.tolist()) for example in memory.examples]


@pytest.fixture
def memory(tmp_path):
    memory = Memory(PRIOR, tmp_path / "memory.sqlite")
    see(memory, 1.0)
    return memory


def test_what_is_said_holds_whatever_views_say(memory):
    assert teach(memory, "radio_0", "a harmonica") == "called radio_0 harmonica, and what looks like it from now on"
    for stamp in range(2, 9):
        see(memory, float(stamp))
    assert known(memory) == {"radio_0": "harmonica"} and not memory.graph["radio_0"].may_be
    assert shown(memory) == [("harmonica", pytest.approx(LOOK.tolist()))]


def test_it_is_taken_back_step_by_step(memory):
    teach(memory, "radio_0", "harmonica")
    teach(memory, "radio_0", "Snow Globe")
    assert known(memory) == {"radio_0": "snow_globe"} and [name for name, _ in shown(memory)] == ["snow_globe"]
    memory.edit('{"undo": true}')
    see(memory, 2.0)
    assert known(memory) == {"radio_0": "harmonica"} and [name for name, _ in shown(memory)] == ["harmonica"]
    memory.edit('{"undo": true}')
    see(memory, 3.0)
    assert known(memory) == {"radio_0": "radio"} and not shown(memory)


def test_who_puts_it_otherwise_says_so_and_teaches_nothing(memory):
    teach(memory, "radio_0", "harmonica")
    memory.edit('{"put": {"id": "radio_0", "category": "speaker"}}')
    for stamp in range(2, 9):
        see(memory, float(stamp))
    assert known(memory) == {"radio_0": "speaker"} and not shown(memory)
    memory.edit('{"undo": true}')
    see(memory, 10.0)
    assert known(memory) == {"radio_0": "harmonica"} and [name for name, _ in shown(memory)] == ["harmonica"]


def test_it_outlives_the_process_and_the_thing(memory, tmp_path):
    teach(memory, "radio_0", "harmonica")
    memory.close()
    again = Memory(PRIOR, tmp_path / "memory.sqlite")
    see(again, 2.0)
    assert known(again) == {"radio_0": "harmonica"} and shown(again) == [("harmonica", pytest.approx(LOOK.tolist()))]
    again.edit('{"remove": "radio_0"}')
    again.close()
    later = Memory(PRIOR, tmp_path / "memory.sqlite")
    assert not known(later) and [name for name, _ in shown(later)] == ["harmonica"]
    later.close()


def test_another_thing_of_the_same_id_takes_nothing_away(memory):
    teach(memory, "radio_0", "harmonica")
    memory.edit('{"remove": "radio_0"}')
    see(memory, 100.0, look=np.array([1, 0], np.float32), x=0.3)
    teach(memory, "radio_0", "hourglass")
    assert [name for name, _ in shown(memory)] == ["harmonica", "hourglass"]


def test_what_was_never_seen_is_no_example():
    memory = Memory(WorldGraph([*PRIOR, Entity("vase_0", Kind.OBJECT, "vase", (0.0, 0.0, 0.8))]))
    assert teach(memory, "vase_0", "urn") == "called vase_0 urn" and known(memory) == {"vase_0": "urn"}
    assert not shown(memory)


def show(memory, name, *pictures):
    return memory.edit(json.dumps({"teach": {"is": name, "looks": {picture: LOOK.tolist() for picture in pictures}}}))


def test_pictures_are_kept_as_examples_taken_back_and_forgotten(memory, tmp_path):
    assert show(memory, "a harmonica", "a", "b") == "what looks like that is called harmonica from now on"
    show(memory, "mug", "b", "c")
    assert [name for name, _ in shown(memory)] == ["harmonica", "mug", "mug"], "the same picture shows one thing"
    memory.edit('{"undo": true}')
    assert [name for name, _ in shown(memory)] == ["harmonica"] and known(memory) == {"radio_0": "radio"}
    teach(memory, "radio_0", "harmonica")
    memory.close()
    again = Memory(PRIOR, tmp_path / "memory.sqlite")
    assert again.edit('{"forget": "Harmonica"}') == "forgot 2 looks of harmonica"
    assert not shown(again) and known(again) == {"radio_0": "harmonica"}, "what was said of a thing stays"
    with pytest.raises(EditRefused, match="no harmonica was ever shown"):
        again.edit('{"forget": "harmonica"}')
    again.close()


def test_names_are_kinds_that_are_known_where_one_is_called_so():
    assert category_of("The Mug") == "mug" and category_of(" ball of yarn ") == "ball_of_yarn"
    assert category_of("cell phone") == category_of("cellphone"), "an alias of the catalogue's"


@pytest.mark.parametrize(("argument", "why"), [
    ({"thing": "radio_0"}, "teach takes"), ("radio_0", "teach takes"), ({"thing": "x", "is": "mug"}, "nothing called"),
    ({"thing": "desk_0", "is": "mug"}, "desk_0 is furniture"), ({"thing": "radio_0", "is": "sofa"}, "is furniture"),
    ({"thing": "radio_0", "is": "..."}, "no name"), ({"thing": "radio_0", "is": 3}, "at most 60"),
    ({"thing": "radio_0", "is": "x" * 61}, "at most 60"), ({"looks": {}, "is": "mug"}, "1 to 20"),
    ({"looks": [[1.0]], "is": "mug"}, "1 to 20"), ({"looks": {"a": [1.0], "b": [0.5]}, "is": "mug"}, "add up to 1"),
    ({"looks": {"a": [1.0, None]}, "is": "mug"}, "add up to 1"), ({"looks": {"a": "1"}, "is": "mug"}, "add up to 1"),
    ({"looks": {"a": [float("nan")]}, "is": "mug"}, "add up to 1"), ({"looks": {"a": [1]}, "is": "sofa"}, "furniture"),
    ({"thing": ["radio_0"], "is": "mug"}, "nothing called"),
])
def test_refused_lessons_change_nothing(memory, argument, why):
    with pytest.raises(EditRefused, match=why):
        memory.edit(json.dumps({"teach": argument}))
    assert known(memory) == {"radio_0": "radio"} and not shown(memory)


@pytest.mark.parametrize("damage", ["look = x'00'", "look = 'text'", "stamp = 'late'", "category = ''"])
def test_examples_on_disk_that_cannot_be_read_set_the_file_aside(memory, tmp_path, damage):
    teach(memory, "radio_0", "harmonica")
    memory.close()
    db = sqlite3.connect(tmp_path / "memory.sqlite")
    with db:
        db.execute(f"UPDATE example SET {damage}")
    db.close()
    assert "kept as memory.sqlite.unusable-0" in Memory(PRIOR, tmp_path / "memory.sqlite").notice


def test_the_newest_are_kept():
    examples = Examples()
    for number in range(MOST + 5):
        examples.add(TaughtThing(f"thing_{number}", 0.0, Exemplar(str(number), LOOK)), born=0.0)
    assert [int(example.category) for example in examples.shown] == list(range(5, MOST + 5))
