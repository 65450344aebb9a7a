"""Furniture: sightings confirm what is known, and make what is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from scipy.optimize import linear_sum_assignment

from dadu.house.catalogue import furniture_categories
from dadu.knowledge.house_words import DetectorVocabulary
from dadu.memory.association.inside import add_seen_surfaces
from dadu.memory.association.labels import SURE, Labels, Votes, view_of
from dadu.memory.association.levels import LEVEL, united
from dadu.memory.association.parts import PartReadings
from dadu.memory.association.tentative_tracks import Corners, TentativeTracks, corners, share_floor
from dadu.memory.settings import AssociationSettings
from dadu.world.detection import Detection
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, WorldGraph

SAME = 0.5
"""share of the smaller footprint from which on two found pieces are one"""
ONE = 0.5
"""share of the space of both together that they have in common, from which on two found pieces are one, whatever a
detector that wavers has called either"""
_BULKY, _APART = (0.25, 0.3), 0.1
"""what stands by itself is as wide and as high as this [m], and shares less than so much of the smaller floor with what
is known. These, and from which chance it is believed, by ``python -m bench.looked_round score``"""
_LARGEST, _ABOUT_AS_LARGE = 1.4, 0.1
"""how much larger than usual a piece grows, and what it may grow all the same, since sight errs [m]"""
_FORBIDDEN = 1e6
_ABOUT, _TOO_LARGE, _TOO_SMALL = 0.05, 3.0, 1.0
"""logarithms of how much larger or smaller a piece is than one of its category usually is: up to here it is as large;
and what speaks against the category beyond. By ``python -m bench.looked_round score`` on the homes 0 to 3"""


def see_furniture(graph: WorldGraph, detections: Sequence[Detection], stamp: float, vocabulary: DetectorVocabulary,
                  settings: AssociationSettings, apart: set[frozenset[str]], labels: Labels, doubtful: TentativeTracks,
                  readings: PartReadings, camera: np.ndarray) -> dict[int, str]:
    """Brings the graph up to date with one picture's furniture, and returns which piece, by its name, each detection,
    by its index, is one whole sighting of. Two pieces in one picture are two, however near: each
    detection gets an entity of its own, unless it lies within one, as a fragment of it. `apart` collects the pairs of
    ids that one picture has shown to be two; `labels` the votes on what found pieces are, by where the `camera` (3,)
    [m, map] was; `doubtful` what pictures were not sure of, `readings` what they said of doors and drawers."""
    matches = _assign(graph, detections, vocabulary, settings)
    apart |= {frozenset(pair) for pair in combinations(matches.values(), 2)}
    for index, detection in enumerate(detections):
        known = matches.get(index) or _around(graph, detection) or _misnamed(graph, detection)
        renamed = None if known is not None else _under_another_name(graph, detection, set(matches.values()), labels)
        if known is not None:
            entity = replace(graph[known], stamp=stamp, confidence=1.0, pixels=detection.pixels)
            if entity.provenance == "detection":
                grown = _grown(entity, detection, vocabulary, settings, doubtful, camera)
                entity = _called(grown, detection, labels, camera, vocabulary)
            graph.put(_with_parts(entity, detection, readings))
        elif renamed is not None:
            entity = replace(graph[renamed], stamp=stamp, pixels=detection.pixels)
            graph.put(_called(entity, detection, labels, camera, vocabulary))
        elif detection.pixels >= settings.furniture_pixels:
            votes = doubtful.believed(detection, view_of(camera, detection.centroid), vocabulary,
                                      _enough(graph, detection, settings))
            if votes is not None:
                _create(graph, detection, stamp, vocabulary, labels, votes)
    _merge_overlapping(graph, apart, labels, vocabulary)
    doubtful.keep(graph.entities)
    if not all_told(graph):
        doubtful.tell(graph, stamp)
    return {index: id for index, id in matches.items() if id in graph}


def all_told(graph: WorldGraph) -> bool:
    """True if somebody has told which furniture there is: no piece is missed then."""
    return any(piece.provenance == "prior" for piece in graph.of(Kind.FURNITURE))


def _enough(graph: WorldGraph, detection: Detection, settings: AssociationSettings) -> float:
    """How likely some name has to be for a piece to be believed: that something stands there needs no name."""
    low, high = seen = corners(detection)
    bulky = (high - low)[:2].min() >= _BULKY[0] and high[2] >= _BULKY[1]
    beside = any(share_floor(piece.bounds(), seen, _APART) for piece in graph.of(Kind.FURNITURE))
    if not bulky or beside or all_told(graph):
        return settings.furniture_score
    return settings.furniture_cut if detection.truncated else settings.furniture_alone


def _chance(detection: Detection, vocabulary: DetectorVocabulary) -> float:
    """That there is such a thing, whichever of the names that mean the same is said: a couch that is as well called
    sofa is no less there than a bed."""
    same = {name.replace(" ", "_") for name in vocabulary.aliases(detection.label)}
    return detection.score + sum(score for name, score in detection.others if name in same)


def _called(entity: Entity, detection: Detection, labels: Labels, camera: np.ndarray, vocabulary: DetectorVocabulary
            ) -> Entity:
    """The found piece under the name that most views of it, from `camera` (3,) [m, map] now, give it."""
    labels.vote(entity, detection, view_of(camera, detection.centroid))
    return _named(entity, labels, vocabulary)


def _named(entity: Entity, labels: Labels, vocabulary: DetectorVocabulary) -> Entity:
    """By the votes as they stand, with what else it may be. An object's name, its second choice, makes no furniture an
    object."""
    category = labels.winner(entity, lambda label: size_fits(entity, label))
    if category != entity.category and category in vocabulary.furniture:
        entity = replace(entity, category=category, aliases=vocabulary.aliases(category))
    may_be = labels.may_be(entity)
    return entity if may_be == entity.may_be else replace(entity, may_be=may_be)


def size_fits(entity: Entity, category: str) -> float:
    """How well the entity has the size that pieces of `category` usually have, 0 to 1. What is seen of it may be a
    part, but hardly more than there is."""
    if category not in furniture_categories():
        return 1.0
    seen, usual = np.sort(entity.size[:2]), np.sort(furniture_categories()[category].size[:2])
    larger = np.log(np.maximum(seen, 0.1) / usual)
    against = _TOO_LARGE * np.maximum(larger - _ABOUT, 0) + _TOO_SMALL * np.maximum(-larger - _ABOUT, 0)
    return float(np.exp(-against.sum()))


def _under_another_name(graph: WorldGraph, detection: Detection, seen: set[str], labels: Labels) -> str | None:
    """The found piece, not `seen` in this picture, that stands where a detector that wavers now says something else:
    what it has been called before, or in the same space."""
    if detection.score >= SURE:
        return None
    box = corners(detection)
    return next((e.id for e in graph.of(Kind.FURNITURE) if e.provenance == "detection" and e.id not in seen and (
        _in_common(e.bounds(), box) > ONE
        or labels.has_been(e.id, detection.label) and share_floor(e.bounds(), box, SAME))), None)


def _with_parts(entity: Entity, detection: Detection, readings: PartReadings) -> Entity:
    """The entity with its doors and drawers as they are seen."""
    parts = readings.see(entity, detection.points, detection.truncated)
    return entity if parts == entity.parts else derive_open_state(replace(entity, parts=parts))


def derive_open_state(entity: Entity) -> Entity:
    """`is_open` as the parts have it."""
    return replace(entity, states=entity.states | {"is_open": any(part.open for part in entity.parts)})


def _assign(graph: WorldGraph, detections: Sequence[Detection], vocabulary: DetectorVocabulary,
            settings: AssociationSettings) -> dict[int, str]:
    """Known pieces by the detection's index, one to one: those of its category whose outline, widened by the margin and
    by how far its parts swing or slide out (an open door may be all that is in the picture), holds what is seen."""
    pieces = graph.of(Kind.FURNITURE)
    if not detections or not pieces:
        return {}
    cost = np.array([[_distance(d, e, vocabulary, settings) for e in pieces] for d in detections])
    rows, columns = linear_sum_assignment(cost)
    return {int(r): pieces[c].id for r, c in zip(rows, columns, strict=True) if cost[r, c] < _FORBIDDEN}


def _distance(detection: Detection, entity: Entity, vocabulary: DetectorVocabulary,
              settings: AssociationSettings) -> float:
    """From what is seen to the outline; between pieces that both hold it, the nearer middle counts [m]."""
    if entity.category != detection.label:
        return _FORBIDDEN
    outside = _outside(entity, detection)
    # Of furniture that was found the parts are not known: a door is as wide as the front at most.
    hidden = min(1.0, max(entity.size[:2])) if entity.category in vocabulary.opening else 0.0
    if outside > settings.furniture_margin + max(map(_swing, entity.parts), default=hidden):
        return _FORBIDDEN
    return outside + 0.01 * float(np.hypot(*np.subtract(entity.position[:2], detection.centroid[:2])))


def _outside(entity: Entity, detection: Detection) -> float:
    """From the entity's box to the middle of what is seen [m]; 0 within."""
    low, high = entity.bounds()
    c = detection.centroid
    return float(np.linalg.norm(np.maximum(np.maximum(low - c, c - high), 0)))


