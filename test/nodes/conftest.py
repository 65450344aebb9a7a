"""Process tests of nodes: each in a ROS domain of its own, and no process survives its test."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def start_node(graph, tmp_path):
    """Starts ``dadu_nodes.NAME`` with parameters, its run directory in `tmp_path`."""
    started = []

    def start(name, **parameters):
        arguments = ["--ros-args", *(a for k, v in parameters.items() for a in ("-p", f"{k}:={v}"))]
        started.append(subprocess.Popen([sys.executable, "-m", f"dadu_nodes.{name}", *arguments],
                                        env={**os.environ, "DADU_RUN_DIR": str(tmp_path)}))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
