"""For all tests: which of them run, that no process outlives them, how workers share them; a node to test others."""

import gc
import os
import tempfile
import time
from functools import cache
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers share the cores already
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parents[1] / "build" / "cache")  # nothing into the user's own
os.environ["XDG_DATA_HOME"] = str(Path(tempfile.gettempdir()) / f"dadu-test-data-{os.getpid()}")
gc.disable()  # until all is collected

pytest_plugins = ["tiers", "reaper", "houses", "pytester"]

_GRAPHS = ("integration", "test_demo.py")
"""tests that start whole graphs"""
_LONG = ("test_worked_examples.py", "test_unprivileged.py", "test_asked.py", "test_instructions.py",
         "test_planner_model.py")
"""files of half a minute and more, which are not begun last: all workers are to end together"""


def pytest_configure(config):
    """Each of several workers begins to collect at other folders: what one has compiled, the rest find compiled."""
    worker, here = getattr(config, "workerinput", None), Path(__file__).parent
    if worker is None or [Path(each).absolute() for each in config.args] != [here]:
        return
    folder_of = [path.relative_to(here).parts[0] for path in sorted(here.rglob("test_*.py"))]
    folders = list(dict.fromkeys(folder_of))
    first = folders.index(folder_of[len(folder_of) * int(worker["workerid"][2:]) // worker["workercount"]])
    config.args = [str(here / folder) for folder in folders[first:] + folders[:first]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """For several workers: one of them starts all whole graphs, one by one, and first, for that takes the longest; the
    other files stay together, long ones before the rest."""
    @cache
    def whole(path):
        return bool(set(_GRAPHS) & set(path.relative_to(Path(__file__).parent).parts))

    for item in items:
        item.add_marker(pytest.mark.xdist_group("graphs" if whole(item.path) else str(item.path)))
    items.sort(key=lambda item: (not whole(item.path), item.path.name not in _LONG, item.path))


def pytest_collection_finish(session):
    """The tests themselves stay until the end: nobody looks for garbage while they are collected, and whoever does
    between them leaves them out, which takes a quarter of a second each time. Where workers do not heed the groups,
    several graphs would run at once."""
    if getattr(session.config.option, "loadgroup", False) and not all("@" in item.nodeid for item in session.items):
        raise pytest.UsageError("pytest-xdist does not heed the tests' groups; see the pins in pyproject.toml")
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def data_of_its_own(monkeypatch, tmp_path_factory, request):
    """What one test keeps for the user, no other finds."""
    name = f"data-{abs(hash(request.node.nodeid))}"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / name))


class Graph:
    """A node of the test, spun on demand."""

    def __init__(self, arguments) -> None:
        import rclpy
        from rclpy.executors import SingleThreadedExecutor
        rclpy.init(args=arguments)
        self.node = rclpy.create_node("tester")
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(self.node)
        self.patience = 100.0
        """of `until` [s]"""

    def spin(self, seconds, every=None):
        """Spins for a wall time [s], calling `every` in between."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.executor.spin_once(timeout_sec=0.02)
            if every is not None:
                every()

    def until(self, condition, timeout=None, every=None):
        """Spins until `condition()` and returns its value; fails after `timeout` wall seconds."""
        timeout = self.patience if timeout is None else timeout
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            self.executor.spin_once(timeout_sec=0.02)
            if every is not None:
                every()
        raise AssertionError(f"did not happen within {timeout} s")

    def ask(self, kind, service, /, **fields):
        """What a service answers to a request of these fields, which may be carried out twice: a server that has not
        found its client yet answers into the void, and is asked again."""
        client = self.node.create_client(kind, service)
        self.until(client.service_is_ready)
        answers = []

        def again():
            if not answers or time.monotonic() > answers[-1][0] + 5.0:
                answers.append((time.monotonic(), client.call_async(kind.Request(**fields))))
        answer = self.until(lambda: next((future for _, future in answers if future.done()), None), every=again)
        self.node.destroy_client(client)
        return answer.result()

    def collect(self, kind, topic, profile):
        """A list that fills with what arrives on `topic`."""
        heard = []
        self.node.create_subscription(kind, topic, heard.append, profile)
        return heard


@pytest.fixture(scope="session")
def domain():
    """The ROS domain of these tests: another run of tests has another, and so has each of several workers."""
    from dadu.bringup.domain import free_domain
    from dadu.bringup.shared_memory import free_abandoned_memory
    free_abandoned_memory()  # of tests that killed processes
    return str(free_domain())


@pytest.fixture
def graph(domain):
    yield from _graph(domain)


@pytest.fixture(scope="module")
def shared_graph(domain, request):
    """`graph` for all tests of a file, where starting anew for each costs more than keeping them apart; its nodes are
    given what the file has as ``ROS_ARGUMENTS``."""
    yield from _graph(domain, getattr(request.module, "ROS_ARGUMENTS", None))


def _graph(domain, arguments=None):
    import rclpy

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROS_DOMAIN_ID", domain)
        graph = Graph(arguments)
        yield graph
        graph.executor.shutdown()
        graph.node.destroy_node()
        rclpy.shutdown()
