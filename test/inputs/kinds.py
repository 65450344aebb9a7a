"""What a valid file of each kind is, how it is broken, and what reads it."""

import atexit
import functools
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import yaml
from episodes import SCENES, record_table, record_task
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import StoragePlugin, Writer
from stand_in_alfred import write_trial
from stand_in_bddl import as_read

from dadu.core.config import load, read_yaml
from dadu.core.errors import DaduError
from dadu.core.paths import shared
from dadu.eval.results import read_results
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.house.overlaps import overlaps
from dadu.imports.alfred.run import demonstrated, import_tasks, sentences_in
from dadu.imports.alfred.source import trials_in
from dadu.imports.bddl.run import load_problems, tasks_of
from dadu.imports.bddl.source import problems_of
from dadu.imports.instructed.suites import fitted
from dadu.imports.partnr.run import import_instructions
from dadu.imports.partnr.source import FOLDER
from dadu.imports.report import ImportReport
from dadu.memory.storage.store import Contents, Store
from dadu.operator.run.episode import read_episode
from dadu.planner.model.prompt import Prompts
from dadu.replay.bag import Bag
from dadu.replay.run import NODES, replay_nodes
from dadu.robots.kinematics import Kinematics
from dadu.robots.loader import load_robot
from dadu.tasks.suite import load_suite
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap

from .mangling import mangled_bytes, mangled_data
from .weights import weights


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


@functools.cache
def recordings() -> list[Path]:
    """A table that is looked at and a task, in every form in which bags come."""
    folder = Path(tempfile.mkdtemp(prefix="dadu-test-bags-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    record_table(folder / "table", scenes=SCENES[2:5])
    record_task(folder / "task")
    for name in ("table", "task"):
        for plugin in StoragePlugin:
            _again(folder / name, folder / f"{name}_{plugin.name}", plugin)
    return sorted(folder.iterdir())


def _again(source: Path, target: Path, plugin: StoragePlugin, change=lambda raw: raw) -> None:
    """The same messages, not compressed, each as `change` has it."""
    with AnyReader([source]) as reader, Writer(target, version=9, storage_plugin=plugin) as writer:
        connections = {c.id: writer.add_connection(c.topic, c.msgtype, typestore=reader.typestore)
                       for c in reader.connections}
        for connection, stamp, raw in reader.messages():
            writer.write(connections[connection.id], stamp, change(raw))


def bag(folder, rng):
    path = folder / "bag"
    source, how = rng.choice(recordings()), rng.random()
    if how < 0.3:  # only what the messages say
        _again(source, path, StoragePlugin.MCAP, lambda raw: mangled_bytes(raw, rng) if rng.random() < 0.1 else raw)
    else:
        shutil.copytree(source, path)
    if 0.3 < how < 0.6:
        broken(path / "metadata.yaml", path / "metadata.yaml", rng)
    elif how > 0.6:
        (data,) = (file for file in path.iterdir() if file.suffix != ".yaml")
        data.write_bytes(mangled_bytes(data.read_bytes(), rng))
    if rng.random() < 0.2:
        read_episode(folder)
        return
    with Bag(path) as opened:
        replay_nodes(opened, rng.choice(NODES))
    if opened.damage:
        raise DaduError(opened.damage)


def alfred(folder, rng):
    write_trial(folder, 1, ["Put an apple on the table"], things=("Apple@Fridge", "Mug", "Plate@DiningTable"))
    files = [next(folder.rglob("traj_data.json")), *folder.rglob("FloorPlan1-o*.json")]
    broken_json(rng.choice(files), rng)
    trials = list(trials_in(folder))
    import_tasks(sentences_in(trials), folder / "gen/layouts", demonstrated(trial for _, trial in trials))


def partnr(folder, rng):
    prompts = folder / FOLDER
    prompts.mkdir(parents=True)
    state = [{"number": 2, "object_classes": ["spoon"], "allowed_regions": ["kitchen_0"],
              "furniture_names": ["counter_0"]}]
    file = prompts / "3_rearrange_train_template.json"
    file.write_text(json.dumps([{"instruction": "Move the spoons from the kitchen to the table in the living room.",
                                 "initial_state": state, "scene_id": "7"}] * 2))
    broken_json(file, rng)
    import_instructions(folder, folder / "out", ["train"])


def bddl(folder, rng):
    file = folder / "problems.json"
    broken_part = rng.random() < 0.7
    file.write_text(json.dumps(as_read() if broken_part else {
        "shelve": {"problem": as_read(), "names": {}, "either": {}}}))
    broken_json(file, rng)
    if not broken_part:
        load_problems(folder / "my.suite.yaml")
        return
    report = ImportReport("test")
    try:
        problems, refused = problems_of([json.loads(file.read_bytes())])
    except ValueError:
        raise DaduError("their reader answers in JSON") from None
    for task in tasks_of(problems, report):
        fitted(task.task, report)
    if refused or report.left_out:
        raise DaduError(f"{refused}{report.left_out}")


def broken_json(path, rng):
    """In place: amiss in what it says, or in its bytes."""
    if rng.random() < 0.7:
        path.write_text(json.dumps(mangled_data(json.loads(path.read_text()), rng)))
    else:
        path.write_bytes(mangled_bytes(path.read_bytes(), rng))


KINDS = {"house": house, "map": map_, "suite": suite, "robot": robot, "prompts": prompts, "results": results,
         "memory": memory, "bag": bag, "weights": weights, "alfred": alfred, "partnr": partnr,
         "bddl": bddl}  # fmt: skip
