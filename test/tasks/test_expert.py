"""The suites can be done: a scripted expert with full knowledge does every episode in the oracle."""

import pytest

from dadu.core.errors import ConfigError
from dadu.goals.suite_goal import parse_goal
from dadu.house.files import house_path, load_house
from dadu.skills.call import SkillCall
from dadu.tasks.expert import Expert, NotFeasible, demonstrate, order
from dadu.tasks.generate import MAKERS, generate_suite, suite_data, write_suite
from dadu.tasks.prepare import prepare, prepare_all
from dadu.tasks.suite import load_suite, parse_suite, suite_names, suite_path


@pytest.mark.parametrize("name", suite_names())
def test_every_episode_is_feasible(name):
    for prepared in prepare_all(*load_suite(name)):
        done = demonstrate(prepared)
        assert done.verdict.success and done.calls, prepared.episode.id


@pytest.mark.parametrize("name", MAKERS)
def test_generated_episodes_come_from_the_seed_alone(name):
    suite = generate_suite(name, 4, seed=3)
    assert suite == generate_suite(name, 4, seed=3) and suite != generate_suite(name, 4, seed=4)
    assert len({e.level for e in suite.episodes}) > 1
    assert demonstrate(prepare(suite.episodes[0], suite_path("store"))).verdict.success


def test_episodes_are_made_in_homes_that_are_given(tmp_path):
    files = [house_path(name) for name in ("small_flat", "flat")]
    write_suite(suite_data("together", 2, files=files, each=1), tmp_path / "given.suite.yaml")
    first, second = prepare_all(*load_suite(tmp_path / "given.suite.yaml"))
    assert (first.house, second.house) == tuple(load_house(file) for file in files)
    assert demonstrate(first).verdict.success
    with pytest.raises(ConfigError, match="2 episodes could be made in 2 homes, 3 are wanted"):
        suite_data("together", 3, files=files, each=1)


def test_a_long_chore_has_over_thirty_sub_goals():
    suite, path = load_suite("chores")
    episode = next(e for e in suite.episodes if e.id == "long-01")
    assert len(demonstrate(prepare(episode, path)).calls) > 30


def test_what_cannot_be_done_says_why():
    data = {"suite": "s", "episodes": [{"id": "wash", "instruction": "wash the mug", "house": "small_flat", "goal": {
        "propositions": [{"is_sliced": ["mug_0"]}]}}]}
    prepared = prepare(parse_suite(data, "s").episodes[0], suite_path("store"))
    with pytest.raises(NotFeasible, match="nobody here can slice"):
        demonstrate(prepared)


def test_order_respects_what_comes_first():
    goal = parse_goal({"propositions": [{"is_held": [f"p{i}"]} for i in range(4)],
                       "dependencies": [{"propositions": [1], "depends_on": [3], "relation": "after_satisfied"}],
                       "constraints": [{"temporal": [[2, 0], [1, 2]]}]}, "test")
    assert list(order(goal)) == [3, 1, 2, 0]


def test_the_expert_gives_up_where_nothing_helps(monkeypatch):
    """What is done again and again without ever being so."""
    data = {"suite": "s", "episodes": [{"id": "move", "instruction": "move", "house": "small_flat", "goal": {
        "propositions": [{"is_held": ["mug_0"]}]}}]}
    prepared = prepare(parse_suite(data, "s").episodes[0], suite_path("store"))
    monkeypatch.setattr(Expert, "_holds", lambda self, i: False)
    monkeypatch.setattr(Expert, "_fetch", lambda self, subject: self.done.calls.append(SkillCall("wait")))
    with pytest.raises(NotFeasible, match="no way"):
        demonstrate(prepared)
