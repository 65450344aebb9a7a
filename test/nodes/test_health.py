"""What a node says of itself."""

from types import SimpleNamespace

import pytest
import rclpy
from dadu_nodes.support import health as module
from dadu_nodes.support.listening.peer_monitor import PeerDiscoveryError
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus


def test_the_worst_that_is_wrong_is_said():
    rclpy.init()
    try:
        health, wrong = module.Health(rclpy.create_node("one")), {"warn": "", "error": ""}
        assert health._verdict() == (DiagnosticStatus.OK, "running") and health.hardware_id
        health.check(lambda: wrong["warn"], error=False)
        health.check(lambda: wrong["error"], error=True)
        wrong["warn"] = "no picture"
        assert health._verdict() == (DiagnosticStatus.WARN, "no picture")
        wrong["error"] = "no driver"
        assert health._verdict() == (DiagnosticStatus.ERROR, "no driver")
        wrong.update(warn="", error="")
        health.problem("no hand")
        assert health._verdict() == (DiagnosticStatus.ERROR, "no hand")
        health.problem("")
        assert health._verdict()[0] == DiagnosticStatus.OK
    finally:
        rclpy.shutdown()


def test_what_passes_by_itself_is_not_told(monkeypatch):
    rclpy.init()
    try:
        now = [100.0]
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
        health, wrong = module.Health(rclpy.create_node("one")), ["the driver starts"]
        health.check(lambda: wrong[0], error=True, patience=5.0)
        assert health._verdict()[0] == DiagnosticStatus.OK
        now[0] += 4.0
        assert health._verdict()[0] == DiagnosticStatus.OK
        now[0] += 1.0
        assert health._verdict() == (DiagnosticStatus.ERROR, "the driver starts")
        wrong[0] = ""
        assert health._verdict()[0] == DiagnosticStatus.OK
        wrong[0] = "again"
        assert health._verdict()[0] == DiagnosticStatus.OK, "it counts anew"
    finally:
        rclpy.shutdown()


def test_the_first_reports_come_sooner(graph):
    heard = graph.collect(DiagnosticArray, "diagnostics", 10)
    health = module.Health(graph.node, period=30.0)
    graph.until(lambda: len(heard) == module._EARLY_REPORTS)
    assert health._timer.timer_period_ns == 30 * 10**9


def test_a_node_that_hears_the_others_no_more_ends(graph, monkeypatch, tmp_path):
    """It is started again; one that nobody watches over stays."""
    assert module.Health(graph.node)._peers is None
    monkeypatch.setenv("DADU_RUN_DIR", str(tmp_path))
    health = module.Health(graph.node)
    other = module.Health(rclpy.create_node("other", context=graph.node.context))
    heard = graph.collect(DiagnosticArray, "diagnostics", 10)
    graph.until(lambda: len(heard) > 3)
    seen = []
    for _ in range(5):
        other._publish()
        health._publish()
        seen.append(len(heard))
        graph.until(lambda: len(heard) >= seen[-1] + 2)
        health._peers.look()
    with pytest.raises(PeerDiscoveryError, match="does not hear any of the other nodes"):
        for _ in range(40):
            health._publish()
            health._peers.look()
