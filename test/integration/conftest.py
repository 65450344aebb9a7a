"""Whole graphs: started once for a file of tests, in a ROS domain of their own."""

from pathlib import Path

import pytest
from running import Client, RunningGraph

HOUSE = Path(__file__).with_name("studio.house.yaml")


@pytest.fixture(scope="module")
def start_graph(tmp_path_factory, domain):
    """Starts ``dadu up`` on the studio, or what else it is told of, with launch arguments; all is gone after the file's
    last test."""
    started = []

    def start(house=HOUSE, **arguments):
        started.append(RunningGraph(house, tmp_path_factory.mktemp("run"), domain, **arguments))
        started[-1].until_ready()
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.stop()


@pytest.fixture
def client(graph, running):
    """Gives tasks to the graph of the file's fixture `running`."""
    client = Client(graph, HOUSE)
    yield client
    client.close()
