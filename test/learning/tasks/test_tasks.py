"""Tasks at scale: sensible, feasible, said rightly, the same every time."""

import random
import shutil
from collections import Counter

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from dadu.cli.data.tasks import tasks
from dadu.core.errors import ConfigError
from dadu.core.work import Workers
from dadu.goals.suite_goal import parse_goal
from dadu.homes.preferences import room_wishes
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.house.states import affordances_of
from dadu.learning.plans.home import make_home
from dadu.learning.tasks import run
from dadu.learning.tasks.chosen import choose
from dadu.learning.tasks.sense import is_treated, objection, suits
from dadu.learning.tasks.settings import TaskSettings
from dadu.learning.tasks.signature import kinds_of, signature
from dadu.learning.tasks.store import HomeTasks, TaskFolder, packed, unpacked
from dadu.learning.tasks.verify import TYPES, TaskMaker
from dadu.learning.tasks.written import write_chosen
from dadu.tasks.expert import demonstrate
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite

SETTINGS = TaskSettings(each=8, rooms=(3, 3), room_share=1.0)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder of two homes' tasks."""
    folder = TaskFolder(tmp_path_factory.mktemp("tasks"))
    folder.begin(SETTINGS)
    list(run.make_homes(folder, folder.orders(2), Workers()))
    return folder


def homes(folder):
    return [(order, folder.made(order)) for order in folder.orders(2)]


def test_tasks_are_feasible_and_no_part_of_them_is_so_already(made):
    chosen = choose(homes(made), 4, SETTINGS)
    assert Counter(task.type for _, task in chosen.tasks) == dict.fromkeys(TYPES, 1)
    found = write_chosen(made, chosen)
    assert found["tasks"] == 4 and found["proposed"] == 4 + sum(found["rejected"].values())
    suite = load_suite(made.path / "tasks-000.suite.yaml")
    for prepared, (_, task) in zip(prepare_all(*suite), chosen.tasks, strict=True):
        assert prepared.episode.goal == task.goal and prepared.episode.level == task.type
        done = demonstrate(prepared)
        assert done.verdict.success and done.calls and done.keypath == task.keypath


def test_the_grammar_reads_what_is_meant_and_its_verdict_is_kept(made):
    (order, home), _ = homes(made)
    maker = TaskMaker(make_home(run.PlanHomeOrder(order.home, "train"), run.PlanSettings(rooms=(3, 3))), "stretch")
    for task in home.tasks:
        assert (task.reading, task.read) == maker.read_back(task.instruction, task.signature)
        assert task.signature == signature(task.goal) and not objection(task.goal, maker.home)
    other = next(t for t in home.tasks if t.signature != home.tasks[0].signature)
    assert maker.read_back(home.tasks[0].instruction, other.signature)[0] != "same"
    assert maker.read_back("Dance on the ceiling.", other.signature)[0] == "refused"


