"""Poses whose stamp lies a little ahead of the transforms: waited for, for a while."""

import pytest
from dadu_nodes.support import qos
from dadu_nodes.support import transforms as module
from dadu_nodes.support.clock import stamp
from geometry_msgs.msg import Point, Pose, Quaternion, Transform, TransformStamped, Vector3
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.received_pose import PoseRefused

HERE = Pose(position=Point(x=1.0), orientation=Quaternion(w=1.0))


@pytest.fixture
def rig(graph):
    graph.tf = graph.node.create_publisher(TFMessage, "/tf", qos.TF)
    graph.transforms = module.TransformListener(graph.node)
    graph.until(lambda: graph.tf.get_subscription_count())
    return graph


def say(rig, x, when):
    """Where the base is at `when` [s]."""
    rig.tf.publish(TFMessage(transforms=[TransformStamped(
        header=Header(frame_id="map", stamp=stamp(when)), child_frame_id="base_link",
        transform=Transform(translation=Vector3(x=x), rotation=Quaternion(w=1.0)))]))


def ask(rig, when):
    """A task that ends with the pose in map."""
    header = Header(frame_id="base_link", stamp=stamp(when))
    return rig.executor.create_task(module.map_pose_soon(rig.node, rig.transforms, header, HERE))


def test_a_pose_of_the_near_future_is_where_it_then_is(rig):
    say(rig, 0.0, 10.0)
    rig.until(lambda: "base_link" in rig.transforms.tree._parents, every=rig.transforms._subscriptions.poll)
    found = ask(rig, 10.5)
    rig.spin(0.3)
    assert not found.done(), "it is not known yet"
    say(rig, 2.0, 11.0)
    rig.until(found.done)
    assert found.result().x == pytest.approx(2.0), "half way at its time, and the metre ahead"


def test_one_that_never_comes_is_refused_by_its_frame_and_one_of_the_past_at_once(rig, monkeypatch):
    say(rig, 0.0, 10.0)
    rig.until(lambda: "base_link" in rig.transforms.tree._parents, every=rig.transforms._subscriptions.poll)
    monkeypatch.setattr(module, "LATE", 0.2)
    for when, told in ((99.0, "frame 'base_link' is known .* not at 99.000 s, and 0.2 s have brought nothing newer"),
                       (9.0, "not at 9.000 s$")):
        found = ask(rig, when)
        with pytest.raises(PoseRefused, match=told):
            rig.until(found.done)  # an executor raises what its tasks do
