# ruff: noqa: T201 - a bench prints
"""What a detector makes of real RGB-D pictures of others: cut, named, and how sure it says so.

``python -m bench.real_pictures FOLDER [--perception NAME] [--weights FILE] [--namer NAME] [--half tuned|kept]
[--boxes] [--taught] [--each]``, prints a table as Markdown. FOLDER holds the pictures, which are not ours and not kept
here, under the names and with the hashes (SHA-256, its beginning) that bench/real/*.yaml give; those that it lacks are
left out, and told. What is in them is our own judgement: boxes [px], names of the catalogue that are right (none: it
has no such thing), and what people call it (nothing: nobody can tell). Where the camera was held is told by a region of
pixels that is level, and how high that is [m]. Nothing was ever chosen by pictures that are not `tuned`.

With ``--boxes`` things are not cut by the detector: what is in each labelled box is named, as ``perception learned``
names what it cuts. With ``--taught`` the detector is shown photographs of what is in the labelled boxes of one picture
of a scene, in colour alone, as by ``dadu teach --picture``, or of all but one, and asked for these in its other
pictures. With ``--fit NAME`` the `Trust` of a namer of others is fitted by what it calls these, by the name's odds
alone, and written beside the weights; such figures of what it was fitted by say nothing.

A thing is cut where a mask's box has an intersection over union of 0.5 with its own. Of those that were cut and that
can be named, an answer is a name, right or wrong, or that it is not known what it is.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import yaml

from dadu.core.config import Settings, load
from dadu.core.errors import DaduError
from dadu.core.paths import shared
from dadu.core.robot import CameraFrame
from dadu.incoming.pictures import shades
from dadu.learning.detector.calibrate import calibrated
from dadu.perception.detector import Detector, Segment
from dadu.perception.detectors import DEFAULT, make_detector
from dadu.perception.learned.crops import View
from dadu.perception.learned.detector import WEIGHTS, LearnedDetector
from dadu.perception.learned.naming import PhraseNames
from dadu.perception.learned.photograph import cut_out
from dadu.perception.learned.trust import SIGNS, Trust, trust_file
from dadu.perception.upright import quarter_turns, rotated
from dadu.world.detection import Exemplar
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
    scene: str = ""
    """that other pictures show, too; empty: none does"""
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
        return CameraFrame(0.0, shades(rgb), depth, K, pose(depth, K, self.level))


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
    mask: np.ndarray | None = None
    """bool (H, W): what was named"""
    frame: CameraFrame | None = None
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
    seconds: list[float] = field(default_factory=list)
    """of the processor, for each picture"""

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
        for what, some in (("names that are said", named), ("the likeliest names of all cut", judged)):
            yield f"expected calibration error of {what}", _calibration(some)
        if len(self.seconds) > 1:
            yield "processor time a picture, after the first", f"{1e3 * np.mean(self.seconds[1:]):.0f} ms"


def _sure(answer: Answer) -> bool:
    return answer.segment is not None and answer.segment.score > SAID


def _share(truths: Iterator[bool] | Sequence[bool] | map[bool]) -> str:
    told = [bool(truth) for truth in truths]
    return f"{sum(told) / len(told):.2f} ({sum(told)} of {len(told)})" if told else "-"


def _calibration(answers: Sequence[Answer]) -> str:
    """Its error; and which one would be expected of scores that are the truth, for it is never 0 of a few."""
    scores = np.array([a.segment.score for a in answers if a.segment])
    if not len(scores):
        return "-"
    draws = np.random.default_rng(0).random((1000, len(scores))) < scores
    error = _calibration_error(scores, np.array([[a.right for a in answers if a.segment]]))
    return f"{error:.2f} of {len(scores)}; {_calibration_error(scores, draws):.2f} if all were told truly"


def _calibration_error(scores: np.ndarray, right: np.ndarray) -> float:
    """Mean of M outcomes, bool (M, N): how far what N names are said with is from how many are right, over `BINS` of
    equal width."""
    place = np.minimum((scores * BINS).astype(int), BINS - 1)
    return float(sum(np.abs(scores[place == b].mean() - right[:, place == b].mean(axis=1)).mean() * (place == b).mean()
                     for b in np.unique(place)))


def overlap(a: Box, b: Box) -> float:
    """Intersection over union of boxes."""
    width, height = (min(a[i + 2], b[i + 2]) - max(a[i], b[i]) for i in (0, 1))
    both = max(width, 0) * max(height, 0)
    return both / (sum((c[2] - c[0]) * (c[3] - c[1]) for c in (a, b)) - both)


def answers(detector: Detector, picture: Picture, folder: Path, figures: Figures) -> None:
    """Of all that is labelled in a picture; no mask answers for two things."""
    frame = picture.frame(folder)
    began = time.process_time()
    found = detector.segment(frame)
    figures.seconds.append(time.process_time() - began)
    boxes = [None if box is None else (box[1].start, box[0].start, box[1].stop, box[0].stop) for box in found.boxes]
    asked = [(thing, furniture) for furniture, things in ((False, picture.things), (True, picture.furniture))
             for thing in things]
    pairs = sorted(((overlap(thing.box, box), i, k) for i, (thing, _) in enumerate(asked)
                    for k, box in enumerate(boxes) if box is not None), reverse=True)
    match: dict[int, int] = {}
    for common, i, k in pairs:
        if common >= CUT and i not in match and k not in match.values():
            match[i] = k
    for i, (thing, furniture) in enumerate(asked):
        made = (found.segments[match[i]], found.labels == match[i] + 1, frame) if i in match else (None,)
        figures.answers.append(Answer(thing, furniture, picture.color.file, *made))


def answers_of_boxes(detector: LearnedDetector, picture: Picture, folder: Path, figures: Figures) -> None:
    """Of the things in a picture, each in the whole of its labelled box."""
    frame = picture.frame(folder)
    for thing in picture.things:
        left, top, right, bottom = thing.box
        mask = np.zeros(frame.depth.shape, bool)
        mask[top:bottom, left:right] = True
        told, = detector.objects.told(opinions(detector, frame, mask, detector.objects))
        segment = Segment(told.category, told.chance, others=told.others)
        figures.answers.append(Answer(thing, False, picture.color.file, segment, mask, frame))


def opinions(detector: LearnedDetector, frame: CameraFrame, mask: np.ndarray, names: PhraseNames) -> np.ndarray:
    """float64 (1, number of names + 1): of what is in the `mask`, bool (H, W)."""
    turns = quarter_turns(frame.T_map_camera[:3, :3])
    return detector.opinions(View.from_frame(frame), rotated(mask.astype(np.int16), turns), names)


def name_among_ten(detector: LearnedDetector, told: Sequence[Answer], phrases: Sequence[str]) -> None:
    """Fills in `Answer.shares`: its own phrase and nine others of `phrases`, drawn `SEEDS` times."""
    names = PhraseNames(phrases, detector.objects.phrases, detector.namer.space)
    rng = np.random.default_rng(0)
    for answer in told:
        if answer.mask is None or answer.frame is None or not answer.thing.called or answer.furniture:
            continue
        own = phrases.index(answer.thing.called)
        chances = opinions(detector, answer.frame, answer.mask, names)[0, :-1]
        others = np.delete(np.arange(len(phrases)), own)
        draws = (rng.choice(others, PHRASES - 1, replace=False) for _ in range(SEEDS))
        answer.shares = float(np.mean([chances[own] > chances[drawn].max() for drawn in draws]))


def taught(detector: LearnedDetector, pictures: Sequence[Picture], folder: Path) -> Iterator[tuple[str, str]]:
    """Of all scenes together: how often things that were cut are called as they were shown, and others as them."""
    for what, all_but_one in (("one picture", False), ("all others", True)):
        same: list[bool] = []
        others: list[bool] = []
        for one in (picture for picture in pictures if picture.scene):
            shown = [p for p in pictures if p.scene == one.scene and (p is not one) == all_but_one]
            detector.show([Exemplar(f"shown {thing.called}", _photograph(detector, p.frame(folder).rgb, thing.box))
                           for p in shown for thing in p.things])
            figures = Figures()
            for picture in pictures:
                if picture not in shown:
                    answers(detector, picture, folder, figures)
            scene = {p.color.file for p in pictures if p.scene == one.scene}
            for answer in figures.answers:
                if answer.segment and not answer.furniture:
                    called = answer.segment.label if answer.named else ""
                    (same if answer.picture in scene else others).append(
                        called == f"shown {answer.thing.called}" if answer.picture in scene else "shown" in called)
        yield f"shown by {what} of the scene: called so, of those cut", _share(same)
        yield f"shown by {what} of the scene: other things called as one of these, of those cut", _share(others)
    detector.show([])


def _photograph(detector: LearnedDetector, rgb: np.ndarray, box: Box) -> np.ndarray:
    """float32 (D,): the look of what a picture shows in a box."""
    rgba = np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])
    left, top, right, bottom = box
    look: np.ndarray = detector.namer.embeddings([cut_out(rgba, (left, top, right - left, bottom - top))])[0]
    return look


def fit(weights: str, namer: str, pictures: Sequence[Picture], folder: Path) -> None:
    """Writes the `Trust` of a namer of others."""
    detector = LearnedDetector(weights, doubts=False, namer=namer)
    figures = Figures()
    for picture in pictures:
        answers_of_boxes(detector, picture, folder, figures)
    known = [answer for answer in figures.answers if answer.thing.called and answer.segment]
    chance = np.clip([answer.segment.score for answer in known if answer.segment], 1e-3, 1 - 1e-3)
    curve = calibrated(np.log(chance / (1 - chance))[:, None], np.array([answer.right for answer in known]))
    (other, _), = detector.asked
    if other is None:
        sys.exit("dadu train trust fits that of the network")
    trust = Trust(namer=other.weights, weights=(round(curve.weights[0], 4), *[0.0] * (len(SIGNS) - 1)),
                  bias=round(curve.bias, 4))
    path = trust_file(Path(weights).parent if weights else shared(*WEIGHTS.split("/")).parent, other.name)
    path.write_text(yaml.safe_dump(trust.model_dump(mode="json"), sort_keys=False), encoding="utf-8")
    print(f"{path}: by {len(known)} things, {sum(answer.right for answer in known)} of them named right")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--perception", default=DEFAULT)
    parser.add_argument("--weights", default="")
    parser.add_argument("--namer", default="", help="of what learned cuts out, as in dadu up")
    parser.add_argument("--boxes", action="store_true", help="name what is in the labelled boxes")
    parser.add_argument("--taught", action="store_true", help="show photographs of things, and ask for these")
    parser.add_argument("--fit", metavar="NAME", help="fit how far that namer is trusted, and write it")
    parser.add_argument("--half", choices=["tuned", "kept"], help="those alone that were, or never were, tuned to")
    parser.add_argument("--each", action="store_true", help="tell what was made of each thing")
    given = parser.parse_args()
    pictures = [picture for path in sorted(LABELS.glob("*.yaml")) for picture in load(Labels, path).pictures
                if given.half is None or picture.tuned == (given.half == "tuned")]
    there = [picture for picture in pictures if (given.folder / picture.color.file).exists()]
    if not there:
        sys.exit(f"{given.folder} holds none of the pictures; they are of: "
                 + ", ".join(sorted({picture.color.of.split()[0] for picture in pictures})))
    if given.fit:
        return fit(given.weights, given.fit, there, given.folder)
    detector, figures = make_detector(given.perception, given.weights, namer=given.namer), Figures()
    if given.taught and isinstance(detector, LearnedDetector):
        for what, figure in taught(detector, there, given.folder):
            print(f"| {what} | {figure} |")
        return
    for picture in there:
        if given.boxes and isinstance(detector, LearnedDetector):
            answers_of_boxes(detector, picture, given.folder, figures)
        else:
            answers(detector, picture, given.folder, figures)
    told = figures.answers
    if isinstance(detector, LearnedDetector):
        name_among_ten(detector, told, sorted({answer.thing.called for answer in told if answer.thing.called}))
    for answer in told if given.each else ():
        said = answer.segment and [(answer.segment.label, round(answer.segment.score, 2)),
                                   *((name, round(score, 2)) for name, score in answer.segment.others[:2])]
        print(f"{answer.picture}: {answer.thing.called or '?'}: {said or 'not cut'}", file=sys.stderr)
    print(f"{len(there)} of {len(pictures)} pictures, {len(told)} things and pieces of furniture\n\n| | |\n|---|---|")
    for what, figure in figures.lines():
        print(f"| {what} | {figure} |")


if __name__ == "__main__":
    main()
