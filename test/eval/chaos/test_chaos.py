"""Tasks with faults: drawn alike, judged by what must never happen, kept line by line. No graph runs here."""

from dataclasses import replace

import pytest

from dadu.core.errors import ConfigError
from dadu.eval.chaos.draw import NODES, WRITERS, Drawing
from dadu.eval.chaos.links import LINKS
from dadu.eval.chaos.results import FILE, ChaosResult, append, read, table
from dadu.eval.chaos.run import ChaosOptions, run_chaos
from dadu.eval.chaos.task import TASK, ChaosTask, FaultKind
from dadu.eval.chaos.verdict import RECENT, STILL, Evidence, broken
from dadu.goals.goal import Goal
from dadu.goals.interpreter import Context, Refused
from dadu.goals.suite_goal import parse_goal
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.grammar import Grammar
from dadu.sim.sensor_faults import SENSORS
from dadu.world.graph import Kind

HOUSE = load_house("small_flat")
GRAPH = build_graph(HOUSE, "all")
TASKS = [Drawing(7, HOUSE).task(i) for i in range(300)]
WELL = Evidence(ended=True, success=True, code="SUCCEEDED", goal_held=True)
TASK_0 = TASKS[0]


def test_the_same_seed_draws_the_same_whatever_was_drawn_before():
    assert [Drawing(7, HOUSE).task(i) for i in (5, 2)] == [TASKS[5], TASKS[2]]
    assert Drawing(8, HOUSE).task(0) != TASKS[0]


def test_every_fault_is_drawn_and_names_what_there_is():
    faults = [fault for task in TASKS for fault in task.faults]
    assert {fault.kind for fault in faults} == set(FaultKind)
    for fault in faults:
        if fault.kind in (FaultKind.LOSE, FaultKind.DOUBLE):
            assert (fault.subject, fault.target) in [*LINKS, *((sensor, "") for sensor in SENSORS)]
        else:
            assert fault.subject in ("", *NODES, *WRITERS, *SENSORS, *GRAPH.entities)
            assert fault.target in ("", *GRAPH.entities)
    hit = {(fault.kind, fault.subject, fault.target) for fault in faults}
    assert {(FaultKind.SILENCE, sensor, "") for sensor in SENSORS} < hit
    assert {(FaultKind.DISK_FULL, name, "") for name in WRITERS} < hit
    assert {(FaultKind.LOSE, *link) for link in LINKS} < hit and {(FaultKind.DOUBLE, *link) for link in LINKS} < hit
    assert all(fault.shift > 0 for fault in faults if fault.kind is FaultKind.JUMP), "it never goes back"
    assert all(list(task.faults) == sorted(task.faults, key=lambda f: f.at) for task in TASKS)


def test_what_is_asked_is_what_is_judged():
    goals = {task.instruction: task.goal for task in TASKS if task.goal}
    assert len(goals) > 40
    for instruction, goal in goals.items():
        wanted = parse_goal(goal, "test", {"robot", *GRAPH.entities}).propositions
        found = Grammar().read(instruction, Context(GRAPH, default_vocabulary(), complete=True))
        assert isinstance(found, Goal), (instruction, found)
        assert len(found.propositions) == len(wanted), instruction
        for was_read, one in zip(found.propositions, wanted):
            if was_read.subject.ids != ("robot",):
                assert was_read.subject.ids == tuple(one.arguments[0]), instruction
            assert GRAPH[one.arguments[-1][0]].kind is not Kind.OBJECT


def test_hardly_a_task_is_done_before_it_begins():
    support = {thing.name: thing.on for thing in HOUSE.objects}
    brought = [p["is_on_top"] for task in TASKS for p in task.goal.get("propositions", ()) if "is_on_top" in p]
    assert sum(support[things[0]] == places[0] for things, places in brought) < len(brought) / 15
    assert sum(len(task.goal.get("propositions", ())) == 2 for task in TASKS) > 50


def test_an_empty_hand_has_nothing_to_put_down():
    empty = next(task for task in TASKS if not task.goal)
    assert isinstance(Grammar().read(empty.instruction, Context(GRAPH, default_vocabulary())), Refused)


@pytest.mark.parametrize(("evidence", "word"), [
    (replace(WELL, ended=False), "hang"), (replace(WELL, goal_held=False), "false success"),
    (replace(WELL, memory_readable=False), "memory"), (replace(WELL, astray=0.7), "0.7 m from where it is"),
    (replace(WELL, moved_under_stop=2 * STILL), "emergency stop"),
    (replace(WELL, orphans=("4711",)), "4711"), (replace(WELL, tracebacks=("grasp",)), "grasp"),
    (replace(WELL, goal_held=False, disturbed_at=2 * RECENT), "false success")])
def test_a_broken_promise_is_named(evidence, word):
    assert len(broken(TASK_0, evidence)) == 1 and word in broken(TASK_0, evidence)[0]


@pytest.mark.parametrize("evidence", [
    WELL, replace(WELL, goal_held=False, disturbed_at=RECENT / 2), replace(WELL, success=False, goal_held=False),
    replace(WELL, goal_held=None)])
def test_what_nobody_could_know_and_what_was_admitted_breaks_none(evidence):
    assert broken(TASK_0, evidence) == ()


class Stub:
    """A graph in which all goes well, until it is interrupted."""

    def __init__(self, tasks=99):
        self.carried_out: list[ChaosTask] = []
        self.tasks = tasks

    def carry_out(self, task):
        if len(self.carried_out) == self.tasks:
            raise KeyboardInterrupt
        self.carried_out.append(task)
        return replace(WELL, done=tuple(map(str, task.faults)))


def test_a_run_that_was_interrupted_goes_on_where_it_was(tmp_path):
    options = ChaosOptions(tasks=5, seed=7, house="small_flat", out=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run_chaos(options, Stub(tasks=3), lambda line: None)
    with (tmp_path / FILE).open("a") as out:
        out.write('{"seed": 7, "hou')  # the fourth was being written
    rest = Stub()
    results = run_chaos(options, rest, lambda line: None)
    assert [task.index for task in rest.carried_out] == [3, 4] and [r.task for r in results] == TASKS[:5]
    assert read(tmp_path) == results
    with pytest.raises(ConfigError, match="seed 7"):
        run_chaos(replace(options, seed=8), rest, lambda line: None)


def test_the_table_counts_each_task_under_each_of_its_faults(tmp_path):
    bad = replace(WELL, goal_held=False)
    results = [ChaosResult(7, "small_flat", task, e, broken(task, e)) for task, e in zip(TASKS[:4], [WELL] * 3 + [bad])]
    for result in results:
        append(tmp_path, result)
    text = (tmp_path / "table.md").read_text()
    assert text == table(results) and "| all | 4 | 4 | 0 | 0 | 1 |" in text
    kind = TASKS[3].faults[0].kind
    count = sum(task.has(kind) for task in TASKS[:4])
    assert f"| {kind.value} | {count} | {count} | 0 | 0 | 1 |" in text
    assert "false success" in text and TASK.dump_json(TASKS[3])
