"""From detections to the world graph: one physical thing stays one entity, two stay two.

Of every picture one assignment is made: each detection is a known thing, where it was or elsewhere, a part of something
else that the picture shows, or new; each known thing is seen, missed, or seen to be gone. The assignment that is
likeliest as a whole counts (`dadu.memory.association.likelihood`), under the likeliest error of localisation.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from dadu.core.geometry import Pose2, vector3
from dadu.knowledge.house_words import DetectorVocabulary
from dadu.memory.association.articulation_estimator import ArticulationEstimator
from dadu.memory.association.estimate import fuse, has_moved
from dadu.memory.association.furniture import all_told, see_furniture, unused_id
from dadu.memory.association.labels import SURE, Labels, View, view_of
from dadu.memory.association.likelihood import AROUND, NEVER, likeness, remembered, same_thing, seen
from dadu.memory.association.parts import PartReadings
from dadu.memory.association.picture import Track, assign
from dadu.memory.association.states import SeenStates
from dadu.memory.association.tentative_tracks import TentativeTracks
from dadu.memory.association.visibility import Visibility, look_at
from dadu.memory.settings import MemorySettings
from dadu.world.detection import Detection, DetectionFrame
from dadu.world.graph import UNIDENTIFIED, Edge, Entity, Kind, Relation, WorldGraph
from dadu.world.names import PERSON
from dadu.world.support import place_entity

GUESS = 0.5
"""confidence, at most, in where something is that slipped from the hand"""
FELT = 3.0
"""after so long [s] at most the fingers' being empty is felt: it may have been seen lying before"""
FALL = 0.5
"""standard deviation of where it comes to lie [m, on the floor]"""
DOUBLE = 1.0
"""ratio from which on two entries are one thing: both were believed"""
GONE = -2.0
"""ratio for a thing that has left its place to be what is seen elsewhere, by that alone"""
_HAND_TIME = 20.0
"""after a hand was at a thing, for so long no view of its place proves it gone [s]"""


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
        """Takes in one picture."""
        self.sighted = {}
        furniture, objects = self._sorted_by_kind(frame.detections, frame.stamp)
        pieces = see_furniture(self.graph, furniture, frame.stamp, self.vocabulary, self.settings.association,
                               self._apart, self.labels, self._tentative, self._readings,
                               frame.T_map_camera[:3, 3])
        for index, id in pieces.items():
            self._look_closer(self.graph[id], furniture[index], frame, body)
        self._give_up_pieces(frame, set(pieces.values()))

        tracks = self._tracks(frame, objects, body)
        matches = assign([seen(detection) for detection in objects], tracks, self.settings.association.drift)
        for index, track in matches.items():
            self._confirm(track.entity, objects[index], frame, body)
        ids = {track.entity.id for track in matches.values()}
        self._apart |= {frozenset(pair) for pair in combinations(ids, 2)}
        for index, detection in enumerate(objects):
            if index not in matches and not self._is_no_thing(index, objects, matches, body):
                self._create(detection, frame)
        for track in tracks:
            if track.sight is Visibility.EMPTY and track.entity.id not in ids:
                self._seen_empty(track.entity, body, frame.stamp)
        self._unite_doubles(ids)
        self.find_released()

    def _tracks(self, frame: DetectionFrame, objects: Sequence[Detection], body: ObserverPose) -> list[Track]:
        """What may be one of the detections, or is seen to be gone."""
        association, held = self.settings.association, self.graph.held()
        tracks = [Track(entity, remembered(entity, self.labels), association.place_error.detection, Visibility.EMPTY,
                        lost=True) for entity in self.lost.values()]
        centres = np.array([detection.centroid for detection in objects]).reshape(-1, 3)
        for entity in self.graph.of(Kind.OBJECT):
            if held is not None and entity.id == held.id:
                near = association.held_gate if body.tool is not None else association.reach
                known = replace(remembered(entity, self.labels), centre=body.hand)
                tracks.append(Track(entity, known, near / 3, Visibility.OCCUPIED, held=True))
                continue
            away = np.abs(centres - entity.position).max(axis=1).min(initial=np.inf)
            sight = (Visibility.OCCUPIED if away < max(entity.size) / 4  # a detection stands there
                     else look_at(frame, *entity.bounds(), self.settings.forgetting))
            if sight is Visibility.EMPTY or away < association.drift + 3 * AROUND + max(entity.size):
                sigma = getattr(association.place_error, entity.provenance, association.place_error.detection)
                tracks.append(Track(entity, remembered(entity, self.labels), sigma, sight))
        return tracks

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
            elif look_at(frame, *piece.bounds(), self.settings.forgetting) is Visibility.EMPTY and (
                    self._count_empty_view(piece.id)):
                self.graph.remove(piece.id)

    def find_released(self) -> None:
        """What the hand let go of lies near by. Where that is only guessed, it takes the place of what has turned up
        since, or had been seen lying before the fingers felt empty, and could be it. How large that looks does not
        count: what fell is seen half hidden, or from its end."""
        slipped = self.graph.entities.get(self.released)
        if slipped is None or slipped.provenance != "skill" or slipped.confidence > GUESS:
            return
        ratios = {}
        for thing in self.graph.of(Kind.OBJECT):
            if self.births.get(thing.id, -np.inf) >= slipped.stamp - FELT and thing.id != slipped.id:
                away = float(np.linalg.norm(np.subtract(thing.position, slipped.position)[:2]))
                ratios[thing.id] = self._likeness(thing, slipped) - 0.5 * (away / FALL) ** 2
        found = max(ratios, key=lambda id: ratios[id], default="")
        if found and ratios[found] > 0:
            self._unite(slipped, self.graph[found], self.graph[found])

    def lose(self, id: str) -> None:
        """The thing is not where it was. Where it has been met since under another name, that name stays."""
        entity = self.graph[id]
        self.graph.remove(id)
        self._empty_views.pop(id, None)
        since = [e for e in self.graph.of(Kind.OBJECT) if self.births.get(e.id, -np.inf) > entity.stamp]
        ratios = {e.id: self._likeness(e, entity) + GONE for e in since}
        newcomer = max(ratios, key=lambda id: ratios[id], default="")
        if not newcomer or ratios[newcomer] <= 0:
            self.lost[id] = entity
            return
        known = self.graph[newcomer]
        self.graph.change(newcomer, aliases=tuple(dict.fromkeys((*known.aliases, *entity.aliases, id))),
                          attributes=known.attributes | entity.attributes)

    def begin(self, entity: Entity) -> None:
        """What somebody else has found is in the graph: the robot may meet it, as what it has found itself."""
        self.lost.pop(entity.id, None)
        self.births.setdefault(entity.id, entity.stamp)

    def unite(self, kept: str, gone: str) -> None:
        """Somebody has found out that two things are one: it is where it was seen last, or in the hand."""
        if kept in self.graph and gone in self.graph:
            held, pair = self.graph.held(), (self.graph[kept], self.graph[gone])
            place = max(pair, key=lambda e: (held is not None and e.id == held.id, e.stamp))
            self._unite(*pair, place)

    def recover(self, id: str) -> None:
        """Takes up a lost thing again that has turned up by other means than sight."""
        if id in self.lost:
            self.graph.put(self.lost.pop(id))

    def _likeness(self, a: Entity, b: Entity) -> float:
        return likeness(remembered(a, self.labels), remembered(b, self.labels))

    def _sorted_by_kind(self, detections: Sequence[Detection], stamp: float
                        ) -> tuple[list[Detection], list[Detection]]:
        """Furniture and objects; a person is taken in at once."""
        furniture: list[Detection] = []
        objects: list[Detection] = []
        for detection in detections:
            if not (detection.label and np.isfinite([*detection.centroid, *detection.size]).all()):
                continue  # a detector's nonsense must not get into the graph, where it would stay
            if detection.label == PERSON:
                # all whom robots know of beside each other is one person
                if detection.score >= self.settings.association.score:
                    points = detection.points if len(detection.points) else detection.centroid[None]
                    x, y, _ = vector3(np.median(points, axis=0))  # a hand that is held out counts for little
                    self.graph.put(Entity(PERSON, Kind.AGENT, PERSON, (x, y, 0.0), stamp=stamp))
                continue
            kind = self.vocabulary.kind(detection, self.graph, self.settings.association.furniture_size)
            (furniture if kind is Kind.FURNITURE else objects).append(detection)
        return furniture, objects

    def _is_no_thing(self, index: int, objects: Sequence[Detection], matches: Mapping[int, Track],
                     body: ObserverPose) -> bool:
        """True if a detection that is nothing known is only a part of something, of what the hand is at or of what the
        same picture shows more of, or that and the fingers."""
        detection, doubt = objects[index], 1.0 - objects[index].score
        if doubt <= 0.0:
            return False
        away = float(np.linalg.norm(detection.centroid - body.hand)) - self.settings.association.held_gate
        if any(self._is_handled(known, detection, body) and away <= max(known.size) / 2
               for known in self.graph.of(Kind.OBJECT)):
            return True  # it, a finger, or both
        return any(same_thing(seen(detection), seen(other)) + math.log(doubt / max(detection.score, NEVER)) > 0
                   for i, other in enumerate(objects)
                   if i != index and (i in matches or other.pixels > detection.pixels))

    def _is_handled(self, entity: Entity, detection: Detection, body: ObserverPose) -> bool:
        """True if the fingers are at it: a detector that wavers then takes them for a part of it."""
        if body.tool is None or detection.score >= SURE:
            return False
        away = float(np.linalg.norm(np.subtract(entity.position, body.tool)))
        return away < self.settings.association.hand_radius

    def _confirm(self, entity: Entity, detection: Detection, frame: DetectionFrame, body: ObserverPose) -> None:
        """A known thing, seen again: where it was, elsewhere, or in the hand."""
        held = self.graph.held()
        in_hand, back = held is not None and entity.id == held.id, self.lost.pop(entity.id, None) is not None
        handled = not back and self._is_handled(entity, detection, body)
        self._empty_views.pop(entity.id, None)
        moved = back or has_moved(entity, detection)
        best = 0 if moved else self._best_view.get(entity.id, entity.pixels)
        self._best_view[entity.id] = best
        fused = entity if in_hand or handled else fuse(entity, detection, self.settings.association.jitter, best)
        if not in_hand or detection.may_be(entity.category) or entity.category == UNIDENTIFIED:
            fused = self._called(fused, self.labels.vote(entity, detection, _view(detection, frame)))
        self._put(fused, detection, frame,
                  detection.score if back else max(detection.score, min(1.0, entity.confidence)))
        if not in_hand:
            place_entity(self.graph, entity.id, self.settings.association)
        if not in_hand and not handled:
            self.sighted[entity.id] = detection

    def _create(self, detection: Detection, frame: DetectionFrame) -> None:
        """A thing that nobody knew of. One of which it is more likely that nobody knows its name than that it has the
        likeliest is there all the same."""
        unknown = detection.unknown > detection.score
        if detection.score < self.settings.association.score and not (
                unknown and detection.unknown >= self.settings.association.unknown):
            return
        label = UNIDENTIFIED if unknown else detection.label
        entity = Entity(unused_id(self.graph, label, list(self.lost), self.settings.first_number), Kind.OBJECT, label,
                        position=vector3(detection.centroid), size=vector3(detection.size),
                        aliases=self.vocabulary.aliases(label))
        self.births[entity.id] = frame.stamp
        self.labels.begin(entity)
        self.labels.vote(entity, detection, _view(detection, frame))
        self._put(self._called(entity, entity.category), detection, frame, detection.score)
        place_entity(self.graph, entity.id, self.settings.association)
        self.sighted[entity.id] = detection

    def _put(self, entity: Entity, detection: Detection, frame: DetectionFrame, confidence: float) -> None:
        # What was known beforehand stays; what was seen is as seen best.
        better = detection.pixels > self._best_view.get(entity.id, 0)
        if better:
            self._best_view[entity.id] = detection.pixels
        better &= entity.id in self.births
        attributes = entity.attributes | detection.attributes if better else detection.attributes | entity.attributes
        self.graph.put(replace(entity, attributes=attributes,
                               states=self._states(entity, detection, frame), stamp=frame.stamp,
                               pixels=detection.pixels, provenance="detection", confidence=confidence))

    def _called(self, entity: Entity, category: str) -> Entity:
        """Under its name, and with what else it may be; where the views say that nobody knows it, under none."""
        category = UNIDENTIFIED if self.labels.unknown(entity.id) else category
        aliases = entity.aliases if category == entity.category else self.vocabulary.aliases(category)
        named = replace(entity, category=category, aliases=aliases)
        return replace(named, may_be=self.labels.may_be(named))

    def _states(self, entity: Entity, detection: Detection, frame: DetectionFrame) -> dict[str, bool]:
        return self.states.see(entity, detection.states, _view(detection, frame), frame.stamp)

    def _seen_empty(self, entity: Entity, body: ObserverPose, stamp: float) -> None:
        """Its place is empty: it is gone after some views, unless the fingers are at it, or were a moment ago: they may
        have it, though the outcome is not told yet."""
        association, support = self.settings.association, self.graph.support(entity.id)
        if entity.id not in self.graph or support is not None and support.relation is Relation.HELD_BY:
            return  # what somebody holds goes where they go
        if body.tool is not None and np.linalg.norm(np.subtract(entity.position, body.tool)) < association.hand_radius:
            self._touched[entity.id] = stamp
        if 0 <= stamp - self._touched.get(entity.id, -np.inf) < _HAND_TIME:
            return
        if self._count_empty_view(entity.id):
            self.lose(entity.id)

    def _count_empty_view(self, id: str) -> bool:
        """True if these were enough."""
        views = self._empty_views[id] = self._empty_views.get(id, 0) + 1
        if views >= self.settings.forgetting.views:
            del self._empty_views[id]
            return True
        return False

    def _unite_doubles(self, ids: set[str]) -> None:
        """What doubles one of the things just seen (`ids`) is it: the id that is older stays, where the newer was seen.
        Only things that were found by sight can be doubles, and what the fingers have hold of is none; nor are two that
        one picture has shown."""
        held, in_picture = self.graph.held(), set(ids)
        standing = self.births.keys() - ({held.id} if held is not None else set())
        for id in sorted(ids & standing):
            for other in self.graph.of(Kind.OBJECT):
                if id not in self.graph or other.id not in standing - in_picture or _far(self.graph[id], other) or (
                        frozenset((id, other.id)) in self._apart or self._same(self.graph[id], other) <= DOUBLE):
                    continue
                old, new = sorted((id, other.id), key=lambda id: self.births[id])
                self._unite(self.graph[old], self.graph[new], self.graph[id])
                in_picture.add(old)  # that is what was seen now: nothing else in the picture is it, too

    def _same(self, a: Entity, b: Entity) -> float:
        """Of two known things in one place; the smaller one may be a part of the other."""
        part, whole = sorted((remembered(a, self.labels), remembered(b, self.labels)), key=lambda seen: seen.size.max())
        return same_thing(part, whole)

    def _unite(self, kept: Entity, gone: Entity, place: Entity) -> None:
        """Both are one thing, which is at `place`, as one of them is."""
        other = gone if place.id == kept.id else kept
        edges = {replace(e, subject=kept.id) for e in self.graph.edges if e.subject == place.id}
        self.graph.remove(gone.id)
        self.graph.edges = {e for e in self.graph.edges if e.subject != kept.id} | edges
        self.graph.put(replace(place, id=kept.id, category=kept.category, aliases=kept.aliases,
                               attributes=other.attributes | place.attributes))
        self._empty_views.pop(gone.id, None)
        self.births.pop(gone.id, None)
        self.graph.put(self._called(self.graph[kept.id], self.labels.unite(self.graph[kept.id], gone.id)))


def _view(detection: Detection, frame: DetectionFrame) -> View:
    return view_of(frame.T_map_camera[:3, 3], detection.centroid)


def _far(a: Entity, b: Entity) -> bool:
    """True if they certainly have no point in common: soon told, of most."""
    reach = max(a.size) + max(b.size)
    return any(abs(p - q) > reach for p, q in zip(a.position, b.position))
