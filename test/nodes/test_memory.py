"""The memory as a process: it tells what it knows and learns, answers, and outlives SIGKILL."""

import json

from dadu_interfaces.msg import DetectionArray, Outcome, SkillCall, SkillRecord, WorldGraph
from dadu_interfaces.srv import Describe, EditMemory, Recall
from dadu_nodes.support import qos
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus


def support(message, id):
    """Where it is, whatever else lies beside it."""
    return [(e.relation, e.object) for e in message.edges if e.subject == id and e.relation != "next_to"]


def test_it_knows_learns_answers_and_survives(graph, start_node):
    told = graph.collect(WorldGraph, "/world_graph", qos.LATCHED)
    results = graph.node.create_publisher(SkillRecord, "/skill_results", qos.STATE)
    process = start_node("memory", known="all")
    graph.until(lambda: told and results.get_subscription_count())
    assert {e.id for e in told[-1].entities} >= {"fridge_0", "mug_0", "robot"}

    pick = SkillRecord(call=SkillCall(skill="pick", arguments=["mug_0"]), outcome=Outcome(target="mug_0"))
    results.publish(pick)
    graph.until(lambda: support(told[-1], "mug_0") == [("held_by", "robot")])
    assert "holds mug_0" in graph.ask(Describe, "/memory/describe", instruction="", max_words=0).text
    recalled = graph.ask(Recall, "/memory/recall", query="red apple", limit=2)
    assert recalled.ids[0] == "apple_0" and len(recalled.similarities) == 2

    edit = json.dumps({"move": {"object": "bowl_0", "on": "sofa_0"}})
    assert graph.ask(EditMemory, "/memory/edit", edit=edit).accepted
    refused = graph.ask(EditMemory, "/memory/edit", edit="{}")
    assert not refused.accepted and "undo" in refused.message

    health = graph.collect(DiagnosticArray, "/diagnostics", qos.STATE)
    seen = graph.node.create_publisher(DetectionArray, "/perception/detections", qos.STATE)
    graph.until(seen.get_subscription_count)
    seen.publish(DetectionArray(depth=[1.0, 2.0, 3.0], depth_width=2))  # no picture; left out
    graph.until(lambda: any("no transform from 'base_link' to 'map'" in s.message and s.level == DiagnosticStatus.ERROR
                            for m in health for s in m.status), every=lambda: seen.publish(DetectionArray()))

    revision = told[-1].revision
    process.kill()
    process.wait()
    told.clear()
    start_node("memory", known="all")
    graph.until(lambda: told)
    assert told[-1].revision > revision
    assert support(told[-1], "mug_0") == [("held_by", "robot")] and support(told[-1], "bowl_0") == [("on", "sofa_0")]