def _around(graph: WorldGraph, detection: Detection) -> str | None:
    """The piece of that category within whose box the detection lies."""
    return next((e.id for e in graph.of(Kind.FURNITURE)
                 if e.category == detection.label and _outside(e, detection) <= LEVEL), None)


def _misnamed(graph: WorldGraph, detection: Detection) -> str | None:
    """The piece that was told of and whose floor the detection shares under another name, if the detector wavers: no
    second piece stands there."""
    if detection.score >= SURE:
        return None
    seen = corners(detection)
    return next((e.id for e in graph.of(Kind.FURNITURE)
                 if e.provenance != "detection" and share_floor(e.bounds(), seen, SAME)), None)


def _in_common(a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]) -> float:
    """Of the space that two boxes, lowest and highest corner (3,) [m] each, fill together, the share that is in
    both."""
    (low_a, high_a), (low_b, high_b) = a, b
    both = float(np.maximum(np.minimum(high_a, high_b) - np.maximum(low_a, low_b), 0).prod())
    return both / max(float((high_a - low_a).prod() + (high_b - low_b).prod()) - both, 1e-9)


def _merge_overlapping(graph: WorldGraph, apart: set[frozenset[str]], labels: Labels, vocabulary: DetectorVocabulary
                       ) -> None:
    """Two found pieces that turn out to share most of the smaller one's floor were one, seen in parts; so were two that
    are in one space under two names, unless the detector was sure of both."""
    found = [e for e in graph.of(Kind.FURNITURE) if e.provenance == "detection"]
    for a, b in combinations(found, 2):
        if frozenset((a.id, b.id)) in apart or not {a.id, b.id} <= graph.entities.keys():
            continue
        boxes = graph[a.id].bounds(), graph[b.id].bounds()
        if (share_floor(*boxes, SAME) if a.category == b.category
                else _in_common(*boxes) > ONE and labels.wavers(a.id, b.id)):
            kept, gone = (b.id, a.id) if graph[b.id].parts and not graph[a.id].parts else (a.id, b.id)
            _merge(graph, kept, gone)
            labels.unite(graph[kept], gone)
            graph.put(_named(graph[kept], labels, vocabulary))


