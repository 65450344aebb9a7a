"""Other words from a served model: taken where they mean the same, and where they may be trained on."""

import pytest

from dadu.core.errors import ConfigError
from dadu.house.files import load_house
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse
from dadu.learning.plans.asked.paraphrase import Paraphraser
from dadu.learning.plans.home import PlanHome
from dadu.learning.plans.task import Wording, goal_of
from test.support.stand_in_server import StandInServer

ALL = ("train", "validation", "test")


@pytest.fixture(scope="module")
def asked():
    home = PlanHome(load_house("flat"))
    meant = parse("put the milk on the desk", names_of(home.vocabulary, home.truth))
    return home, Wording("put the milk on the desk", meant, 0), goal_of(meant, home)


def said(asked, *texts, splits=ALL, number=3):
    home, first, goal = asked
    server = StandInServer({"texts": list(texts)})
    try:
        found = Paraphraser.from_url(server.url).wordings(first, goal, home, splits, number)
    finally:
        server.close()
    return [wording.text for wording in found]


def test_only_the_same_goal_is_taken(asked):
    assert said(asked, "Please set the milk on the desk.", "Put the milk on the sofa.", "milk milk blah") == [
        "Please set the milk on the desk."]


def test_no_more_than_asked_for(asked):
    assert len(said(asked, "place the milk on the desk", "set the milk on the desk", number=1)) == 1


def test_forms_of_other_splits_are_left_out(asked):
    texts = "place the milk on the desk", "Bring the milk to the desk", "Set the milk down on the desk"
    found = [said(asked, *texts, splits=(split,)) for split in ALL]
    assert sum(map(len, found)) == len(said(asked, *texts)) > 0


def test_a_server_that_is_gone_is_told(asked):
    home, first, goal = asked
    server = StandInServer({"texts": []})
    server.close()
    with pytest.raises(ConfigError, match="cannot be used"):
        Paraphraser.from_url(server.url).wordings(first, goal, home, ALL, 2)
