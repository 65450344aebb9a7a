# ruff: noqa: T201 - a bench prints
"""What a detector makes of real RGB-D pictures of others: cut, named, and how sure it says so.

``python -m bench.real_pictures FOLDER [--perception NAME] [--weights FILE] [--half tuned|kept] [--each]``, prints a
table as Markdown. FOLDER holds the pictures, which are not ours and not kept here, under the names and with the hashes
(SHA-256, its beginning) that bench/real/*.yaml give; those that it lacks are left out, and told. What is in them is our
own judgement: boxes [px], names of the catalogue that are right (none: the catalogue has no such thing), and what
people call it (nothing: nobody can tell). Where the camera was held is told by a region of pixels that is level, and
how high that is [m]. Nothing was ever chosen by pictures that are not `tuned`.

A thing is cut where a mask's box has an intersection over union of 0.5 with its own. Of those that were cut and that
can be named, an answer is a name, right or wrong, or that it is not known what it is.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from dadu.core.config import Settings, load
from dadu.core.errors import DaduError
from dadu.core.robot import CameraFrame
from dadu.perception.detector import Detector, Segment
from dadu.perception.detectors import DEFAULT, make_detector
from dadu.perception.learned.detector import LearnedDetector
from dadu.perception.learned.naming import PhraseNames
from dadu.world.graph import UNIDENTIFIED

LABELS = Path(__file__).parent / "real"
CUT = 0.5
PHRASES, SEEDS = 10, 20
"""among so many is a thing named, of others drawn so often"""
BINS = 10
SAID = 0.5
_TRIES, _OFF = 300, 0.01
"""planes tried in a level region, and how far its pixels may lie off the best [m]"""

Box = tuple[int, int, int, int]
"""left, top, right, bottom [px]"""


class PictureFile(Settings):
    """One of others."""

    file: str
    hash: str
    of: str
    """repository and path"""
    unit: float = 0.001
    """of depth [m]"""
    rotated: int = 0
    """bits by which depths of the SUN RGB-D kind are rotated"""

    def within(self, folder: Path) -> Path:
        """Errors: DaduError where it is another file of that name."""
        path = folder / self.file
        if path.exists() and not hashlib.sha256(path.read_bytes()).hexdigest().startswith(self.hash):
            raise DaduError(f"{path} is not the picture that the labels are of ({self.of})")
        return path


class Level(Settings):
    region: Box
    height: float
    """[m]"""


class Thing(Settings):
    box: Box
    names: tuple[str, ...] = ()
    called: str = ""


class Picture(Settings):
    color: PictureFile
    depth: PictureFile
    focal: tuple[float, float]
    middle: tuple[float, float]
    level: Level
    tuned: bool
    furniture: tuple[Thing, ...] = ()
    things: tuple[Thing, ...] = ()

    def frame(self, folder: Path) -> CameraFrame:
        """As a robot's camera would give it."""
        rgb = cv2.imread(str(self.color.within(folder)))[..., ::-1]
        path = self.depth.within(folder)
        raw = np.load(path) if path.suffix == ".npy" else cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        raw = raw.astype(np.uint16)
        if self.depth.rotated:
            raw = raw >> self.depth.rotated | raw << (16 - self.depth.rotated)
        depth = raw.astype(np.float32) * np.float32(self.depth.unit)
        K = np.array([[self.focal[0], 0, self.middle[0]], [0, self.focal[1], self.middle[1]], [0, 0, 1]])
        return CameraFrame(0.0, np.ascontiguousarray(rgb), depth, K, pose(depth, K, self.level))


class Labels(Settings):
    pictures: tuple[Picture, ...]


