"""The same results whoever works; whoever is killed loses none."""

import os
from pathlib import Path

import pytest
from sums import Sums

from dadu.core.work import WorkDone, Workers, WorkFailed, WorkPart


@pytest.fixture(autouse=True)
def found_by_workers(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "support"))


def ends(workers, work, items=(3, 4, 5, 6), patience=float("inf")):
    """How each ended, and the sum of its parts."""
    found, parts = {}, dict.fromkeys(items, 0)
    for event in workers.events(work, items, patience):
        if isinstance(event, WorkPart):
            parts[event.item] += event.count
        else:
            assert event.item not in found
            found[event.item] = event.result if isinstance(event, WorkDone) else event.why
    return found, parts


ALL = ({3: 3, 4: "four is refused", 5: 10, 6: 15}, {3: 3, 4: 4, 5: 5, 6: 6})


@pytest.mark.parametrize("count", [0, 1, 3])
def test_results_are_the_same_whoever_works(count, tmp_path):
    assert ends(Workers(count), Sums(str(tmp_path))) == ALL


def test_who_is_killed_is_followed_by_another(tmp_path):
    assert ends(Workers(2), Sums(str(tmp_path), "once")) == ALL


@pytest.mark.parametrize(("kills", "why"), [("always", "lost 3 times: signal 9"), ("abort", "exit code -6"),
                                              ("leave", "exit code 7")])
def test_an_item_that_nobody_survives_fails_alone(kills, why, tmp_path):
    found, _ = ends(Workers(1), Sums(str(tmp_path), kills), (2, 3, 6))
    assert found[2] == 1 and found[6] == 15 and why in found[3]


def test_who_tells_nothing_is_ended(tmp_path):
    found, _ = ends(Workers(1), Sums(str(tmp_path), "hang"), (3,), patience=0.5)
    assert "nothing was heard of it" in found[3]


def test_left_early_it_leaves_nobody(tmp_path):
    events = Workers(2).events(Sums(str(tmp_path)), range(6, 60))
    while not isinstance(next(events), WorkDone):
        pass
    events.close()
    workers = [int(path.name.partition("-")[2]) for path in tmp_path.glob("worker-*")]
    assert workers
    for process in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.thorough
@pytest.mark.needs("cluster")
def test_a_cluster_of_two_machines_of_which_one_goes(tmp_path):
    """What the lost one was at is done by the other, and who is killed on the one that stays is followed."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        second = cluster.add_node(num_cpus=1)
        found = []
        for event in Workers(ray=cluster.address).events(Sums(str(tmp_path), "once", 0.2), range(3, 15)):
            found += [] if isinstance(event, WorkPart) else [event]
            if found and second is not None:
                cluster.remove_node(second, allow_graceful=False)
                second = None
    finally:
        cluster.shutdown()
    assert sorted(event.item for event in found) == list(range(3, 15))
    assert all(event.result == sum(range(event.item)) for event in found if event.item != 4)
    assert [event.why for event in found if isinstance(event, WorkFailed)] == ["four is refused"]
