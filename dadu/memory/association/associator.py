"""From detections to the world graph: one physical thing stays one entity, two stay two."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from dadu.core.geometry import Pose2, vector3
from dadu.knowledge.house_words import DetectorVocabulary
from dadu.memory.association.alike import find_alike, is_part
from dadu.memory.association.articulation_estimator import ArticulationEstimator
from dadu.memory.association.drift import common_offset
from dadu.memory.association.duplicates import merge_duplicates
from dadu.memory.association.estimate import fuse
from dadu.memory.association.furniture import all_told, see_furniture, unused_id
from dadu.memory.association.labels import SURE, Labels, View, same_place, view_of
from dadu.memory.association.matching import assign, colors_differ, same_kind
from dadu.memory.association.parts import PartReadings
from dadu.memory.association.slipped import unite
from dadu.memory.association.states import SeenStates
from dadu.memory.association.tentative_tracks import TentativeTracks
from dadu.memory.association.visibility import Visibility, look_at
from dadu.memory.settings import MemorySettings
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import Edge, Entity, Kind, WorldGraph
from dadu.world.support import place_entity


@dataclass(frozen=True)
class ObserverPose:
    """Where the robot is while it looks."""

    base: Pose2
    tool: tuple[float, float, float] | None = None
    """grasp centre in map [m], where it is known"""
    aperture: float | None = None
    """gap between the fingertips [m], where it is known"""
    gripped: bool | None = None
    """whether the fingers have hold of something, where it is known"""

    @property
    def hand(self) -> np.ndarray:
        """Where a held thing is taken to be, (3,) [m] in map."""
        return np.array(self.tool if self.tool is not None else (self.base.x, self.base.y, 0.8))


@dataclass
class Associator:
    """Keeps `graph` in step with what is seen. `lost` holds things that are no longer where they were, until they turn
    up; `births` says when a thing was first seen; `released` is what the hand let go of last."""

    graph: WorldGraph
    settings: MemorySettings = field(default_factory=MemorySettings)
    vocabulary: DetectorVocabulary = field(default_factory=DetectorVocabulary)
    lost: dict[str, Entity] = field(default_factory=dict)
    births: dict[str, float] = field(default_factory=dict)
    released: str = ""
    taken_from: tuple[Entity, frozenset[Edge]] | None = None
    """what the hand took last, as it stood before, with its edges"""
    labels: Labels = field(default_factory=Labels)
    states: SeenStates = field(default_factory=SeenStates)
    articulations: ArticulationEstimator = field(default_factory=ArticulationEstimator)
    sighted: dict[str, Detection] = field(default_factory=dict)
    """objects in the newest picture, without what the fingers are at"""
    _touched: dict[str, float] = field(default_factory=dict)
    _best_view: dict[str, int] = field(default_factory=dict)
    _empty_views: dict[str, int] = field(default_factory=dict)
    _apart: set[frozenset[str]] = field(default_factory=set)
    _tentative: TentativeTracks = field(default_factory=TentativeTracks)
    _readings: PartReadings = field(default_factory=PartReadings)

    def update(self, frame: DetectionFrame, body: ObserverPose) -> None:
        """One picture: furniture; things matched to things; places that are empty; things new, or moved, or back."""
        self.sighted = {}
        furniture, objects = self._sorted_by_kind(frame.detections)
        pieces = see_furniture(self.graph, furniture, frame.stamp, self.vocabulary, self.settings.association,
                               self._apart, self.labels, self._tentative, self._readings,
                               frame.T_map_camera[:3, 3])
        for index, id in pieces.items():
            self._look_closer(self.graph[id], furniture[index], frame, body)
        self._give_up_pieces(frame, set(pieces.values()))

        known = self.graph.of(Kind.OBJECT)
        held = self.graph.held()
        matches = self._match(objects, known, held, body)
        self._apart |= {frozenset((a.id, b.id)) for a, b in combinations(matches.values(), 2)}
        for index, entity in matches.items():
            self._confirm(entity, objects[index], frame, held, self._is_handled(entity, objects[index], body))

        seen = {entity.id for entity in matches.values()}
        vacated, passed_over = self._missed(frame, [e for e in known if e.id not in seen and e != held])
        for index in range(len(objects)):
            if index not in matches and not self._is_no_thing(index, objects, matches, held, body):
                self._create_or_reidentify(objects[index], frame, vacated, passed_over)
        for entity in vacated:
            if not self._in_reach(entity, body, frame.stamp):
                self._count_empty_view(entity)
        looks = self._looks(self.graph.of(Kind.OBJECT))
        for kept, id in merge_duplicates(self.graph, seen, self.births, self._apart, looks):
            self._empty_views.pop(id, None)
            self.graph.put(self._called(self.graph[kept], self.labels.unite(self.graph[kept], id)))
        self.find_released()

    def _look_closer(self, piece: Entity, detection: Detection, frame: DetectionFrame, body: ObserverPose) -> None:
        """What else a whole sighting of a piece tells: its doors and drawers, where nobody told of them; its states."""
        piece = self.articulations.see(piece, detection, None if body.tool is None else np.array(body.tool))
        if detection.states:
            piece = replace(piece, states=self._states(piece, detection, frame))
        self.graph.put(piece)

    def _give_up_pieces(self, frame: DetectionFrame, seen: Collection[str]) -> None:
        """Where somebody told which furniture there is, a piece that nobody told of is none after all once its place
        was seen empty: a robot a metre off has seen all that stands there a second time."""
        pieces = self.graph.of(Kind.FURNITURE) if all_told(self.graph) else []
        for piece in [piece for piece in pieces if piece.provenance == "detection"]:
            if piece.id in seen:
                self._empty_views.pop(piece.id, None)
            elif look_at(frame, *piece.bounds(), self.settings.forgetting) is Visibility.EMPTY:
                views = self._empty_views[piece.id] = self._empty_views.get(piece.id, 0) + 1
                if views >= self.settings.forgetting.views:
                    del self._empty_views[piece.id]
                    self.graph.remove(piece.id)

    def find_released(self) -> None:
        """What the hand let go of, if it has turned up since, or had been seen lying before the fingers felt empty."""
        found = unite(self.graph, self.released, self.births, self.settings.association)
        if found is not None:
            self.births.pop(found, None)
            self._empty_views.pop(found, None)

    def _missed(self, frame: DetectionFrame, unseen: list[Entity]) -> tuple[list[Entity], list[Entity]]:
        """Of things that were not detected: those whose place is seen to be empty, and those where something is."""
        sights = [(e, look_at(frame, *e.bounds(), self.settings.forgetting)) for e in unseen]
        return ([e for e, sight in sights if sight is Visibility.EMPTY],
                [e for e, sight in sights if sight is Visibility.OCCUPIED])

    def _match(self, objects: list[Detection], known: list[Entity], held: Entity | None, body: ObserverPose
               ) -> dict[int, Entity]:
        """Known things by the detection's index: where they are expected, localisation's drift taken off; then where
        they are without it; then under another name."""
        offset = common_offset(objects, [e for e in known if e != held], self.settings.association.drift)
        matches: dict[int, Entity] = {}
        for shift in (offset, np.zeros(3)) if offset.any() else (offset,):
            indices, left = _unmatched(objects, known, matches)
            found = assign([objects[i] for i in indices], left,
                           {e.id: self._expected(e, held, body, shift) for e in left})
            matches |= {indices[i]: entity for i, entity in found.items()}
        for found_elsewise in (self._alike, same_place):
            indices, left = _unmatched(objects, known, matches)
            matches |= found_elsewise(objects, indices, [e for e in left if e != held])
        return matches

    def _alike(self, objects: Sequence[Detection], indices: Sequence[int], entities: Sequence[Entity]
               ) -> dict[int, Entity]:
        return find_alike(objects, indices, entities, self._looks(entities))

    def _looks(self, entities: Iterable[Entity]) -> dict[str, np.ndarray]:
        """Mean embeddings by id, of those that have one."""
        return {e.id: look for e in entities if (look := self.labels.look(e.id)) is not None}

    def lose(self, id: str) -> None:
        """The thing is not where it was. Where it has been met since under another name, that name stays."""
        entity = self.graph[id]
        self.graph.remove(id)
        self._empty_views.pop(id, None)
        newcomer = next((e for e in self.graph.of(Kind.OBJECT) if self._is_newcomer(e, entity)), None)
        if newcomer is None:
            self.lost[id] = entity
        else:
            self.graph.change(newcomer.id, aliases=_union(newcomer.aliases, entity.aliases, (id,)),
                              attributes=newcomer.attributes | entity.attributes)

    def recover(self, id: str) -> None:
        """Takes up a lost thing again that has turned up by other means than sight."""
        if id in self.lost:
            self.graph.put(self.lost.pop(id))

    def _sorted_by_kind(self, detections: Sequence[Detection]) -> tuple[list[Detection], list[Detection]]:
        furniture: list[Detection] = []
        objects: list[Detection] = []
        for detection in detections:
            if not (detection.label and np.isfinite([*detection.centroid, *detection.size]).all()):
                continue  # a detector's nonsense must not get into the graph, where it would stay
            kind = self.vocabulary.kind(detection, self.graph, self.settings.association.furniture_size)
            (furniture if kind is Kind.FURNITURE else objects).append(detection)
        return furniture, objects

    def _expected(self, entity: Entity, held: Entity | None, body: ObserverPose, offset: np.ndarray
                  ) -> tuple[np.ndarray, float]:
        """Where to look for a thing (3,) [m], and how far around [m]."""
        association = self.settings.association
        if held is not None and entity.id == held.id:
            near = association.held_gate + max(entity.size) / 2
            return body.hand, near if body.tool is not None else association.reach
        gate = getattr(association.gate, entity.provenance, association.gate.detection)
        return np.array(entity.position) + offset, gate + float(np.linalg.norm(entity.size)) / 2

    def _is_no_thing(self, index: int, objects: Sequence[Detection], matches: Mapping[int, Entity],
                     held: Entity | None, body: ObserverPose) -> bool:
        """True if a detection that is nothing known is only a part of something: of what the hand holds, or of what the
        same picture shows more of."""
        detection = objects[index]
        whole = [other for i, other in enumerate(objects) if i in matches or other.pixels > detection.pixels]
        return self._is_load(detection, held, body) or is_part(detection, whole)

    def _is_load(self, detection: Detection, held: Entity | None, body: ObserverPose) -> bool:
        """True if it is seen where the hand is, under another name, by a detector that wavers: then it is what the hand
        holds, or a finger."""
        if held is None or body.tool is None or detection.score >= SURE:
            return False
        near = self.settings.association.held_gate + max(held.size) / 2
        return bool(np.linalg.norm(detection.centroid - body.hand) <= near)

    def _is_handled(self, entity: Entity, detection: Detection, body: ObserverPose) -> bool:
        """True if the fingers are at it: a detector that wavers then takes them for a part of it."""
        if body.tool is None or detection.score >= SURE:
            return False
        away = float(np.linalg.norm(np.subtract(entity.position, body.tool)))
        return away < self.settings.association.hand_radius

    def _confirm(self, entity: Entity, detection: Detection, frame: DetectionFrame, held: Entity | None,
                 handled: bool) -> None:
        in_hand = held is not None and entity.id == held.id
        fused = entity if in_hand or handled else fuse(entity, detection, self.settings.association.jitter)
        self._empty_views.pop(entity.id, None)
        category = self.labels.vote(entity, detection, _view(detection, frame))
        self.graph.put(replace(
            self._called(fused, category), attributes=self._attributes(entity, detection),
            states=self._states(entity, detection, frame), stamp=frame.stamp, pixels=detection.pixels,
            provenance="detection", confidence=max(detection.score, min(1.0, entity.confidence))))
        if not in_hand:
            place_entity(self.graph, entity.id, self.settings.association)
        if not in_hand and not handled:
            self.sighted[entity.id] = detection

    def _called(self, entity: Entity, category: str) -> Entity:
        """Under its name, and with what else it may be."""
        aliases = entity.aliases if category == entity.category else self.vocabulary.aliases(category)
        named = replace(entity, category=category, aliases=aliases)
        return replace(named, may_be=self.labels.may_be(named))

    def _attributes(self, entity: Entity, detection: Detection) -> dict[str, str]:
        """What was known beforehand stays; what was seen is as seen best."""
        better = entity.id in self.births and detection.pixels > self._best_view.get(entity.id, 0)
        if better:
            self._best_view[entity.id] = detection.pixels
        return entity.attributes | detection.attributes if better else detection.attributes | entity.attributes

    def _states(self, entity: Entity, detection: Detection, frame: DetectionFrame) -> dict[str, bool]:
        return self.states.see(entity, detection.states, _view(detection, frame), frame.stamp)

    def _in_reach(self, entity: Entity, body: ObserverPose, stamp: float) -> bool:
        """True if the fingers are at it, or were a moment ago: they may have it, though the outcome is not told yet."""
        association = self.settings.association
        if body.tool is not None and np.linalg.norm(np.subtract(entity.position, body.tool)) < association.hand_radius:
            self._touched[entity.id] = stamp
        return 0 <= stamp - self._touched.get(entity.id, -np.inf) < association.hand_time

    def _create_or_reidentify(self, detection: Detection, frame: DetectionFrame, vacated: list[Entity],
                              passed_over: list[Entity]) -> None:
        """A thing where none was known: one that has left its place, or a new one. One whose place was in view without
        it being seen there (`passed_over`), and that is near, is this one: the robot's localisation has drifted."""
        returning = (_likeliest(detection, [*vacated, *self.lost.values()])
                     or _likeliest(detection, [e for e in passed_over if self._drifted(detection, e)]))
        if returning is not None:
            vacated[:] = [e for e in vacated if e.id != returning.id]
            passed_over[:] = [e for e in passed_over if e.id != returning.id]
            self.lost.pop(returning.id, None)
            self._empty_views.pop(returning.id, None)
            entity = returning
        elif detection.score < self.settings.association.score:
            return
        else:
            entity = Entity(unused_id(self.graph, detection.label, list(self.lost)), Kind.OBJECT, detection.label,
                            aliases=self.vocabulary.aliases(detection.label))
            self.births[entity.id] = frame.stamp
            self.labels.begin(entity)
        self.labels.vote(entity, detection, _view(detection, frame))
        self.graph.put(replace(
            self._called(entity, entity.category), position=vector3(detection.centroid),
            size=vector3(detection.size), yaw=0.0,
            attributes=self._attributes(entity, detection), states=self._states(entity, detection, frame),
            stamp=frame.stamp, confidence=detection.score,
            pixels=detection.pixels, provenance="detection"))
        place_entity(self.graph, entity.id, self.settings.association)
        self.sighted[entity.id] = detection

    def _count_empty_view(self, entity: Entity) -> None:
        views = self._empty_views.get(entity.id, 0) + 1
        self._empty_views[entity.id] = views
        if views >= self.settings.forgetting.views:
            self.lose(entity.id)

    def _drifted(self, detection: Detection, entity: Entity) -> bool:
        away = float(np.linalg.norm(detection.centroid - np.array(entity.position)))
        return away <= self.settings.association.drift

    def _is_newcomer(self, candidate: Entity, gone: Entity) -> bool:
        """True if `candidate`, first seen after `gone` was last seen, may be the same thing."""
        return (candidate.category == gone.category and self.births.get(candidate.id, -np.inf) > gone.stamp
                and not colors_differ(candidate.attributes, gone.attributes))


def _view(detection: Detection, frame: DetectionFrame) -> View:
    return view_of(frame.T_map_camera[:3, 3], detection.centroid)


def _unmatched(objects: Sequence[Detection], known: Sequence[Entity], matches: dict[int, Entity]
               ) -> tuple[list[int], list[Entity]]:
    taken = {entity.id for entity in matches.values()}
    return [i for i in range(len(objects)) if i not in matches], [e for e in known if e.id not in taken]


def _likeliest(detection: Detection, candidates: Sequence[Entity]) -> Entity | None:
    """The nearest of the things that the detection could be."""
    alike = [e for e in candidates if same_kind(detection, e)]
    return min(alike, key=lambda e: float(np.linalg.norm(np.subtract(e.position, detection.centroid))), default=None)


def _union(*groups: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))
