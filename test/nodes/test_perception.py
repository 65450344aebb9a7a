"""Perception and memory as processes, fed with pictures of boxes: from camera topics to the world graph."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dadu_interfaces.msg import DetectionArray, GroundTruth, WorldGraph
from dadu_nodes.simulator.publishers import camera_info, image_message
from dadu_nodes.support import qos
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import tf
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import TransformStamped
from sensor_msgs.msg import CameraInfo, Image
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from test.support.boxworld import K, SceneBox, look, render

BOXES = [SceneBox("counter_0", (2.1, 0.36, 0.44), (1.9, 0.6, 0.88)),
         SceneBox("mug_7", (2.1, 0.45, 0.93), (0.08, 0.08, 0.1), (255, 0, 0))]
CATEGORIES = ["counter", "mug"]
COLOURS = Path(__file__).parents[1] / "perception" / "data" / "colours.onnx"
"""weights for which what is red is a mug"""
OPTICAL = "camera_color_optical_frame"


class Camera:
    """Publishes the picture, the transforms and, in simulation, instances and their table."""

    def __init__(self, graph, instances=True, boxes=BOXES):
        create = graph.node.create_publisher
        self._image = {kind: create(Image, f"/camera/{kind}/image_raw", qos.CAMERA)
                       for kind in ("color", "depth", *(["instances"] if instances else []))}
        self._info = create(CameraInfo, "/camera/color/camera_info", qos.CAMERA)
        self._truth = create(GroundTruth, "/sim/ground_truth", qos.STATE) if instances else None
        self._tf = create(TFMessage, "/tf", qos.TF)
        self._pose = look((2.1, 1.6, 1.35), (2.1, 0.4, 0.9))
        self._frame = render(boxes, self._pose)
        self._time = 0.0

    def connected(self):
        return all(p.get_subscription_count() for p in (*self._image.values(), self._info, self._truth, self._tf) if p)

    def publish(self, skip=False):
        self._time += 0.2
        if skip:
            return
        at = stamp(self._time)
        if self._truth:
            names = [b.name for b in BOXES]
            self._truth.publish(GroundTruth(instance_names=names, instance_categories=CATEGORIES))
        frames = (("map", OPTICAL, self._pose), ("map", "base_link", np.eye(4)),
                  ("base_link", "grasp_center", np.eye(4)))
        self._tf.publish(TFMessage(transforms=[
            TransformStamped(header=Header(stamp=at, frame_id=parent), child_frame_id=child, transform=tf(T))
            for parent, child, T in frames]))
        header = Header(stamp=at, frame_id=OPTICAL)
        self._info.publish(camera_info(K, 640, 480, header))
        for kind, pixels, encoding in (("color", self._frame.rgb, "rgb8"), ("depth", self._frame.depth, "32FC1"),
                                       ("instances", self._frame.instances, "32SC1")):
            if kind in self._image:
                self._image[kind].publish(image_message(pixels, encoding, header))


def test_a_mug_on_the_counter_reaches_the_world_graph(graph, start_node):
    seen = graph.collect(DetectionArray, "/perception/detections", qos.STATE)
    told = graph.collect(WorldGraph, "/world_graph", qos.LATCHED)
    health = graph.collect(DiagnosticArray, "/diagnostics", qos.STATE)
    start_node("perception", detector="ground_truth")
    start_node("memory")
    camera = Camera(graph)
    graph.until(lambda: camera.connected() and told)

    def found():
        return any(e.category == "mug" for e in told[-1].entities) and len(seen) >= 8
    count = iter(range(1000))
    graph.until(found, every=lambda: (graph.spin(0.1), camera.publish(skip=next(count) == 7)))
    mug = next(d for d in seen[-1].detections if d.label == "mug")
    assert mug.instance == "mug_7" and mug.centroid.z == pytest.approx(0.93, abs=0.01) and len(mug.points) % 3 == 0
    edge = next(e for e in told[-1].edges if e.subject == "mug_0")
    assert (edge.relation, edge.object, edge.part) == ("on", "counter_0", "top")

    def values():
        own = [s for m in health for s in m.status if s.name == "perception"]
        return {v.key: float(v.value) for v in own[-1].values if v.key != "unheard"} if own else {}
    graph.until(lambda: values().get("frames.lost", 0.0) >= 1.0 and "perceive.worst" in values())
    assert values()["frames.received"] >= 8 and values()["perceive.worst"] > 0.0


def test_bad_messages_are_said_and_good_ones_are_seen_after_them(graph, start_node):
    seen = graph.collect(DetectionArray, "/perception/detections", qos.STATE)
    health = graph.collect(DiagnosticArray, "/diagnostics", qos.STATE)
    node = start_node("perception", detector="ground_truth")
    camera = Camera(graph)
    graph.until(camera.connected)
    header = Header(frame_id=OPTICAL)
    color = graph.node.create_publisher(Image, "/camera/color/image_raw", qos.CAMERA)
    info = graph.node.create_publisher(CameraInfo, "/camera/color/camera_info", qos.CAMERA)
    zero = TransformStamped(header=header, child_frame_id="hand")
    zero.transform.rotation.w = 0.0

    def complaint():
        return " ".join(s.message for m in health for s in m.status if s.name == "perception")

    def send_bad():
        graph.spin(0.1)
        now = stamp(camera._time + 0.05)
        info.publish(CameraInfo(header=header, width=640, height=480))
        camera._tf.publish(TFMessage(transforms=[zero]))
        for kind in ("color", "depth", "instances"):
            message = image_message(np.zeros((48, 64, 3)), "rgb8", Header(stamp=now, frame_id=OPTICAL))
            message.encoding = "8UC3"
            (color if kind == "color" else camera._image[kind]).publish(message)
        camera.publish()
    graph.until(lambda: all(word in complaint() for word in ("8UC3", "not calibrated", "no pose")), every=send_bad)
    seen.clear()
    graph.until(lambda: len(seen) > 3, every=lambda: (graph.spin(0.1), camera.publish()))
    assert any(d.label == "mug" for d in seen[-1].detections) and node.poll() is None


def test_the_learned_detector_needs_no_instances(graph, start_node):
    seen = graph.collect(DetectionArray, "/perception/detections", qos.STATE)
    start_node("perception", detector="learned", weights=str(COLOURS), house="flat")
    camera = Camera(graph, instances=False)
    graph.until(camera.connected)
    graph.until(lambda: seen, every=lambda: (graph.spin(0.1), camera.publish()))
    assert seen[-1].detector == "learned"
    mug, = seen[-1].detections
    assert mug.label == "mug" and mug.instance == "" and len(mug.embedding) == 8
    assert mug.centroid.z == pytest.approx(0.93, abs=0.02)


def said(*words):
    """Exit status and what `dadu` printed and complained of; the middleware prints, too, where two take one port."""
    done = subprocess.run([sys.executable, "-m", "dadu.cli", *words], capture_output=True, text=True)
    printed = [line for line in done.stdout.strip().splitlines() if "RTPS_" not in line]
    return done.returncode, "\n".join(printed), done.stderr.strip()


def test_who_is_shown_a_thing_calls_it_so(graph, start_node):
    seen = graph.collect(DetectionArray, "/perception/detections", qos.STATE)
    told = graph.collect(WorldGraph, "/world_graph", qos.LATCHED)
    start_node("perception", detector="learned", weights=str(COLOURS), house="flat")
    start_node("memory", known="nothing")
    camera = Camera(graph, instances=False, boxes=[BOXES[0], replace(BOXES[1], color=(200, 60, 0))])
    graph.until(lambda: camera.connected() and told)
    graph.until(lambda: any(e.id == "mug_0" for e in told[-1].entities),
                every=lambda: (graph.spin(0.1), camera.publish()))
    assert said("teach", "mug_0", "harmonica") == (0, "called mug_0 harmonica, and what looks like it from now on", "")
    status, _, error = said("teach", "sofa_7", "couch")
    assert status == 2 and error.startswith("dadu: nothing called 'sofa_7' is known")
    graph.until(lambda: seen[-1].detections and seen[-1].detections[0].label == "harmonica",
                every=lambda: (graph.spin(0.1), camera.publish()))
    assert [(e.id, e.category) for e in told[-1].entities if e.kind == "object"] == [("mug_0", "harmonica")]
    assert said("teach")[1].splitlines()[-1].split()[:2] == ["mug_0", "harmonica"]