def pose(depth: np.ndarray, K: np.ndarray, level: Level) -> np.ndarray:
    """float64 (4, 4): of the optical frame in a map whose floor is at 0, turned anyhow about the vertical."""
    left, top, right, bottom = level.region
    v, u = np.mgrid[top:bottom, left:right]
    z = depth[top:bottom, left:right]
    known = z > 0
    points = np.stack([(u - K[0, 2]) / K[0, 0] * z, (v - K[1, 2]) / K[1, 1] * z, z], axis=-1)[known].astype(float)
    if len(points) < 100:
        raise DaduError(f"no depth in the level region {level.region}")
    rng = np.random.default_rng(0)
    best, most = np.zeros(4), -1
    for _ in range(_TRIES):
        a, b, c = points[rng.integers(len(points), size=3)]
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal) + 1e-12
        count = int((np.abs((points - a) @ normal) < _OFF).sum())
        if count > most:
            best, most = np.array([*normal, normal @ a]), count
    near = points[np.abs(points @ best[:3] - best[3]) < _OFF]
    up = np.linalg.svd(near - near.mean(axis=0), full_matrices=False)[2][2]
    up = -up if up @ near.mean(axis=0) > 0 else up  # the camera is above what is level
    across = np.cross(up, (0.0, 0.0, 1.0) if abs(up[2]) < 0.9 else (0.0, -1.0, 0.0))
    across /= np.linalg.norm(across)
    T = np.eye(4)
    T[:3, :3] = [across, np.cross(up, across), up]
    T[2, 3] = level.height - float(up @ near.mean(axis=0))
    return T


@dataclass
class Answer:
    """What was made of one thing."""

    thing: Thing
    furniture: bool
    picture: str
    segment: Segment | None
    """None: not cut"""
    shares: float = 0.0
    """of draws in which it was named right among ten phrases"""

    @property
    def right(self) -> bool:
        return self.segment is not None and self.segment.label in self.thing.names

    @property
    def named(self) -> bool:
        """Says a name at all."""
        return self.segment is not None and self.segment.score >= dict(self.segment.others).get(UNIDENTIFIED, 0.0)


@dataclass
class Figures:
    answers: list[Answer] = field(default_factory=list)

    def lines(self) -> Iterator[tuple[str, str]]:
        for furniture, what in ((False, "things"), (True, "furniture")):
            mine = [a for a in self.answers if a.furniture is furniture]
            known = [a for a in mine if a.thing.names]
            yield f"{what}: cut", _share(a.segment is not None for a in mine)
            yield f"{what}: named right among the catalogue", _share(a.right for a in known)
            yield f"{what}: of those cut", _share(a.right for a in known if a.segment)
        called = [a for a in self.answers if a.thing.called and a.segment and not a.furniture]
        yield "things cut: named right among ten phrases (0.10 by chance)", (
            f"{np.mean([a.shares for a in called]):.2f} of {len(called)}" if called else "-")
        judged = [a for a in self.answers if a.segment and a.thing.called]
        named = [a for a in judged if a.named]
        wrong = [a for a in named if not a.right]
        yield "said not to be known, of all cut", _share(not a.named for a in judged)
        yield f"wrong names said with more than {SAID}, of all cut", _share(_sure(a) and a in wrong for a in judged)
        yield f"wrong names said with more than {SAID}, of all wrong names", _share(map(_sure, wrong))
        yield f"names said with more than {SAID}: right", _share(a.right for a in named if _sure(a))
        yield "expected calibration error of names", f"{_calibration_error(named):.2f} of {len(named)}"


def _sure(answer: Answer) -> bool:
    return answer.segment is not None and answer.segment.score > SAID


def _share(truths: Iterator[bool] | Sequence[bool] | map[bool]) -> str:
    told = [bool(truth) for truth in truths]
    return f"{sum(told) / len(told):.2f} ({sum(told)} of {len(told)})" if told else "-"


def _calibration_error(answers: Sequence[Answer]) -> float:
    """Of names: how far what they are said with is from how many are right, over `BINS` of equal width."""
    scores = np.array([a.segment.score for a in answers if a.segment])
    right = np.array([a.right for a in answers if a.segment], float)
    if not len(scores):
        return float("nan")
    place = np.minimum((scores * BINS).astype(int), BINS - 1)
    return float(sum(abs(scores[place == b].mean() - right[place == b].mean()) * (place == b).mean()
                     for b in np.unique(place)))


