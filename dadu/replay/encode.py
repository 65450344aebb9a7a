"""The library's types as messages for a bag, the inverse of `dadu.replay.messages`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from dadu.core.geometry import quaternion
from dadu.core.robot import JointTrajectory, Twist
from dadu.goals.goal import Goal
from dadu.operator.run.pictures import compress
from dadu.planner.step import Step
from dadu.replay.messages import attributes_of
from dadu.replay.types import message_types
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.world.detection import Detection, DetectionFrame, as_text
from dadu.world.graph import Articulation, Entity, Surface, WorldGraph

_new = message_types


def stamp(t: float, kind: str = "Time") -> Any:
    """Time, or Duration, of `t` [s]."""
    sec, nanosec = divmod(round(t * 1e9), 1_000_000_000)
    return _new()(f"builtin_interfaces/{kind}", sec=sec, nanosec=nanosec)


def header(t: float, frame: str = "map") -> Any:
    return _new()("std_msgs/Header", stamp=stamp(t), frame_id=frame)


def transforms(t: float, links: Mapping[tuple[str, str], np.ndarray]) -> Any:
    """A TFMessage of poses (4, 4) by parent and child."""
    make = _new()
    return make("tf2_msgs/TFMessage", transforms=[
        make("geometry_msgs/TransformStamped", header=header(t, parent), child_frame_id=child,
             transform=make("geometry_msgs/Transform", translation=_xyz("Vector3", T[:3, 3]),
                            rotation=_orientation(T[:3, :3]))) for (parent, child), T in links.items()])


def joints(t: float, positions: Mapping[str, float], efforts: Mapping[str, float]) -> Any:
    return _new()("sensor_msgs/JointState", header=header(t, ""), name=list(positions),
                  position=np.array(list(positions.values()), float),
                  effort=np.array([efforts.get(name, 0.0) for name in positions], float))


def twist(twist: Twist) -> Any:
    make = _new()
    return make("geometry_msgs/Twist", linear=make("geometry_msgs/Vector3", x=twist.vx, y=twist.vy),
                angular=make("geometry_msgs/Vector3", z=twist.wz))


def trajectory(t: float, trajectory: JointTrajectory) -> Any:
    """All waypoints name the first one's joints."""
    make, names = _new(), list(trajectory.waypoints[0].positions) if trajectory.waypoints else []
    points = [make("trajectory_msgs/JointTrajectoryPoint", time_from_start=stamp(w.time, "Duration"),
                   positions=np.array([w.positions[name] for name in names], float)) for w in trajectory.waypoints]
    return make("trajectory_msgs/JointTrajectory", header=header(t, ""), joint_names=names, points=points)


def camera_info(t: float, frame: str, K: np.ndarray, shape: tuple[int, int]) -> Any:
    P = np.hstack([K, np.zeros((3, 1))]).ravel()
    return _new()("sensor_msgs/CameraInfo", header=header(t, frame), height=shape[0], width=shape[1],
                  distortion_model="plumb_bob", d=np.zeros(5), k=K.ravel().astype(float), r=np.eye(3).ravel(), p=P)


def picture(t: float, frame: str, pixels: np.ndarray, encoding: str, quality: int = 0) -> Any:
    """A CompressedImage, as `compress` makes it. Errors: ValueError for an `encoding` that is kept raw."""
    compressed = compress(pixels, encoding, quality)
    if compressed is None:
        raise ValueError(f"pictures in {encoding} are not compressed")
    format, data = compressed
    return _new()("sensor_msgs/CompressedImage", header=header(t, frame), format=format,
                  data=np.frombuffer(data, np.uint8))


def instance_names(t: float, names: list[str], categories: list[str]) -> Any:
    """A GroundTruth that holds no more than the table of names."""
    return _new()("dadu_interfaces/GroundTruth", header=header(t), instance_names=names,
                  instance_categories=categories)


def detections(frame: DetectionFrame) -> Any:
    make, T = _new(), frame.T_map_camera
    return make("dadu_interfaces/DetectionArray", header=header(frame.stamp),
                camera=make("geometry_msgs/Pose", position=_xyz("Point", T[:3, 3]),
                            orientation=_orientation(T[:3, :3])),
                k=frame.K.ravel().astype(float), width=frame.width, height=frame.height,
                depth=frame.depth.ravel().astype(np.float32), depth_width=frame.depth.shape[1],
                detector=frame.detector, detections=[_detection(d) for d in frame.detections])


def graph(graph: WorldGraph, revision: int, t: float) -> Any:
    make = _new()
    edges = sorted(graph.edges, key=lambda e: (e.subject, e.relation.value, e.object))
    return make("dadu_interfaces/WorldGraph", header=header(t), revision=revision,
                entities=[_entity(e) for e in graph.entities.values()],
                edges=[make("dadu_interfaces/Edge", subject=e.subject, relation=e.relation.value, object=e.object,
                            part=e.part) for e in edges])


