"""config/planner.yaml names settings that there are."""

import pytest

from dadu.core.config import parse, read_yaml
from dadu.core.errors import ConfigError
from dadu.core.paths import shared
from dadu.planner.settings import PlannerSettings


def test_the_node_s_file_fits():
    data = read_yaml(shared("config", "planner.yaml"))["/**"]["ros__parameters"]
    assert parse(PlannerSettings, data, "config/planner.yaml").policy == "symbolic"


def test_a_server_given_at_launch_wins():
    assert PlannerSettings(llm_url="http://gpu:8000/v1").model_settings.url == "http://gpu:8000/v1"
    assert PlannerSettings().model_settings.url == "http://localhost:8000/v1"


@pytest.mark.parametrize("url", ["localhost:8000/v1", "nonsense", "http://[::/v1"])
@pytest.mark.parametrize("place", [lambda url: {"llm_url": url}, lambda url: {"llm": {"url": url}}])
def test_an_address_that_is_none_is_refused_at_the_start(url, place):
    with pytest.raises(ConfigError, match="url"):
        parse(PlannerSettings, place(url), "here")