def _merge(graph: WorldGraph, kept: str, gone: str) -> None:
    a, b = graph[kept], graph[gone]
    (low_a, high_a), (low_b, high_b) = a.bounds(), b.bounds()
    box = np.minimum(low_a, low_b), np.maximum(high_a, high_b)
    edges = {replace(e, object=kept) for e in graph.edges if e.object == gone and e.subject != gone}
    graph.remove(gone)
    graph.edges |= edges
    surfaces = a.surfaces if a.parts else united(a.surfaces, b.surfaces)
    graph.put(replace(_with_box(a, *box, np.zeros((0, 3))), surfaces=surfaces, stamp=max(a.stamp, b.stamp),
                      attributes=b.attributes | a.attributes))


def _swing(part: Articulation) -> float:
    """How far a part comes out of its furniture [m]."""
    if part.kind == "slide":
        return part.range
    return 1.2 * float(np.hypot(*np.subtract(part.handle[:2], part.origin[:2])))


def _create(graph: WorldGraph, detection: Detection, stamp: float, vocabulary: DetectorVocabulary, labels: Labels,
            votes: Votes) -> None:
    """A piece of what most `votes` call it, this picture's among them."""
    category = votes.winner(detection.label)
    category = category if category in vocabulary.furniture else detection.label
    id = unused_id(graph, category)
    entity = Entity(id, Kind.FURNITURE, category, attributes=dict(detection.attributes),
                    aliases=vocabulary.aliases(category), provenance="detection", stamp=stamp,
                    confidence=detection.score, pixels=detection.pixels)
    labels.begin(entity, votes)
    graph.put(_named(_with_box(entity, *corners(detection), detection.points), labels, vocabulary))
    room = graph.room_at(graph[id].position[:2])
    if room is not None:
        graph.edges.add(Edge(id, Relation.IN_ROOM, room.id))


