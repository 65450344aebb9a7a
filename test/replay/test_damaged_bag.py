"""A damaged bag is replayed as far as it goes, and the exit status and a sentence say that this was not all."""

import pytest
from episodes import SCENES, record_table
from typer.testing import CliRunner

from dadu.cli.verbs import app_of
from dadu.core.errors import ConfigError
from dadu.replay.bag import Bag, UnusableBag

app = app_of("dadu.cli", "replay")


@pytest.fixture
def table(tmp_path):
    record_table(tmp_path / "bag", scenes=SCENES[2:5])
    return tmp_path / "bag"


def replayed(bag, *arguments):
    """What is printed, and the error that ends it."""
    result = CliRunner().invoke(app, [str(bag), "--node", "memory", *arguments])
    return result.output, result.exception


def test_what_can_be_read_is_replayed(table):
    (table / "metadata.yaml").write_text("rosbag2_bagfile_information: 3")
    said, error = replayed(table, "--robot", "stretch")
    assert isinstance(error, UnusableBag) and "messages could be read" in str(error)
    assert "graphs compared" in said and "damaged: " in said


def test_a_torn_file_is_replayed_up_to_there(table):
    whole = (table / "bag.mcap").read_bytes()
    (table / "bag.mcap").write_bytes(whole[:-20])
    with Bag(table) as bag:
        assert len(list(bag.messages(["detections"]))) == 3 and "bag.mcap" in bag.damage
    (table / "bag.mcap").write_bytes(whole[:40])
    with pytest.raises(UnusableBag, match="cannot be read: bag.mcap"):
        Bag(table)


def test_launch_arguments_without_names_are_refused(table):
    (table.parent / "arguments.yaml").write_text("[flat]")
    with pytest.raises(ConfigError, match="arguments.yaml: launch arguments stand there by their names, not list"):
        Bag(table)