def call(call: SkillCall) -> Any:
    return _new()("dadu_interfaces/SkillCall", skill=call.skill, arguments=list(call.arguments))


def result(result: SkillResult) -> Any:
    return _new()("dadu_interfaces/Outcome", code=int(result.code), detail=result.detail, message=result.message,
                  target=result.target)


def step(step: Step, task: str, instruction: str, goal: Goal | None = None) -> Any:
    """A turn of the planner, chosen or finished."""
    decision, ended = step.decision, step.result is not None
    fields: dict[str, Any] = {}
    if ended:
        fields = {"outcome": result(step.outcome), "elapsed": stamp(max(0.0, step.end - step.start), "Duration")}
    return _new()("dadu_interfaces/PlanStep", header=header(step.end if ended else step.start), task_id=task,
                  instruction=instruction, step=step.index, policy=decision.policy, reasoning=decision.told,
                  call=call(step.call), finished=ended, planning_time=stamp(step.planning, "Duration"),
                  plan=[call(c) for c in decision.plan], goal=json.dumps(goal.to_suite()) if goal is not None else "",
                  tokens_in=decision.tokens_in, tokens_out=decision.tokens_out, prompt=decision.prompt,
                  reply=decision.reply, schema=decision.schema, **fields)


def record(step: Step, task: str) -> Any:
    """A skill execution that has ended."""
    return _new()("dadu_interfaces/SkillRecord", start=stamp(step.start), end=stamp(step.end), task_id=task,
                  step=step.index, call=call(step.call), outcome=result(step.outcome))


def _detection(d: Detection) -> Any:
    make, (x, y, width, height), said = _new(), d.box, as_text(d)
    return make("dadu_interfaces/Detection", label=d.label, score=float(d.score),
                box=make("sensor_msgs/RegionOfInterest", x_offset=int(x), y_offset=int(y), width=int(width),
                         height=int(height)),
                pixels=int(d.pixels), centroid=_xyz("Point", d.centroid), size=_xyz("Vector3", d.size),
                points=np.asarray(d.points, np.float32).ravel(), attribute_names=list(said),
                attribute_values=list(said.values()), instance=d.instance, truncated=bool(d.truncated),
                other_labels=[label for label, _ in d.others],
                other_scores=np.array([score for _, score in d.others], np.float32),
                embedding=np.zeros(0, np.float32) if d.embedding is None else np.asarray(d.embedding, np.float32))


def _entity(e: Entity) -> Any:
    make, attributes = _new(), attributes_of(e)
    return make("dadu_interfaces/Entity", id=e.id, kind=e.kind.value, category=e.category,
                position=_xyz("Point", e.position), yaw=float(e.yaw), size=_xyz("Vector3", e.size),
                aliases=list(e.aliases), attribute_names=list(attributes),
                attribute_values=list(attributes.values()), state_names=list(e.states),
                state_values=np.array(list(e.states.values()), bool),
                polygon=[make("geometry_msgs/Point32", x=float(x), y=float(y)) for x, y in e.polygon],
                surfaces=[_surface(s) for s in e.surfaces], parts=[_part(p) for p in e.parts],
                provenance=e.provenance, stamp=stamp(e.stamp), confidence=float(e.confidence), pixels=int(e.pixels))


def _surface(s: Surface) -> Any:
    make = _new()
    pose = make("geometry_msgs/Pose2D", x=float(s.pose.x), y=float(s.pose.y), theta=float(s.pose.yaw))
    return make("dadu_interfaces/Surface", name=s.name, pose=pose, height=float(s.height), length=float(s.size[0]),
                width=float(s.size[1]), clearance=float(s.clearance), inside=s.inside, part=s.part)


def _part(p: Articulation) -> Any:
    return _new()("dadu_interfaces/Articulation", name=p.name, kind=p.kind, origin=_xyz("Point", p.origin),
                  axis=_xyz("Vector3", p.axis), handle=_xyz("Point", p.handle),
                  handle_axis=_xyz("Vector3", p.handle_axis), normal=_xyz("Vector3", p.normal), range=float(p.range),
                  value=float(p.value))


def _xyz(kind: str, p: Any) -> Any:
    return _new()(f"geometry_msgs/{kind}", x=float(p[0]), y=float(p[1]), z=float(p[2]))


def _orientation(R: np.ndarray) -> Any:
    x, y, z, w = quaternion(R)
    return _new()("geometry_msgs/Quaternion", x=x, y=y, z=z, w=w)