def overlap(a: Box, b: Box) -> float:
    """Intersection over union of boxes."""
    width, height = (min(a[i + 2], b[i + 2]) - max(a[i], b[i]) for i in (0, 1))
    both = max(width, 0) * max(height, 0)
    return both / (sum((c[2] - c[0]) * (c[3] - c[1]) for c in (a, b)) - both)


def answers(detector: Detector, picture: Picture, folder: Path) -> Iterator[Answer]:
    """Of all that is labelled in a picture; no mask answers for two things."""
    found = detector.segment(picture.frame(folder))
    boxes = [None if box is None else (box[1].start, box[0].start, box[1].stop, box[0].stop) for box in found.boxes]
    asked = [(thing, furniture) for furniture, things in ((False, picture.things), (True, picture.furniture))
             for thing in things]
    pairs = sorted(((overlap(thing.box, box), i, k) for i, (thing, _) in enumerate(asked)
                    for k, box in enumerate(boxes) if box is not None), reverse=True)
    match: dict[int, int] = {}
    for shared, i, k in pairs:
        if shared >= CUT and i not in match and k not in match.values():
            match[i] = k
    for i, (thing, furniture) in enumerate(asked):
        yield Answer(thing, furniture, picture.color.file, found.segments[match[i]] if i in match else None)


def name_among_ten(detector: LearnedDetector, told: Sequence[Answer], phrases: Sequence[str]) -> None:
    """Fills in `Answer.shares`: its own phrase and nine others of `phrases`, drawn `SEEDS` times."""
    names = PhraseNames(phrases, detector.objects.phrases, detector.namer.space)
    rng = np.random.default_rng(0)
    for answer in told:
        if answer.segment is None or answer.segment.embedding is None or not answer.thing.called:
            continue
        own = phrases.index(answer.thing.called)
        cosines = names.cosines(answer.segment.embedding[None])[0]
        others = np.delete(np.arange(len(phrases)), own)
        draws = (rng.choice(others, PHRASES - 1, replace=False) for _ in range(SEEDS))
        answer.shares = float(np.mean([cosines[own] > cosines[drawn].max() for drawn in draws]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--perception", default=DEFAULT)
    parser.add_argument("--weights", default="")
    parser.add_argument("--half", choices=["tuned", "kept"], help="those alone that were, or never were, tuned to")
    parser.add_argument("--each", action="store_true", help="tell what was made of each thing")
    given = parser.parse_args()
    pictures = [picture for path in sorted(LABELS.glob("*.yaml")) for picture in load(Labels, path).pictures
                if given.half is None or picture.tuned == (given.half == "tuned")]
    there = [picture for picture in pictures if (given.folder / picture.color.file).exists()]
    if not there:
        sys.exit(f"{given.folder} holds none of the pictures; they are of: "
                 + ", ".join(sorted({picture.color.of.split()[0] for picture in pictures})))
    detector = make_detector(given.perception, given.weights)
    told = [answer for picture in there for answer in answers(detector, picture, given.folder)]
    if isinstance(detector, LearnedDetector):
        name_among_ten(detector, told, sorted({answer.thing.called for answer in told if answer.thing.called}))
    for answer in told if given.each else ():
        said = answer.segment and [(answer.segment.label, round(answer.segment.score, 2)),
                                   *((name, round(score, 2)) for name, score in answer.segment.others[:2])]
        print(f"{answer.picture}: {answer.thing.called or '?'}: {said or 'not cut'}", file=sys.stderr)
    print(f"{len(there)} of {len(pictures)} pictures, {len(told)} things and pieces of furniture\n\n| | |\n|---|---|")
    for what, figure in Figures(told).lines():
        print(f"| {what} | {figure} |")


if __name__ == "__main__":
    main()
