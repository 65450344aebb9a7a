"""What the fork server imports and reads, once for all nodes that it becomes: what several of them need."""
# ruff: noqa: F401

import sys

import cv2
import scipy.ndimage
import scipy.optimize
import scipy.spatial.transform
from dadu_nodes.support import node, ros_robot, skill_executor, skill_server, transforms, work
from dadu_nodes.support.convert import encode
from dadu_nodes.support.listening import offered, operator, scene
from rosidl_generator_py import import_type_support

from dadu.house.catalogue import furniture_categories, object_categories
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.loop import skill_context
from dadu.robots import kinematics, loader

furniture_categories(), object_categories(), default_vocabulary()
for package in [name[:-4] for name in sys.modules if name.endswith(".msg") and name.count(".") == 1]:
    import_type_support(package)  # else each node does so for each message that it makes first
