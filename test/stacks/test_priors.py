"""The names of a house's own kinds of things are told with its layout, and with nothing told they are not."""

from dadu.bringup.arguments import Arguments
from dadu.bringup.graph import nodes
from dadu.house.files import parse_house
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.stacks.offline import plan_offline
from dadu.stacks.oracle import OracleStack
from dadu.stacks.priors import told_vocabulary
from dadu.stacks.stack import Stack

SHED = parse_house({
    "house": "shed", "robot": {"pose": [1.8, 1.5, 1.5708]},
    "rooms": [{"name": "room", "category": "office", "floor": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
    "furniture": [{"name": "desk", "category": "desk", "room": "room", "pose": [2.0, 3.5, -1.5708]},
                  {"name": "table", "category": "table", "room": "room", "pose": [3.4, 1.5, 3.1416]}],
    "objects": [{"name": "zork_0", "category": "zork", "on": "desk", "shape": "box", "size": [0.06, 0.06, 0.06]}],
}, "shed")
ORDER = "put the zork on the table"


def test_names_come_with_the_layout():
    assert "zork" in told_vocabulary(SHED, "layout").entries and "zork" in told_vocabulary(SHED, "all").entries
    assert told_vocabulary(SHED, "nothing") is default_vocabulary()


def test_who_was_told_nothing_does_not_know_the_word():
    stack = Stack(SHED, known="nothing", mapped=False)
    report = stack.do(ORDER)
    stack.close()
    assert not report.success and not report.steps and "zork" in report.summary, report.summary


def test_who_was_told_the_layout_does():
    stack = OracleStack(SHED, known="layout")
    assert stack.do(ORDER).success
    stack.close()
    assert plan_offline(ORDER, SHED, "layout")["refused"] is None
    assert "zork" in plan_offline(ORDER, SHED, "nothing")["refused"]


def test_over_ros_only_those_who_need_it_hear_which_house_it_is():
    """Memory for the name that its file goes by, navigation for the point that coordinates count from."""
    graph = {node.name: node.parameters for node in nodes(Arguments(known="nothing", map="none"))}
    assert {name for name, given in graph.items() if given.get("house")} == {"sim_bridge", "memory", "navigation"}
    assert graph["memory"]["known"] == "nothing" and graph["navigation"]["map"] == "none"
    told = {node.name: node.parameters for node in nodes(Arguments(house="flat"))}
    assert told["planner"]["house"] == told["perception"]["house"] == told["console"]["house"] == "flat"
