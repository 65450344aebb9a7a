"""Which detection is the thing that is to be picked, and whether what was put down is seen."""

import numpy as np

from dadu.manipulation.sight import match
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Entity, Kind

MAYBE_A_BOWL = Entity("mug_0", Kind.OBJECT, "mug", (1.0, 0.0, 0.8), may_be={"bowl": 0.3})
MUG = Entity("mug_0", Kind.OBJECT, "mug", (1.0, 0.0, 0.8))


def seen(label, x, *others):
    return Detection(label, 0.5, (0, 0, 9, 9), 80, np.zeros((1, 3), np.float32), np.array((x, 0.0, 0.8)),
                     np.full(3, 0.1), others=others)


def matched(*detections, entity=MUG):
    frame = DetectionFrame(0.0, np.eye(4), np.eye(3), 640, 480, np.zeros((60, 80), np.float32), detections)
    return match(frame, entity, 0.3)


def test_the_nearest_that_is_called_so_comes_before_one_that_may_be_it():
    maybe, near, far = seen("glass", 1.0, ("mug", 0.3)), seen("mug", 1.1), seen("mug", 1.2)
    assert matched(maybe, far, near) is near
    assert matched(maybe) is maybe and maybe.may_be("mug") and not maybe.may_be("cup")
    assert matched(seen("glass", 1.0), seen("mug", 1.4)) is None


def test_what_other_views_have_called_it_it_may_be_called_now():
    bowl, mug = seen("bowl", 1.0), seen("mug", 1.2)
    assert matched(bowl) is None and matched(bowl, entity=MAYBE_A_BOWL) is bowl
    assert matched(bowl, mug, entity=MAYBE_A_BOWL) is mug
