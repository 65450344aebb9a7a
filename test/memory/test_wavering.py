"""What is made of a detector that wavers: what it hardly believes, and fingers that look like a part of a thing."""

import numpy as np
import pytest

from dadu.core.geometry import Pose2
from dadu.memory.association.associator import Associator, ObserverPose
from dadu.memory.settings import AssociationSettings
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Entity, Kind, WorldGraph

PLACE = (0.0, 0.0, 0.8)
FAR, AT_IT = (1.0, 0.0, 1.0), (0.05, 0.0, 0.95)
BELIEVED = AssociationSettings().score
BOWL = Entity("bowl_0", Kind.OBJECT, "bowl", PLACE, size=(0.16, 0.16, 0.07), provenance="layout")


def after(score, *known, tool=FAR, centre=PLACE, size=(0.16, 0.16, 0.07)):
    """The things known after ten pictures of a bowl."""
    memory = Associator(WorldGraph(known))
    for stamp in range(10):
        seen = Detection("bowl", score, (0, 0, 30, 30), 900, np.zeros((1, 3), np.float32), np.array(centre),
                         np.array(size))
        frame = DetectionFrame(float(stamp), np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), (seen,))
        memory.update(frame, ObserverPose(Pose2(-0.5, 0.0, 0.0), tool))
    return memory.graph.of(Kind.OBJECT)


def test_what_is_hardly_believed_makes_no_thing_but_confirms_one_that_is_known():
    assert not after(BELIEVED - 0.01)
    assert [thing.id for thing in after(BELIEVED)] == ["bowl_0"]
    (known,) = after(BELIEVED - 0.01, BOWL)
    assert known.provenance == "detection" and known.stamp == 9.0


@pytest.mark.parametrize(("score", "tool", "stays"), [(0.6, AT_IT, True), (0.6, FAR, False), (1.0, AT_IT, False)])
def test_fingers_at_a_thing_are_no_part_of_it(score, tool, stays):
    (bowl,) = after(score, BOWL, tool=tool, centre=(0.02, 0.0, 0.84), size=(0.2, 0.16, 0.15))
    assert (bowl.size == BOWL.size and bowl.position == BOWL.position) is stays


def test_fingers_and_the_thing_that_they_are_at_seen_as_one_are_no_other_thing():
    toy, both = Entity("toy_shark_0", Kind.OBJECT, "toy_shark", PLACE, size=(0.07, 0.17, 0.08)), (0.2, 0.36, 0.18)
    assert after(0.65, toy, tool=(0.01, -0.04, 0.82), centre=(0.04, -0.1, 0.82), size=both) == [toy]
    assert len(after(0.65, toy, centre=(0.04, -0.1, 0.82), size=both)) == 2
