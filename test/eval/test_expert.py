"""The suites can be done: a scripted expert with full knowledge does every episode in the oracle."""

import pytest

from dadu.eval.expert import NotFeasible, demonstrate, order
from dadu.eval.goal import parse_goal
from dadu.eval.prepare import prepare, prepare_all
from dadu.eval.suite import load_suite, parse_suite, suite_path

WRITTEN = ("store", "household", "chores")


@pytest.mark.parametrize("name", WRITTEN)
def test_every_episode_is_feasible(name):
    for prepared in prepare_all(*load_suite(name)):
        done = demonstrate(prepared)
        assert done.verdict.success and done.calls, prepared.episode.id


@pytest.mark.parametrize("name", ["rearrange", "together"])
def test_generated_episodes_are_feasible(name):
    suite, path = load_suite(name)
    first = next(e for e in suite.episodes)
    for episode in (e for e in suite.episodes if e.house == first.house):  # each other home takes seconds to make
        assert demonstrate(prepare(episode, path)).verdict.success, episode.id


def test_a_long_chore_has_over_thirty_sub_goals():
    suite, path = load_suite("chores")
    episode = next(e for e in suite.episodes if e.id == "long-01")
    assert len(demonstrate(prepare(episode, path)).calls) > 30


def test_what_cannot_be_done_says_why():
    data = {"suite": "s", "episodes": [{"id": "wash", "instruction": "wash the mug", "house": "small_flat", "goal": {
        "propositions": [{"is_sliced": ["sofa_0"]}]}}]}
    prepared = prepare(parse_suite(data, "s").episodes[0], suite_path("store"))
    with pytest.raises(NotFeasible, match="nobody here can slice"):
        demonstrate(prepared)


def test_order_respects_what_comes_first():
    goal = parse_goal({"propositions": [{"is_held": [f"p{i}"]} for i in range(4)],
                       "dependencies": [{"propositions": [1], "depends_on": [3], "relation": "after_satisfied"}],
                       "constraints": [{"temporal": [[2, 0], [1, 2]]}]}, "test")
    assert list(order(goal)) == [3, 1, 2, 0]
