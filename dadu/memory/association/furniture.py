"""Furniture: sightings confirm what is known, and make what is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from dadu.house.catalogue import furniture_categories
from dadu.knowledge.house_words import DetectorVocabulary
from dadu.memory.association.inside import add_seen_surfaces
from dadu.memory.association.labels import Labels, Votes, view_of
from dadu.memory.association.levels import LEVEL, united
from dadu.memory.association.likelihood import ONE_ROOM, SIGMA, name_ratio
from dadu.memory.association.parts import PartReadings
from dadu.memory.association.picture import likeliest
from dadu.memory.association.tentative_tracks import SAME, Corners, TentativeTracks, corners, share_floor
from dadu.memory.settings import AssociationSettings
from dadu.world.detection import Detection
from dadu.world.graph import Articulation, Edge, Entity, Kind, Relation, WorldGraph

_SIGMA, _NEARER = 0.16, 0.01
"""standard deviation of how far outside of its known box the middle of what is seen of a piece lies [m]; and by how
much the nearer middle counts, by metre, where two boxes hold it"""
_BESIDE = -0.5
"""ratio for what is called otherwise: pieces stand side by side, and masks take in a little of both"""
_ALL_TOLD = 3.5
"""ratio for what stands where somebody told of a piece: it is that, unless the detector is sure of another name"""
_BULKY, _APART = (0.25, 0.3), 0.1
"""what stands by itself is as wide and as high as this [m], and shares less than so much of the smaller floor with what
is known. These, and from which chance it is believed, by ``python -m bench.looked_round score``"""
_LARGEST, _ABOUT_AS_LARGE = 1.4, 0.1
"""how much larger than usual a piece grows, and what it may grow all the same, since sight errs [m]"""
_ABOUT, _TOO_LARGE, _TOO_SMALL = 0.05, 3.0, 1.0
"""logarithms of how much larger or smaller a piece is than one of its category usually is: up to here it is as large;
and what speaks against the category beyond. By ``python -m bench.looked_round score`` on the homes 0 to 3"""
_FURNITURE_ALONE = 0.2
"""what is as large as furniture and stands where none is known is there by this chance..."""
_FURNITURE_CUT = 0.3
"""...and by this one where the picture's edge cuts it, so that its size is not known well"""
_FURNITURE_MARGIN = 0.3
"""how far outside its known outline furniture may be seen [m]"""
_FURNITURE_PIXELS = 200
"""evidence for furniture that was not known before"""
_BELIEVED = 0.5
"""chance from which on such furniture is believed: likelier than not"""


def see_furniture(graph: WorldGraph, detections: Sequence[Detection], stamp: float, vocabulary: DetectorVocabulary,
                  settings: AssociationSettings, apart: set[frozenset[str]], labels: Labels, doubtful: TentativeTracks,
                  readings: PartReadings, camera: np.ndarray) -> dict[int, str]:
    """Brings the graph up to date with one picture's furniture, and returns which piece, by its name, each detection,
    by its index, is one whole sighting of. Two pieces in one picture are two, however near: each
    detection gets an entity of its own, unless it lies within one, as a fragment of it. `apart` collects the pairs of
    ids that one picture has shown to be two; `labels` the votes on what found pieces are, by where the `camera` (3,)
    [m, map] was; `doubtful` what pictures were not sure of, `readings` what they said of doors and drawers."""
    matches, fragments = _assigned(graph.of(Kind.FURNITURE), detections, labels, vocabulary)
    apart |= {frozenset(pair) for pair in combinations(matches.values(), 2)}
    whole = {index: id for index, id in matches.items() if graph[id].category == detections[index].label}
    for index, detection in enumerate(detections):
        known = matches.get(index) or fragments.get(index)
        if known is not None:
            # A known piece, seen again. Under another name it grows no larger.
            piece = graph[known]
            so_called = piece.category == detection.label
            seen = replace(piece, stamp=stamp, pixels=detection.pixels,
                           confidence=1.0 if so_called or piece.provenance != "detection" else piece.confidence)
            if piece.provenance == "detection":
                grown = _grown(seen, detection, vocabulary, settings, doubtful, camera) if so_called else seen
                labels.vote(grown, detection, view_of(camera, detection.centroid))
                seen = _named(grown, labels, vocabulary)
            parts = readings.see(seen, detection.points, detection.truncated)
            graph.put(seen if parts == seen.parts else derive_open_state(replace(seen, parts=parts)))
        elif detection.pixels >= _FURNITURE_PIXELS:
            votes = doubtful.believed(detection, view_of(camera, detection.centroid), vocabulary,
                                      _enough(graph, detection, settings))
            if votes is not None:
                _create(graph, detection, stamp, vocabulary, labels, votes)
    _merge_overlapping(graph, apart, labels, vocabulary)
    doubtful.keep(graph.entities)
    if not all_told(graph):
        doubtful.tell(graph, stamp)
    return {index: id for index, id in whole.items() if id in graph}


