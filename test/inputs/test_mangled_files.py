"""Broken files of every kind end in a sentence: nothing crashes, whatever is in them.

A few of each kind here; `make test-all` takes two thousand. A case is repeated by its number: it is the seed.
"""

import json
import random
import re
import shutil

import numpy as np
import pytest
import yaml

from dadu.core.config import load, read_yaml
from dadu.core.errors import DaduError
from dadu.core.paths import shared
from dadu.core.yaml_text import load_yaml
from dadu.eval.results import read_results
from dadu.house.files import load_house, parse_house
from dadu.house.layout import build_graph
from dadu.house.overlaps import overlaps
from dadu.memory.storage.store import Contents, Store
from dadu.planner.model.prompt import Prompts
from dadu.robots.kinematics import Kinematics
from dadu.robots.loader import load_robot
from dadu.tasks.suite import load_suite
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap

from .mangling import mangled_bytes, mangled_data

FEW, MANY = 40, 2000


def sentence_or_fine(use) -> bool:
    """Whether `use` worked; any error but ours comes through."""
    try:
        use()
    except DaduError as error:
        assert str(error)
        return False
    return True


def broken(source, target, rng):
    """Writes a mangled copy of a YAML file: amiss in what it says, or in its bytes."""
    if rng.random() < 0.7:
        target.write_text(yaml.safe_dump(mangled_data(read_yaml(source), rng)), errors="surrogatepass")
    else:
        target.write_bytes(mangled_bytes(source.read_bytes(), rng))


def house(folder, rng):
    source = rng.choice(sorted(shared("maps").glob("*.house.yaml")))
    broken(source, folder / "hut.house.yaml", rng)
    built = load_house(folder / "hut.house.yaml")
    build_graph(built, "all")
    overlaps(built)


def map_(folder, rng):
    OccupancyMap(np.zeros((40, 30), np.int8), 0.05).save(folder / "map.yaml")
    if rng.random() < 0.5:
        broken(folder / "map.yaml", folder / "map.yaml", rng)
    else:
        (folder / "map.pgm").write_bytes(mangled_bytes((folder / "map.pgm").read_bytes(), rng))
    OccupancyMap.load(folder / "map.yaml")


def suite(folder, rng):
    broken(shared("config") / "suites" / "chores.suite.yaml", folder / "my.suite.yaml", rng)
    load_suite(folder / "my.suite.yaml")


def robot(folder, rng):
    for file in (shared("config") / "robots").glob("stretch.*"):
        shutil.copy(file, folder)
    if rng.random() < 0.6:
        broken(folder / "stretch.yaml", folder / "stretch.yaml", rng)
    else:
        (folder / "stretch.urdf").write_bytes(mangled_bytes((folder / "stretch.urdf").read_bytes(), rng))
    Kinematics(load_robot(folder / "stretch.yaml"))


def prompts(folder, rng):
    broken(shared("config") / "prompts" / "react.yaml", folder / "mine.yaml", rng)
    load(Prompts, folder / "mine.yaml")


def results(folder, rng):
    line = json.dumps({"id": "a", "level": 1, "seed": 0, "instruction": "x", "success": True, "steps": 3,
                       "plan": [["pick", "apple_0"], ["done"]], "outcomes": [0], "sim_seconds": 1.5})
    (folder / "episodes.jsonl").write_bytes(mangled_bytes(f"{line}\n{line}\n".encode(), rng))
    read_results(folder)


def memory(folder, rng):
    path = folder / "memory.db"
    store = Store(path, "hut")
    graph = WorldGraph()
    graph.put(Entity("apple_0", Kind.OBJECT, "apple"))
    store.save(Contents(graph))
    store.close()
    path.write_bytes(mangled_bytes(path.read_bytes(), rng))
    for log in folder.glob("memory.db-*"):
        log.unlink()
    opened = Store(path, "hut")
    opened.load()
    opened.close()
    if opened.notice:
        raise DaduError(opened.notice)  # its sentence: it starts anew, and keeps the broken file aside


KINDS = {"house": house, "map": map_, "suite": suite, "robot": robot, "prompts": prompts, "results": results,
         "memory": memory}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_broken_files(kind, tmp_path):
    assert not all(run(kind, tmp_path, range(FEW)))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_many_broken_files(kind, tmp_path):
    run(kind, tmp_path, range(FEW, MANY))


def run(kind, tmp_path, seeds) -> list[bool]:
    fine = []
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        try:
            fine.append(sentence_or_fine(lambda: KINDS[kind](folder, random.Random(seed))))  # noqa: B023
        except Exception as error:
            raise AssertionError(f"{kind} number {seed}: {error!r}") from error
        shutil.rmtree(folder)
    return fine


@pytest.mark.parametrize("text", [
    "a: 1\na: 2", "a: &x [*x]", "[" * 5000, "[" * 100000, "- " * 100000, "[{a: " * 20000, "a: .inf\nb: [", "? [1]\n: 2",
    "a: &a [1, 1]\n" + "".join(f"{c}: &{c} [{', '.join([f'*{b}'] * 30)}]\n" for b, c in zip("abcdef", "bcdefg")),
], ids=["key twice", "itself", "deep", "deeper", "dashes", "both", "torn", "key of a list", "thirty to the sixth"])
def test_yaml_that_is_refused(text):
    with pytest.raises(DaduError, match="^here: "):
        load_yaml(text, "here")


HUT = {"house": "hut", "rooms": [{"name": "den", "category": "kitchen", "floor": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
       "furniture": [{"name": "table_0", "category": "table", "room": "den", "pose": [2, 2, 0]}],
       "robot": {"pose": [0.5, 0.5, 0]}}


@pytest.mark.parametrize("change, field", [
    ({"robot": {"pose": [2, 2, 0]}}, "robot.pose"),
    ({"robot": {"pose": [0.5, 0.5, float("nan")]}}, "robot.pose.2"),
    ({"rooms": [{"name": "den", "category": "kitchen", "floor": [[0, 0], [8e5, 0], [8e5, 8e5], [0, 8e5]]}]}, "rooms"),
    ({"rooms": [{"name": "den", "category": "kitchen", "floor": [[0, 0], [400, 0], [400, 4], [0, 4]]}]}, "rooms"),
    ({"furniture": [{**HUT["furniture"][0], "size": [float("inf"), 1, 1]}]}, "furniture.0.size.0"),
    ({"furniture": [{**HUT["furniture"][0], "size": [1e9, 1, 1]}]}, "furniture.0.size.0"),
])
def test_houses_that_are_refused(change, field):
    parse_house(HUT, "hut")
    with pytest.raises(DaduError, match=f"^hut: {re.escape(field)}"):
        parse_house({**HUT, **change}, "hut")
