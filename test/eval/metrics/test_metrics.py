"""Each measure on the worked examples of its paper, and by the properties that it must have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.eval.metrics import progress
from dadu.eval.metrics.progress import spl
from dadu.eval.metrics.stages import Stages, partial_success
from dadu.eval.metrics.statistics import estimate, paired
from dadu.eval.metrics.together import Action, exploration_efficiency, extraneous_effort, task_offloading
from dadu.planner.cost import flops

OK, FAILED = 0, 40
DRAWER = [  # EMMOE, appendix C.1
    [["open", "drawer"], ["place", "short_can", "drawer"], ["done"]],
    [["open", "drawer"], ["place", "short_can", "drawer"], ["close", "drawer"], ["done"]],
    [["go_to", "drawer"], ["open", "drawer"], ["place", "short_can", "drawer"], ["done"]],
    [["go_to", "drawer"], ["open", "drawer"], ["place", "short_can", "drawer"], ["close", "drawer"], ["done"]],
]


def emmoe_trace():
    """Its run of 20 steps: the drawer is opened, then the can is put nowhere again and again."""
    start = [(["go_to", "kitchen"], OK), (["open", "drawer"], OK), (["place", "in", "drawer"], FAILED)]
    round_ = [(["go_to", "kitchen_counter"], OK), (["place", "on", "kitchen_counter"], FAILED),
              (["go_to", "drawer"], OK), (["place", "in", "drawer"], FAILED)]
    return zip(*[*start, *round_ * 4, (["go_to", "kitchen_counter"], OK)])


def test_emmoe_task_progress():
    plan, outcomes = emmoe_trace()
    done = progress.executed(plan, outcomes, ended=False)
    assert len(plan) == 20
    assert [progress.task_progress([path], done) for path in DRAWER] == [1 / 3, 1 / 4, 1 / 2, 2 / 5]
    assert progress.task_progress(DRAWER, done) == 0.5


def test_emmoe_success_ends_and_replans():
    plan = [["go_to", "kitchen_counter"], ["go_to", "yellow_box"], ["pick", "yellow_box"], ["go_to", "fridge"],
            ["place", "in", "fridge"], ["open", "fridge"], ["go_to", "kitchen_counter"],
            ["place", "on", "kitchen_counter"], ["go_to", "fridge"], ["open", "fridge"], ["go_to", "kitchen_counter"],
            ["pick", "yellow_box"], ["go_to", "fridge"], ["place", "in", "fridge"], ["close", "fridge"]]
    outcomes = [FAILED if n in (4, 5) else OK for n in range(15)]
    path = [["pick", "yellow_box"], ["open", "fridge"], ["place", "yellow_box", "fridge"], ["done"]]
    assert progress.task_progress([path], progress.executed(plan, outcomes, ended=True)) == 1.0
    good, bad = progress.replans(outcomes, ended=True), progress.replans([OK, OK, FAILED] + [OK, FAILED] * 8 + [OK])
    assert (good, bad) == (2, 9)
    assert progress.success_replan_rate([True, False], [good, bad]) == pytest.approx(2 / 11)
    assert progress.success_end_rate([True, False, False], [True, False, True]) == 0.5
    assert progress.success_end_rate([False], [False]) is None and progress.success_replan_rate([True], [0]) is None


def test_a_keypath_may_write_place_either_way():
    long = progress.keypath_nodes([["pick", "milk_0"], ["place", "on", "table_0"]])
    assert long == progress.keypath_nodes([["pick", "milk_0"], ["place", "milk_0", "table_0"]])


steps = st.lists(st.sampled_from([("open", "a"), ("pick", "b"), ("place", "b", "c"), ("done",)]), max_size=6)


@given(steps, steps)
def test_task_progress_is_a_share_that_more_steps_do_not_lower(path, done):
    tp = progress.task_progress([path], done)
    assert 0.0 <= tp <= 1.0
    assert progress.task_progress([path], [*done, ("close", "d")]) == tp
    assert progress.task_progress([path, path[:1]], done) >= tp
    assert not path or progress.task_progress([path], [*done, *path]) == 1.0


@pytest.mark.parametrize("success, expert, length, expected", [
    (True, 10, 10, 1.0), (True, 10, 20, 0.5), (True, 10, 5, 1.0), (False, 10, 10, 0.0)])
def test_path_length_weight(success, expert, length, expected):
    assert progress.path_length_weight(success, expert, length) == expected


def test_spl_is_equation_5():
    terms = [(1, 5.0, 5.0), (1, 4.0, 8.0), (0.5, 3.0, 6.0), (0, 2.0, 2.0)]
    assert np.mean([spl(*term) for term in terms]) == pytest.approx((1 + 0.5 + 0.25 + 0) / 4)
    assert spl(1, 0.0, 0.0) == 1.0 and spl(1, 3.0, 2.0) == 1.0, "the robot found a shorter way than the expert"


def test_stages_need_those_before_them():
    stages = Stages()
    stages.take(near_object=True, held=False, near_receptacle=True)
    assert stages.finish(placed=True) == {"find_object": True, "pick": False, "find_receptacle": False, "place": False}
    stages.take(near_object=False, held=True, near_receptacle=False)
    stages.take(near_object=False, held=True, near_receptacle=True)
    assert partial_success(stages.finish(placed=False)) == 0.75
    assert partial_success(stages.finish(placed=True)) == 1.0


def action(agent, skill, gained=False, steps=0):
    return Action(agent=agent, skill=skill, gained=gained, steps_before=steps)


def test_together():
    actions = [action("person", "go_to"), action("robot", "pick", steps=120), action("robot", "place", True, 300),
               action("person", "place", True, 310), action("robot", "place", True, 600),
               action("robot", "place", False, 900)]
    assert task_offloading(actions) == pytest.approx(2 / 3)
    assert extraneous_effort(actions) == pytest.approx(1 / 4)
    assert exploration_efficiency(actions) == 120
    assert task_offloading([]) is None and extraneous_effort([]) is None and exploration_efficiency([]) is None


def test_flops_of_dadu_e_for_its_planner():
    assert flops(8.03e9, 1623) == pytest.approx(26064e9, rel=1e-3), "DaDu-E, table 7: 26064 G for Llama 3.1 8B"


def test_bootstrap_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(100):
        found = estimate(rng.normal(2.0, 1.0, 40))
        inside += found.low <= 2.0 <= found.high
    assert 88 <= inside <= 99


def test_estimates():
    assert estimate([]) is None
    sure = estimate([1.0] * 3)
    assert (sure.mean, sure.high) == (1.0, 1.0) and sure.low == pytest.approx(0.292, abs=1e-3)
    assert estimate([0, 1, 1, 0, 1]) == estimate([0, 1, 1, 0, 1]), "no chance in it"


def test_mcnemar():
    before, after = [0] * 10 + [1] * 10, [1] * 9 + [0] + [1] * 9 + [0]
    test = paired(before, after)
    assert test.difference == pytest.approx(0.4) and test.test.startswith("McNemar")
    assert test.p == pytest.approx(2 * (1 + 10) / 2**10), "1 lost of 10 that differ, two sides of the binomial"
    assert paired([1, 0], [1, 0]).p == 1.0


def test_sign_flips():
    rng = np.random.default_rng(0)
    a = rng.normal(0, 1, 30)
    assert paired(a, a + 1 + rng.normal(0, 0.1, 30)).p < 0.001
    assert paired(a, rng.permutation(a)).p > 0.05