def _grown(entity: Entity, detection: Detection, vocabulary: DetectorVocabulary, settings: AssociationSettings,
           doubtful: TentativeTracks, camera: np.ndarray) -> Entity:
    """The found piece made larger by what is seen of it. Farther out it may be an open door, or a neighbour that is
    called so, too."""
    if _outside(entity, detection) > settings.furniture_margin:
        return entity
    sure = _chance(detection, vocabulary) >= settings.furniture_score
    view = view_of(camera, detection.centroid)
    return _made_larger(entity, detection, corners(detection) if sure else doubtful.extent(entity, detection, view))


def _made_larger(entity: Entity, detection: Detection, seen: Corners) -> Entity:
    """The piece with what is `seen` of it."""
    if not all(part.closed for part in entity.parts):  # what stands out of it makes it no larger
        return replace(entity, surfaces=add_seen_surfaces(entity, detection.points))
    low, high = entity.bounds()
    new_low, new_high = np.minimum(low, seen[0]), np.maximum(high, seen[1])
    if _takes_in_another(detection.label, high - low, new_high - new_low):
        return replace(entity, surfaces=add_seen_surfaces(entity, detection.points))
    if max((low - new_low).max(), (new_high - high).max()) < LEVEL:
        return replace(entity, surfaces=add_seen_surfaces(entity, detection.points))
    return _with_box(entity, new_low, new_high, detection.points)


def _takes_in_another(category: str, size: np.ndarray, grown: np.ndarray) -> bool:
    """True if a piece that grows from one size to another, (3,) [m] both, becomes larger than there are: a mask has
    taken in what stands beside it."""
    if category not in furniture_categories():
        return False
    largest = _LARGEST * np.sort(furniture_categories()[category].size[:2])
    return bool((np.sort(grown[:2]) > np.maximum(largest, np.sort(size[:2]) + _ABOUT_AS_LARGE)).any())


def _with_box(entity: Entity, low: np.ndarray, high: np.ndarray, points: np.ndarray) -> Entity:
    """The entity standing on the floor in a box of the map, with the level surfaces that its points show."""
    (x, y, _), (dx, dy, _) = (low + high) / 2, high - low
    if round(entity.yaw / (np.pi / 2)) % 2 == 1:  # its front looks along the map's y
        dx, dy = dy, dx
    grown = replace(entity, position=(float(x), float(y), 0.0), size=(float(dx), float(dy), float(high[2])))
    return replace(grown, surfaces=add_seen_surfaces(grown, points))


def unused_id(graph: WorldGraph, category: str, taken: Sequence[str] = ()) -> str:
    """``category_N`` with the smallest N that is free."""
    n = 0
    while (id := f"{category}_{n}") in graph or id in taken:
        n += 1
    return id