def test_the_same_files_whatever_comes_first_and_after_a_stop(made, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_AT_ONCE", 2)
    shutil.copytree(made.path / "homes", tmp_path / "homes")
    folder = TaskFolder(tmp_path)
    folder.begin(SETTINGS)
    first, second = folder.orders(2)
    (tmp_path / "made" / f"{first.name}.partial").write_text('{"house": "cut sh')
    shutil.copy(made.path / "made" / f"{second.name}.json", tmp_path / "made")
    *_, chosen = run.make_tasks(folder, 4, Workers())
    assert homes(folder) == homes(made)
    assert [t for _, t in chosen.tasks] == [t for _, t in choose(homes(made), 4, SETTINGS).tasks]
    with pytest.raises(ConfigError, match="another configuration: .*seed"):
        folder.begin(SETTINGS.model_copy(update={"seed": 5}))


@pytest.mark.thorough
@pytest.mark.needs("cluster")
def test_a_cluster_makes_the_same_files(made, tmp_path):
    folder = TaskFolder(tmp_path)
    folder.begin(SETTINGS)
    list(run.make_homes(folder, folder.orders(2), Workers(ray="local")))
    for path in sorted((made.path / "made").iterdir()) + sorted((made.path / "homes").iterdir()):
        assert (tmp_path / path.relative_to(made.path)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("holds", [b"", b"{", b"[]", b"\xff", b'{"tasks": [], "rejected": {}, "vectors": "AAA"}'])
def test_a_home_s_file_that_holds_something_else_is_said(tmp_path, holds):
    folder = TaskFolder(tmp_path)
    folder.begin(SETTINGS)
    (order,) = folder.orders(1)
    (tmp_path / "made" / f"{order.name}.json").write_bytes(holds)
    with pytest.raises(ConfigError, match="not as it was written"):
        folder.made(order)


def test_duplicates_and_what_is_read_otherwise_are_not_chosen(made):
    (order, home), (other, _) = homes(made)
    same = [t for t in home.tasks if t.reading == "same"]
    vectors = unpacked(home.vectors, len(home.tasks))
    chosen = choose([(order, home), (other, home)], 200, SETTINGS)
    kinds = [kinds_of(t.signature) for _, t in chosen.tasks]
    assert len(set(kinds)) == len(kinds) <= len(same)
    assert chosen.rejected["duplicate: the same words"] >= len(chosen.tasks)
    wrong = HomeTasks(house=home.house, tasks=tuple(t.model_copy(update={"reading": "other"}) for t in home.tasks),
                      rejected={}, vectors=home.vectors)
    chosen = choose([(order, wrong)], 200, SETTINGS)
    assert not chosen.tasks and len(chosen.disagreeing) == len(home.tasks)
    assert abs(unpacked(packed([home.tasks[0].instruction]), 1)[0] - vectors[0]).max() < 0.01


def test_further_homes_make_what_is_still_lacking(made, tmp_path):
    (order, home), _ = homes(made)
    known = [i for i, t in enumerate(home.tasks) if t.type != "temporal" and t.reading == "same"]
    some = home.model_copy(update={"tasks": tuple(home.tasks[i] for i in known),
                                   "vectors": packed([home.tasks[i].instruction for i in known])})
    lacking = choose([(order, some)], len(TYPES), SETTINGS).lacking
    assert lacking == ("temporal",)
    folder = TaskFolder(tmp_path)
    folder.begin(SETTINGS)
    list(run.make_homes(folder, folder.orders(1, lacking), Workers()))
    assert {t.type for t in folder.made(order).tasks} == {"temporal"}


def test_no_room_has_more_than_its_share(made):
    (order, home), _ = homes(made)
    everywhere = tuple(t.model_copy(update={"room": "kitchen", "reading": "same"}) for t in home.tasks)
    crowded = home.model_copy(update={"tasks": everywhere})
    count = 2 * len(TYPES)
    chosen = choose([(order, crowded)], count, SETTINGS.model_copy(update={"room_share": 0.5}))
    assert set(Counter(t.type for _, t in chosen.tasks).values()) == {1}
    assert chosen.rejected["balance: enough in a kitchen"] >= len(everywhere) - count
    assert max(Counter(t.type for _, t in choose([(order, crowded)], count, SETTINGS).tasks).values()) == 2


def test_nobody_puts_food_on_a_television_or_shoes_in_a_fridge():
    foods = [k for k, c in object_categories().items() if "food" in c.hypernyms]
    seats = [f for f in furniture_categories() if affordances_of(f) & {"lie", "dispose", "water"}]
    for room in room_wishes():
        assert not any(suits(food, room, piece, False) for food in foods for piece in ("television", "toilet", *seats))
        assert not any(suits(kind, room, "fridge", True) for kind in ("shoe", "book", "laptop", "tea_box"))
        assert not suits("electric_kettle", room, "stove", True)
    assert suits("egg_box", "kitchen", "fridge", True) and suits("egg_box", "kitchen", "counter", False)
    assert suits("pan", "kitchen", "stove", False) and suits("mug", "living_room", "coffee_table", False)
    assert is_treated("soup_can", "is_hot") and not is_treated("alarm_clock", "is_hot")
    assert not is_treated("laptop", "is_clean") and is_treated("mug", "is_clean")


def goal(*propositions, order=()):
    return parse_goal({"propositions": list(propositions),
                       "constraints": [{"temporal": [list(p) for p in order]}] if order else []}, "a test")


@given(st.permutations(["a", "b", "c"]), st.randoms(use_true_random=False))
def test_a_goal_is_the_same_however_it_is_written(names, rng: random.Random):
    all_of = {"is_on_top": [names, ["t"]], "number": 3}
    each = [{"is_on_top": [[name], ["t"]]} for name in names]
    assert signature(goal(all_of)) == signature(goal(*each))
    assert signature(goal({"is_next_to": ["a", "b"]})) == signature(goal({"is_next_to": ["b", "a"]}))
    ordered = goal(*each, order=[(0, 1), (1, 2)])
    assert signature(ordered) == signature(goal(*each, order=[(0, 1), (1, 2), (0, 2)]))
    assert len({signature(g) for g in (ordered, goal(*each), goal(*each, order=[(1, 0)]),
                                       goal({**all_of, "number": 2}))}) == 4


def test_the_command_says_what_it_made(made, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_AT_ONCE", 2)
    shutil.copytree(made.path, tmp_path / "tasks")
    app, settings = typer.Typer(), tmp_path / "settings.yaml"
    app.command()(tasks)
    settings.write_text("each: 8\nrooms: [3, 3]\nroom_share: 1.0\n")
    asked = ["--n", "4", "--out", str(tmp_path / "tasks"), "--settings", str(settings)]
    shown = CliRunner().invoke(app, asked)
    assert shown.exit_code == 0, shown.output
    assert "4 tasks in 2 homes" in shown.output and "nobody puts such a thing there" in shown.output
    assert CliRunner().invoke(app, [*asked, "--seed", "3"]).exit_code != 0