def _assigned(pieces: Sequence[Entity], detections: Sequence[Detection], labels: Labels, vocabulary: DetectorVocabulary
              ) -> tuple[dict[int, str], dict[int, str]]:
    """Known pieces by the detection's index, one to one; and those that further detections are fragments of."""
    if not pieces or not detections:
        return {}, {}
    ratios = np.array([[_ratio(d, e, labels, vocabulary) for e in pieces] for d in detections])
    matches = {i: pieces[j].id for i, j in likeliest(ratios)[1].items()}
    wholes = {i: _whole(d, [e for e, ratio in zip(pieces, ratios[i], strict=True) if ratio > 0])
              for i, d in enumerate(detections) if i not in matches}
    return matches, {i: id for i, id in wholes.items() if id is not None}


def _ratio(detection: Detection, piece: Entity, labels: Labels, vocabulary: DetectorVocabulary) -> float:
    """Log-likelihood ratio of the detection being of the piece rather than of one that nobody knows: an open door may
    be all that is in the picture."""
    names = name_ratio({detection.label: detection.score}, labels.shares(piece))
    sigma = _SIGMA if piece.category == detection.label else SIGMA
    # Of furniture that was found the parts are not known: a door is as wide as the front at most.
    hidden = min(1.0, max(piece.size[:2])) if piece.category in vocabulary.opening else 0.0
    swing = max(map(_swing, piece.parts), default=hidden) if piece.category == detection.label else 0.0
    middle = float(np.hypot(*np.subtract(piece.position[:2], detection.centroid[:2])))
    place = -0.5 * (max(_outside(piece, detection) - swing, 0.0) / sigma) ** 2 - _NEARER * middle
    other = 0.0 if piece.category == detection.label else _BESIDE
    return names + place + _in_its_room(piece, corners(detection)) + other


def _in_its_room(piece: Entity, box: Corners) -> float:
    """What the room that two boxes have in common says: whoever told of a piece told of all on its floor."""
    if piece.provenance != "detection" and share_floor(piece.bounds(), box, SAME):
        return _ALL_TOLD
    return -float(np.log1p(-ONE_ROOM * _in_common(piece.bounds(), box)))


def _whole(detection: Detection, pieces: Sequence[Entity]) -> str | None:
    """Which of `pieces` that it may be of the detection is a fragment of, where the picture shows more of that."""
    return next((e.id for e in pieces if e.provenance != "detection" or (
        e.category == detection.label and _outside(e, detection) <= LEVEL)), None)


def all_told(graph: WorldGraph) -> bool:
    """True if somebody has told which furniture there is: no piece is missed then."""
    return any(piece.provenance == "prior" for piece in graph.of(Kind.FURNITURE))


