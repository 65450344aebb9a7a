"""What the fork server of the tests has imported and done, once for all nodes that it becomes: all that one needs to
begin. In ``dadu up`` each node comes but once, and does for itself what no other needs.

Perception and the simulator are left out: ONNX Runtime starts a thread and EGL opens a device, no good to a fork.
"""
# ruff: noqa: F401

import dadu_nodes.preload
import stand_in_skills
from dadu_nodes import console, grasp, memory, navigation, override, place, planner, recorder, stretch_adapter

import dadu.planner.model.client
from dadu.house.files import load_house
from dadu.stacks.offline import plan_offline

plan_offline("put the lemon on the desk", load_house("flat"), "all")  # grammar and names are read by the first sentence
