#!/bin/sh
# eai-eval 1.0.5 (Embodied Agent Interface, VirtualHome), Python 3.11.
#
# Four things decide whether an answer to action sequencing can count at all, whatever the plan: an action without an argument (`"SLEEP": []`) is lost when the answer is read; PLUGIN, which every prompt offers, is
# a hallucination to the evaluator, while SLEEP, which no prompt offers, is none; and of several goals about relations one at most is ever matched, so that a state in which both hold is no success. (Tasks with
# several such goals therefore fail the evaluator's check of its own plans and are left out of the 305 that it counts.)
#
# Guess before: every action that the prompt offers is accepted and read, and as many relations match as hold. Seen:
#   read: [{'LIE': ['bed', '1']}]
#   offered: PLUGIN True SLEEP False
#   accepted: PLUGIN False SLEEP True
#   of two relations that hold: matched 1 success False
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q eai-eval==1.0.5
v/bin/python -W ignore - <<'PY' 2>/dev/null
import logging

from virtualhome_eval.evaluation.action_sequencing.prompts.one_shot import prompt
from virtualhome_eval.simulation.evolving_graph import eval_utils

logging.disable(logging.CRITICAL)
read = eval_utils.load_json_preserving_order('{"LIE": ["bed", "1"], "SLEEP": [], "STANDUP": []}')
print("read:", read)
offered = {name: f"\n{name}:" in prompt for name in ("PLUGIN", "SLEEP")}
print("offered:", *(word for pair in offered.items() for word in pair))
accepted = {name: eval_utils.check_no_hallucination_in_action([{name: []}]) for name in offered}
print("accepted:", *(word for pair in accepted.items() for word in pair))


def node(number, name):
    return {"id": number, "class_name": name, "states": [], "properties": [], "category": "things", "prefab_name": None,
            "bounding_box": None, "obj_transform": None}


edges = [{"from_id": cup, "relation_type": "ON", "to_id": 3} for cup in (2, 4)]
state = {"nodes": [node(1, "character"), node(2, "cup"), node(3, "table"), node(4, "cup")], "edges": edges}
matched, success = eval_utils.scene_evaluate_wID(state, [], edges, 1)[1:4:2]
print("of two relations that hold: matched", matched, "success", success)
assert read == [{"LIE": ["bed", "1"]}], read
assert (offered, accepted) == ({"PLUGIN": True, "SLEEP": False}, {"PLUGIN": False, "SLEEP": True})
assert (matched, success) == (1, False)
PY