def _enough(graph: WorldGraph, detection: Detection, settings: AssociationSettings) -> float:
    """How likely some name has to be for a piece to be believed: that something stands there needs no name."""
    low, high = seen = corners(detection)
    bulky = (high - low)[:2].min() >= _BULKY[0] and high[2] >= _BULKY[1]
    beside = any(share_floor(piece.bounds(), seen, _APART) for piece in graph.of(Kind.FURNITURE))
    if not bulky or beside or all_told(graph):
        return _BELIEVED
    return _FURNITURE_CUT if detection.truncated else _FURNITURE_ALONE


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


def derive_open_state(entity: Entity) -> Entity:
    """`is_open` as the parts have it."""
    return replace(entity, states=entity.states | {"is_open": any(part.open for part in entity.parts)})


def _outside(entity: Entity, detection: Detection) -> float:
    """From the entity's box to the middle of what is seen [m]; 0 within."""
    low, high = entity.bounds()
    c = detection.centroid
    return float(np.linalg.norm(np.maximum(np.maximum(low - c, c - high), 0)))


def _in_common(a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]) -> float:
    """Of the space that two boxes, lowest and highest corner (3,) [m] each, fill together, the share that is in
    both."""
    (low_a, high_a), (low_b, high_b) = a, b
    both = float(np.maximum(np.minimum(high_a, high_b) - np.maximum(low_a, low_b), 0).prod())
    return both / max(float((high_a - low_a).prod() + (high_b - low_b).prod()) - both, 1e-9)


def _merge_overlapping(graph: WorldGraph, apart: set[frozenset[str]], labels: Labels, vocabulary: DetectorVocabulary
                       ) -> None:
    """Two found pieces that turn out to be in one place were one, seen in parts or under two names."""
    found = [e for e in graph.of(Kind.FURNITURE) if e.provenance == "detection"]
    meets = _floors_meet(found)
    for i, j in combinations(range(len(found)), 2):
        a, b = found[i], found[j]
        if not meets[i][j] or frozenset((a.id, b.id)) in apart or not {a.id, b.id} <= graph.entities.keys():
            continue
        a, b = graph[a.id], graph[b.id]
        boxes = a.bounds(), b.bounds()
        names = name_ratio(_name(a, labels), _name(b, labels)) + (0.0 if a.category == b.category else _BESIDE)
        if share_floor(*boxes, SAME) and names - np.log1p(-ONE_ROOM * _in_common(*boxes)) > 0:
            kept, gone = (b.id, a.id) if b.parts and not a.parts else (a.id, b.id)
            _merge(graph, kept, gone)
            labels.unite(graph[kept], gone)
            graph.put(_named(graph[kept], labels, vocabulary))
            meets = _floors_meet([graph.entities.get(e.id, e) for e in found])


def _floors_meet(pieces: Sequence[Entity]) -> list[list[bool]]:
    """Of N pieces with each other: whether the floors that they stand on have anything in common; of most they have
    not."""
    low, high = np.array([e.bounds() for e in pieces]).reshape(-1, 2, 3)[..., :2].swapaxes(0, 1)
    within: np.ndarray = (np.minimum(high[:, None], high) - np.maximum(low[:, None], low) > 0).all(axis=2)
    meets: list[list[bool]] = within.tolist()
    return meets


def _name(piece: Entity, labels: Labels) -> dict[str, float]:
    """How likely that is which it is called by. Pieces that stand side by side are mistaken for each other, too."""
    return {piece.category: labels.shares(piece).get(piece.category, 0.0)}


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
    if _outside(entity, detection) > _FURNITURE_MARGIN:
        return entity
    # Whichever of the names that mean the same is said: a couch as well called sofa is no less there than a bed.
    same = {name.replace(" ", "_") for name in vocabulary.aliases(detection.label)}
    chance = detection.score + sum(score for name, score in detection.others if name in same)
    sure = chance >= _BELIEVED
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


def unused_id(graph: WorldGraph, category: str, taken: Sequence[str] = (), n: int = 0) -> str:
    """``category_N`` with the smallest N, from `n` on, that is free."""
    while (id := f"{category}_{n}") in graph or id in taken:
        n += 1
    return id
