"""What the fork server imports and reads, once for all nodes that it becomes: what several of them need."""
# ruff: noqa: F401

import cv2
import scipy.ndimage
import scipy.optimize
import scipy.spatial.transform
from dadu_nodes.support import node, ros_robot, skill_executor, skill_server, transforms, work
from dadu_nodes.support.convert import encode
from dadu_nodes.support.listening import offered, operator, scene

from dadu.house.catalogue import furniture_categories, object_categories
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.loop import skill_context
from dadu.robots import kinematics, loader

furniture_categories(), object_categories(), default_vocabulary()
