"""Faults are carried out when they are due, and whatever lasts is over in the end; what moves under a stop is seen."""

import signal

import pytest

from dadu.core.geometry import Pose2
from dadu.eval.chaos.faults import Faults
from dadu.eval.chaos.links import LINKS
from dadu.eval.chaos.task import Fault, FaultKind
from dadu.eval.chaos.verdict import Standstill


class Recorder:
    """Notes what is done to the graph."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        def call(*arguments):
            self.calls.append((name, *arguments))
            return "done" if name == "disturb" else None
        return call


OPPOSITE = {
    FaultKind.FREEZE: ("send", "memory", signal.SIGCONT), FaultKind.SLOW: ("send", "memory", signal.SIGCONT),
    FaultKind.LOSE: ("relay", "memory", "table_0", 1.0), FaultKind.DOUBLE: ("relay", "memory", "table_0", 1.0),
    FaultKind.SILENCE: ("disturb", "hear", "memory", ""),
    FaultKind.DISK_FULL: ("fill_disk", "memory", False), FaultKind.E_STOP: ("press", False),
    FaultKind.OVERRIDE: ("release_base",), FaultKind.BLOCK: ("disturb", "unblock", "", ""),
}


@pytest.mark.parametrize("kind", list(FaultKind))
@pytest.mark.parametrize("cut", [False, True], ids=["in its time", "the task ends before"])
def test_each_begins_when_it_is_due_and_is_over_in_the_end(kind, cut):
    hands = Recorder()
    faults = Faults([Fault(kind, at=3.0, seconds=5.0, subject="memory", target="table_0", shift=2.0)], hands)
    faults.step(2.9, 100.0)
    assert hands.calls == [] and faults.done == []
    faults.step(3.0, 100.1)
    assert hands.calls or kind is FaultKind.SLOW
    assert len(faults.done) == 1 and kind.value in faults.done[0]
    if kind in OPPOSITE:
        assert hands.calls[-1:] != [OPPOSITE[kind]] or kind is FaultKind.SLOW
        faults.end() if cut else faults.step(3.1, 105.2)
        assert hands.calls[-1] == OPPOSITE[kind]
        before = len(hands.calls)
        faults.step(9.0, 120.0)
        faults.end()
        assert len(hands.calls) == before, "it is over once"
    assert (faults.disturbed is not None) == (kind in (FaultKind.MOVE, FaultKind.DROP, FaultKind.CLOSE))


@pytest.mark.parametrize("kind", [FaultKind.LOSE, FaultKind.DOUBLE, FaultKind.SILENCE])
def test_a_sensor_is_disturbed_where_it_speaks(kind):
    hands = Recorder()
    faults = Faults([Fault(kind, at=0.0, seconds=5.0, subject="laser")], hands)
    faults.step(0.0, 100.0)
    faults.end()
    assert hands.calls == [("disturb", kind.value, "laser", ""), ("disturb", "hear", "laser", "")]
    assert faults.disturbed is None, "nothing in the world has changed"


def test_links_say_by_which_topic_of_which_node_a_fault_is_meant():
    hands = Recorder()
    link = LINKS[-1]
    faults = Faults([Fault(FaultKind.LOSE, at=0.0, seconds=5.0, subject=link.topic, target=link.node)], hands)
    faults.step(0.0, 100.0)
    assert hands.calls == [("relay", *link, 0.5)] and f"{link.topic} to {link.node}" in faults.done[0]


def test_a_slowed_node_is_stopped_half_of_the_time():
    hands = Recorder()
    faults = Faults([Fault(FaultKind.SLOW, at=0.0, seconds=50.0, subject="grasp")], hands)
    for tick in range(1000):
        faults.step(1.0, tick * 0.0101)
    numbers = [call[2] for call in hands.calls]
    assert numbers.count(signal.SIGSTOP) == pytest.approx(numbers.count(signal.SIGCONT), rel=0.1)


@pytest.mark.parametrize(("x", "lift", "moved"), [(1.0, 0.5, 0.0), (1.1, 0.5, 0.1), (1.0, 0.45, 0.05)])
def test_what_moves_under_the_stop_once_it_was_at_rest_is_seen(x, lift, moved):
    still = Standstill()
    still.see(1.0, Pose2(0.0, 0.0, 0.0), {"lift": 0.2})
    still.press(2.0)
    still.see(2.5, Pose2(0.9, 0.0, 0.0), {"lift": 0.4, "gripper_aperture": 0.1})  # comes to rest
    still.see(4.0, Pose2(1.0, 0.0, 0.0), {"lift": 0.5, "gripper_aperture": 0.1})
    still.see(5.0, Pose2(x, 0.0, 0.0), {"lift": lift, "gripper_aperture": 0.0})
    still.release()
    still.see(6.0, Pose2(3.0, 0.0, 0.0), {"lift": 0.9})
    assert still.moved == pytest.approx(moved)
