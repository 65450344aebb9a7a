"""What was committed survives SIGKILL; files that cannot be used are set aside; writes are few."""

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.memory.memory import Memory
from dadu.memory.storage.store import Contents, Store
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

PRIOR = build_graph(load_house("flat"), known="all")

CHILD = """
import sys
from dadu.memory.memory import Memory
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult

memory = Memory(build_graph(load_house("flat"), known="all"), sys.argv[1])
done = SkillResult(Code.SUCCEEDED, "")
for i in range(100000):
    memory.learn(SkillCall("pick", ("mug_0",)), done, float(i))
    place = ("sofa_0", "bed_0")[i % 2]
    memory.learn(SkillCall("place", ("on", place)), done, float(i))
    print(place, flush=True)
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.sqlite"


def test_killed_while_writing_it_restores_the_last_commit(path):
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True)
    said = [child.stdout.readline().strip() for _ in range(25)]
    os.kill(child.pid, signal.SIGKILL)
    said += child.stdout.read().split()
    child.wait()
    memory = Memory(PRIOR, path)
    assert memory.restored and not memory.notice and memory.graph.entities.keys() == PRIOR.entities.keys()
    edge, last = memory.graph.support("mug_0"), said[-1]
    other = {"sofa_0": "bed_0", "bed_0": "sofa_0"}[last]
    # Killed at any point after the last word: that placing, the pick after it, or the next placing unannounced.
    assert (edge.relation, edge.object) in {(Relation.ON, last), (Relation.HELD_BY, "robot"), (Relation.ON, other)}


def test_everything_comes_back_equal(path):
    memory = Memory(PRIOR, path)
    memory.learn(SkillCall("open", ("fridge_0",)), SkillResult(Code.SUCCEEDED, ""), 3.0)
    for _ in range(3):
        memory.learn(SkillCall("pick", ("mug_0",)), SkillResult(Code.UNKNOWN_TARGET, ""), 4.0)
    entities, edges = dict(memory.graph.entities), set(memory.graph.edges)
    memory.close()
    again = Memory(WorldGraph([Entity("flat", Kind.HOUSE, "house")]), path)
    assert again.graph.entities == entities and again.graph.edges == edges and list(again.lost) == ["mug_0"]
    again.close()


def test_only_what_changed_is_written(path):
    store, graph = Store(path), PRIOR.copy()
    assert store.save(Contents(graph)) == len(graph.entities) + len(graph.edges)
    assert store.save(Contents(graph)) == 0
    graph.change("mug_0", confidence=0.5)
    assert store.save(Contents(graph)) == 1
    graph.set_support("mug_0", Edge("mug_0", Relation.HELD_BY, "robot"))
    assert store.save(Contents(graph)) == 2
    lost = {"mug_0": graph["mug_0"]}
    graph.remove("mug_0")
    assert store.save(Contents(graph, lost, {"mug_0": 1.0})) == 2
    contents = Store(path).load()
    assert contents.lost == lost and contents.births == {"mug_0": 1.0} and "mug_0" not in contents.graph


def damage(path, how):
    if how == "text":
        path.write_text("this is not a database" * 100)
        return
    Memory(PRIOR, path).close()
    if how == "middle":
        data = bytearray(path.read_bytes())
        data[4096:12000] = os.urandom(12000 - 4096)
        path.write_bytes(data)
        return
    db = sqlite3.connect(path)
    with db:
        db.execute({"future": "PRAGMA user_version = 99",
                    "entry": "UPDATE entity SET data = '{\"id\": 3}' WHERE id = 'mug_0'",
                    "relation": "INSERT INTO edge VALUES ('mug_0', 'beneath', 'sofa_0', '')",
                    "house": "UPDATE house SET name = 'castle'"}[how])
    db.close()


@pytest.mark.parametrize("how", ["text", "middle", "future", "entry", "relation", "house"])
def test_files_that_cannot_be_used_are_set_aside(path, how):
    damage(path, how)
    before = path.read_bytes()
    memory = Memory(PRIOR, path)
    assert not memory.restored and "kept as memory.sqlite.unusable-0" in memory.notice
    assert (path.parent / "memory.sqlite.unusable-0").read_bytes()[:4000] == before[:4000] or how == "entry"
    memory.close()
    again = Memory(PRIOR, path)
    assert again.restored and not again.notice
    again.close()


def test_a_second_unusable_file_gets_another_name(path):
    for _ in range(2):
        path.write_text("no database")
        Memory(PRIOR, path).close()
    assert sorted(p.name for p in path.parent.glob("*unusable*")) == [f"memory.sqlite.unusable-{i}" for i in (0, 1)]


def test_reconfirmations_wait_for_the_flush(path):
    memory = Memory(PRIOR, path)
    memory.graph.put(replace(memory.graph["mug_0"], stamp=1.0))
    memory.follow(Pose2(0, 0, 0))
    assert Store(path).load().graph["mug_0"].stamp == 0.0
    memory.close()
    assert Store(path).load().graph["mug_0"].stamp == 1.0


def test_a_file_of_the_first_version_is_brought_up_to_date(path):
    Memory(PRIOR, path).close()
    db = sqlite3.connect(path)
    with db:
        for statement in ("DROP TABLE map", "DROP TABLE vector", "DROP TABLE evidence", "DROP TABLE example",
                          "ALTER TABLE house DROP COLUMN changes",
                          "PRAGMA user_version = 1"):
            db.execute(statement)
    db.close()
    memory = Memory(PRIOR, path)
    assert memory.restored and not memory.notice and memory.graph.entities == PRIOR.entities
    memory.edit('{"remove": "mug_0"}')
    memory.close()
    again = Memory(PRIOR, path)
    assert "mug_0" not in again.graph and "mug_0" in again.edit('{"undo": true}')
    again.close()


def test_vectors_are_computed_once(path):
    class Counting(LexicalEmbedder):
        texts = 0

        def embed(self, texts):
            Counting.texts += len(texts)
            return super().embed(texts)

    first = Memory(PRIOR, path, embedder=Counting)
    expected = first.recall("red apple", 3)
    before = Counting.texts
    first.close()
    again = Memory(PRIOR, path, embedder=Counting)
    assert again.recall("red apple", 3) == expected and Counting.texts == before + 1, "the query alone"
    again.close()


def test_what_views_have_said_survives(path):
    memory = Memory(PRIOR, path)
    mug = PRIOR["mug_0"]
    for stamp, look in ((1.0, (0.6, 0.8)), (2.0, (0.8, 0.6))):
        seen = Detection("mug", 0.6, (0, 0, 9, 9), 80, np.zeros((1, 3), np.float32), np.array(mug.position),
                         np.array(mug.size), embedding=np.array(look, np.float32), others=(("glass", 0.3),))
        memory.see(DetectionFrame(stamp, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), (seen,)),
                   Pose2(0.0, 0.0, 0.0))
    memory.flush()
    memory.close()
    kept, again = memory._associator.labels, Memory(PRIOR, path)
    restored = again._associator.labels
    assert restored.votes["mug_0"].totals() == kept.votes["mug_0"].totals()
    assert restored.votes["mug_0"].views == kept.votes["mug_0"].views
    np.testing.assert_array_equal(restored.look("mug_0"), kept.look("mug_0"))
    again.edit('{"remove": "mug_0"}')
    again.close()
    assert "mug_0" not in Store(path).load().votes
