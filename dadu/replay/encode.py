"""The library's types as messages, the inverse of `dadu.replay.messages`; for ROS and for a bag written without it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dadu.core.geometry import quaternion
from dadu.core.robot import JointTrajectory, Twist
from dadu.replay.messages import attributes_of
from dadu.skills.call import SkillCall
from dadu.skills.outcome import SkillResult
from dadu.world.detection import Detection, DetectionFrame, Exemplar, as_text
from dadu.world.graph import Articulation, Entity, Surface, WorldGraph

if TYPE_CHECKING:
    from dadu.goals.goal import Goal
    from dadu.planner.step import Step
    from dadu.team.messages import TeamMessage
    from dadu.team.world import SharedSights


@dataclass(frozen=True)
class Encoder:
    """Messages in frame map, unless another one is named."""

    new: Callable[..., Any]
    """a message of a type, ``package/Name``, with these fields and no others set"""

    def stamp(self, t: float, kind: str = "Time") -> Any:
        """Time, or Duration, of `t` [s]."""
        sec, nanosec = divmod(round(t * 1e9), 1_000_000_000)
        return self.new(f"builtin_interfaces/{kind}", sec=sec, nanosec=nanosec)

    def header(self, t: float, frame: str = "map") -> Any:
        return self.new("std_msgs/Header", stamp=self.stamp(t), frame_id=frame)

    def transforms(self, t: float, links: Mapping[tuple[str, str], np.ndarray]) -> Any:
        """A TFMessage of poses (4, 4) by parent and child."""
        return self.new("tf2_msgs/TFMessage", transforms=[
            self.new("geometry_msgs/TransformStamped", header=self.header(t, parent), child_frame_id=child,
                     transform=self.new("geometry_msgs/Transform", translation=self._xyz("Vector3", T[:3, 3]),
                                        rotation=self._orientation(T[:3, :3])))
            for (parent, child), T in links.items()])

    def joints(self, t: float, positions: Mapping[str, float], efforts: Mapping[str, float]) -> Any:
        return self.new("sensor_msgs/JointState", header=self.header(t, ""), name=list(positions),
                        position=np.array(list(positions.values()), float),
                        effort=np.array([efforts.get(name, 0.0) for name in positions], float))

    def twist(self, twist: Twist) -> Any:
        return self.new("geometry_msgs/Twist", linear=self._xyz("Vector3", (twist.vx, twist.vy, 0.0)),
                        angular=self._xyz("Vector3", (0.0, 0.0, twist.wz)))

    def trajectory(self, trajectory: JointTrajectory, t: float = 0.0) -> Any:
        """All waypoints name the first one's joints; `t` 0: it starts at once."""
        names = list(trajectory.waypoints[0].positions) if trajectory.waypoints else []
        points = [self.new("trajectory_msgs/JointTrajectoryPoint", time_from_start=self.stamp(w.time, "Duration"),
                           positions=np.array([w.positions[name] for name in names], float))
                  for w in trajectory.waypoints]
        return self.new("trajectory_msgs/JointTrajectory", header=self.header(t, ""), joint_names=names, points=points)

    def camera_info(self, t: float, frame: str, K: np.ndarray, shape: tuple[int, int]) -> Any:
        P = np.hstack([K, np.zeros((3, 1))]).ravel()
        return self.new("sensor_msgs/CameraInfo", header=self.header(t, frame), height=shape[0], width=shape[1],
                        distortion_model="plumb_bob", d=np.zeros(5), k=K.ravel().astype(float), r=np.eye(3).ravel(),
                        p=P)

    def instance_names(self, t: float, names: list[str], categories: list[str]) -> Any:
        """A GroundTruth that holds no more than the table of names."""
        return self.new("dadu_interfaces/GroundTruth", header=self.header(t), instance_names=names,
                        instance_categories=categories)

    def detections(self, frame: DetectionFrame) -> Any:
        T = frame.T_map_camera
        camera = self.new("geometry_msgs/Pose", position=self._xyz("Point", T[:3, 3]),
                          orientation=self._orientation(T[:3, :3]))
        return self.new(
            "dadu_interfaces/DetectionArray", header=self.header(frame.stamp), camera=camera,
            k=frame.K.ravel().astype(float), width=frame.width, height=frame.height,
            depth=frame.depth.ravel().astype(np.float32), depth_width=frame.depth.shape[1], detector=frame.detector,
            detections=[self._detection(d) for d in frame.detections])

    def examples(self, shown: Iterable[Exemplar]) -> Any:
        """A DetectionArray with the category of each and how it looks, and nothing else."""
        return self.new("dadu_interfaces/DetectionArray", detections=[
            self.new("dadu_interfaces/Detection", label=one.category, embedding=np.asarray(one.look, np.float32))
            for one in shown])

    def graph(self, graph: WorldGraph, revision: int, t: float) -> Any:
        edges = sorted(graph.edges, key=lambda e: (e.subject, e.relation.value, e.object))
        return self.new(
            "dadu_interfaces/WorldGraph", header=self.header(t), revision=revision,
            entities=[self._entity(e) for e in graph.entities.values()],
            edges=[self.new("dadu_interfaces/Edge", subject=e.subject, relation=e.relation.value, object=e.object,
                            part=e.part) for e in edges])

    def team_message(self, message: TeamMessage, task: str) -> Any:
        new = self.new("dadu_interfaces/TeamMessage", stamp=self.stamp(message.stamp), task=task, sender=message.sender,
                       job=message.job, to=message.to, reason=message.reason)
        new.act = getattr(new, message.act.name)
        return new

    def told(self, told: SharedSights, t: float) -> Any:
        """A TeamWorld."""
        return self.new("dadu_interfaces/TeamWorld", header=self.header(t), agent=told.by,
                        seen=self.graph(told.seen, 0, t), gone=list(told.gone),
                        gone_at=[self.stamp(at) for at in told.gone.values()])

    def call(self, call: SkillCall) -> Any:
        return self.new("dadu_interfaces/SkillCall", skill=call.skill, arguments=list(call.arguments))

    def result(self, result: SkillResult) -> Any:
        return self.new("dadu_interfaces/Outcome", code=int(result.code), detail=result.detail, message=result.message,
                        target=result.target, by=result.by)

    def step(self, step: Step, task: str, instruction: str, goal: Goal | None = None) -> Any:
        """One message a turn when the action is chosen, one when its outcome is known."""
        decision, ended = step.decision, step.result is not None
        outcome = {} if not ended else {
            "outcome": self.result(step.outcome), "elapsed": self.stamp(max(0.0, step.end - step.start), "Duration")}
        return self.new(
            "dadu_interfaces/PlanStep", header=self.header(step.end if ended else step.start), task_id=task,
            instruction=instruction, step=step.index, policy=decision.policy, reasoning=decision.told,
            call=self.call(step.call), finished=ended, planning_time=self.stamp(step.planning, "Duration"),
            plan=[self.call(c) for c in decision.plan],
            goal=json.dumps(goal.to_suite()) if goal is not None else "", substitutions=list(step.substitutions),
            tokens_in=decision.tokens_in, tokens_out=decision.tokens_out, prompt=decision.prompt,
            reply=decision.reply, schema=decision.schema, **outcome)

    def record(self, step: Step, task: str) -> Any:
        """What memory, recorder and console learn of a step that has ended. Errors: ValueError for one that has not."""
        return self.new("dadu_interfaces/SkillRecord", start=self.stamp(step.start), end=self.stamp(step.end),
                        task_id=task, step=step.index, call=self.call(step.call), outcome=self.result(step.outcome))

    def _detection(self, d: Detection) -> Any:
        (x, y, width, height), said = d.box, as_text(d)
        box = self.new("sensor_msgs/RegionOfInterest", x_offset=int(x), y_offset=int(y), width=int(width),
                       height=int(height))
        return self.new(
            "dadu_interfaces/Detection", label=d.label, score=float(d.score), box=box, pixels=int(d.pixels),
            centroid=self._xyz("Point", d.centroid), size=self._xyz("Vector3", d.size),
            points=np.asarray(d.points, np.float32).ravel(), attribute_names=list(said),
            attribute_values=list(said.values()), instance=d.instance, truncated=bool(d.truncated),
            other_labels=[label for label, _ in d.others],
            other_scores=np.array([score for _, score in d.others], np.float32),
            embedding=np.array([] if d.embedding is None else d.embedding, np.float32).ravel())

    def _entity(self, e: Entity) -> Any:
        attributes = attributes_of(e)
        return self.new(
            "dadu_interfaces/Entity", id=e.id, kind=e.kind.value, category=e.category,
            position=self._xyz("Point", e.position), yaw=float(e.yaw), size=self._xyz("Vector3", e.size),
            aliases=list(e.aliases), attribute_names=list(attributes), attribute_values=list(attributes.values()),
            state_names=list(e.states), state_values=list(e.states.values()),
            polygon=[self.new("geometry_msgs/Point32", x=float(x), y=float(y)) for x, y in e.polygon],
            surfaces=[self._surface(s) for s in e.surfaces], parts=[self._part(p) for p in e.parts],
            provenance=e.provenance, stamp=self.stamp(e.stamp), confidence=float(e.confidence), pixels=int(e.pixels))

    def _surface(self, s: Surface) -> Any:
        pose = self.new("geometry_msgs/Pose2D", x=float(s.pose.x), y=float(s.pose.y), theta=float(s.pose.yaw))
        return self.new("dadu_interfaces/Surface", name=s.name, pose=pose, height=float(s.height),
                        length=float(s.size[0]), width=float(s.size[1]), clearance=float(s.clearance), inside=s.inside,
                        part=s.part)

    def _part(self, p: Articulation) -> Any:
        return self.new(
            "dadu_interfaces/Articulation", name=p.name, kind=p.kind, origin=self._xyz("Point", p.origin),
            axis=self._xyz("Vector3", p.axis), handle=self._xyz("Point", p.handle),
            handle_axis=self._xyz("Vector3", p.handle_axis), normal=self._xyz("Vector3", p.normal),
            range=float(p.range), value=float(p.value))

    def _xyz(self, kind: str, p: Any) -> Any:
        return self.new(f"geometry_msgs/{kind}", x=float(p[0]), y=float(p[1]), z=float(p[2]))

    def _orientation(self, R: np.ndarray) -> Any:
        x, y, z, w = quaternion(R)
        return self.new("geometry_msgs/Quaternion", x=x, y=y, z=z, w=w)
