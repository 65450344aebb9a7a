"""A suite's answers: given to the robot that asks, recorded, and shown; checked where they enter."""

import pytest
import yaml

from dadu.core.errors import ConfigError
from dadu.eval.episode.graph_trial import check
from dadu.eval.episode.trial import run_episode
from dadu.eval.options import EvalOptions
from dadu.eval.report.page import write_report
from dadu.eval.run import Run
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite, parse_suite

ZORK = {"id": "zork", "instruction": "put the zork on the coffee table", "house": "flat",
        "answers": ["er", "the lemon"],
        "goal": {"propositions": [{"is_on_top": [["lemon_0"], ["coffee_table_0"]]}]}}


@pytest.fixture
def episodes(tmp_path):
    path = tmp_path / "zork.suite.yaml"
    path.write_text(yaml.safe_dump({"suite": "zork", "episodes": [ZORK]}))
    return prepare_all(*load_suite(path))


def test_answers_are_given_recorded_and_shown(episodes, tmp_path):
    run = Run("zork", "zork.suite.yaml", episodes, EvalOptions(skills="oracle"), tmp_path / "r")
    (result,) = run.execute()
    assert result.success and result.turns["asking"] == 2
    assert [answer for _, answer in result.asked] == ["er", "the lemon"]
    question = result.asked[0][0]
    assert question.endswith("what do you mean by 'zork'?") and result.plan[0] == ["ask", question]
    page = write_report(run.out, episodes).read_text()
    assert "asks: I know no" in page and "answered: the lemon" in page


def test_whose_robot_may_not_ask_has_nobody_to_ask(episodes):
    result = run_episode(episodes[0], EvalOptions(skills="oracle", ask=False)).result
    assert not result.success and result.ended == "refused" and not result.asked


@pytest.mark.parametrize("answers", ["the lemon", [""], ["  "], ["a" * 501], ["two\nlines"], [1], None])
def test_answers_that_cannot_be_given_are_refused(answers):
    with pytest.raises(ConfigError, match="answers"):
        parse_suite({"suite": "x", "episodes": [{**ZORK, "answers": answers}]}, "x.suite.yaml")


def test_on_the_graph_there_is_nobody_to_ask(episodes):
    with pytest.raises(ConfigError, match="answers"):
        check(episodes[0], EvalOptions())
