"""``run.mp4``: the robot at its task, seen from outside, with what it was asked, does, and how each step ends.

Drawn afterwards from the recorded true state: the run itself spends nothing on it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from dadu.core.errors import DaduError, MissingExtra
from dadu.operator.bags.bag_reader import recorded
from dadu.operator.run.episode import RecordedEpisode, StepRecord
from dadu.operator.run.run_info import read_arguments, read_house
from dadu.robots.loader import load_robot

if TYPE_CHECKING:
    from dadu.sim.mujoco.outside import RobotPosture

_BAND = 0.21
"""of the picture's height: the strip below it"""
_INK, _QUIET, _OK, _BAD, _PAPER = (236, 235, 231), (160, 164, 172), (95, 207, 154), (240, 138, 128), (24, 26, 31)


@dataclass(frozen=True)
class Caption:
    """What is said under one picture."""

    title: str
    """what was asked"""
    line: str
    """what is done"""
    outcome: str
    corner: str
    """in small letters"""
    ok: bool | None = None
    """how the outcome is meant"""


def captioned(pixels: np.ndarray, caption: Caption) -> np.ndarray:
    """uint8 (H', W, 3) with H' even, from uint8 (H, W, 3): the picture and a strip of words below it."""
    height, width = pixels.shape[:2]
    band = 2 * round(height * _BAND / 2) + (height % 2)
    image = Image.new("RGB", (width, height + band), _PAPER)
    image.paste(Image.fromarray(pixels))
    draw, size = ImageDraw.Draw(image), round(height / 26)
    margin, small = size // 2, _font(round(size * 0.85), False)
    second = height + band - round(1.6 * size)
    draw.text((margin, height + size // 3), _wrapped(draw, f"\u201c{caption.title}\u201d", small, width - 2 * margin),
              _INK, small)
    corner = draw.textlength(caption.corner, small)
    draw.text((width - margin - corner, second), caption.corner, _QUIET, small)
    draw.text((margin, second), caption.line, _INK, _font(size, True))
    if caption.outcome:
        at = margin + draw.textlength(f"{caption.line}   ", _font(size, True))
        room = width - margin - corner - size - at
        draw.text((at, second), _fitted(draw, caption.outcome, _font(size, True), room),
                  {True: _OK, False: _BAD, None: _QUIET}[caption.ok], _font(size, True))
    return np.asarray(image)


def _wrapped(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """In at most two lines."""
    words = text.split()
    count = next((n for n in range(len(words), 0, -1) if draw.textlength(" ".join(words[:n]), font) <= width), 1)
    rest = " ".join(words[count:])
    return "\n".join(filter(None, (" ".join(words[:count]), rest and _fitted(draw, rest, font, width))))


def _fitted(draw: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """As much of it as has room [px]."""
    if draw.textlength(text, font) <= width:
        return text
    while text and draw.textlength(f"{text}\u2026", font) > width:
        text = text[:-1]
    return f"{text}\u2026"


@lru_cache
def _font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    """The one that comes with matplotlib: there on any machine."""
    import matplotlib

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(str(Path(matplotlib.get_data_path(), "fonts", "ttf", name)), size)


FILE = "run.mp4"
RATE = 10.0
"""pictures a second"""
_SPEED = 8.0
"""simulated seconds in a second of film"""
_LONGEST = 60.0
"""[s] of film: what takes longer goes by faster"""
_END = 2.5
"""[s] for which the last picture stays, with how it ended"""
_JOINTS = "/joint_states"
_FINGER = "joint_gripper_finger_left"
"""half of the aperture"""


class NoFilm(DaduError):
    """A run that cannot be shown from outside."""


def write_film(episode: RecordedEpisode, verdict: str, rate: float = RATE) -> Path:
    """Writes it beside the recording. `verdict`: what is said at the end. Errors: NoFilm, MissingExtra."""
    try:
        import av
    except ModuleNotFoundError:
        raise MissingExtra("a film needs av: pip install -e '.[film]'") from None
    path = episode.run_dir / FILE
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=max(1, round(rate)))
        stream.pix_fmt, stream.options = "yuv420p", {"preset": "veryfast", "crf": "25"}
        for i, pixels in enumerate(pictures(episode, verdict, rate)):
            if i == 0:
                stream.height, stream.width = pixels.shape[:2]
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")))
        container.mux(stream.encode())
    return path


def write_animation(episode: RecordedEpisode, verdict: str, file: Path, rate: float = 4.0, width: int = 480,
                    height: int = 360) -> None:
    """The same as an animated picture (``.webp``, ``.gif`` or ``.png`` by its name), for pages that show no films.
    Errors: NoFilm."""
    first, *rest = map(Image.fromarray, pictures(episode, verdict, rate, width, height, shadows=True))
    packing: dict[str, Any] = {"quality": 55, "method": 4} if file.suffix == ".webp" else {}
    first.save(file, save_all=True, append_images=rest, duration=round(1000 / rate), loop=0, **packing)


def pictures(episode: RecordedEpisode, verdict: str, rate: float = RATE, width: int = 640, height: int = 480,
             shadows: bool = False) -> Iterator[np.ndarray]:
    """The film's pictures, uint8 (H, W, 3), `rate` a second; `width` and `height` [px] are those without the captions.
    Errors: NoFilm without ground truth of a MuJoCo world, or where nothing can be drawn."""
    arguments = read_arguments(episode.run_dir)
    if not episode.truth or arguments.get("simulator", "mujoco") != "mujoco":
        raise NoFilm("only what was simulated in MuJoCo can be seen from outside")
    try:
        from dadu.sim.mujoco.outside import OutsideCamera, ToldWorld
    except (ImportError, AttributeError) as error:  # AttributeError: PyOpenGL where libEGL is missing
        raise NoFilm(f"pictures need EGL: {error}") from None
    postures = _postures(episode)
    world = ToldWorld(read_house(episode.run_dir, episode.house), load_robot(str(arguments.get("robot", "stretch"))),
                      shadows)
    camera = OutsideCamera(world.model, width, height)
    try:
        pixels = None
        for stamp in np.arange(episode.start, episode.end + 1e-6, _speed(episode) / rate):
            state = episode.truth[_newest([s.stamp for s in episode.truth], stamp)]
            posture = postures[_newest([s for s, _ in postures], stamp)][1]
            pixels = camera.picture(world.posed(state, posture), state.robot)
            yield captioned(pixels, caption(episode, stamp, _speed(episode)))
        if pixels is not None:
            last = captioned(pixels, Caption(episode.instruction, verdict, "", ""))
            yield from (last for _ in range(round(_END * rate)))
    finally:
        camera.close()


def caption(episode: RecordedEpisode, stamp: float, speed: float) -> Caption:
    """What is said under the picture of a moment [s]."""
    begun = [s for s in episode.steps if s.start <= stamp]
    clock = f"{max(0.0, stamp - episode.start):.0f} s   {speed:.0f}x"
    if not begun:
        return Caption(episode.instruction, "", "", clock)
    step = begun[-1]
    ended = step.end is not None and step.end <= stamp
    return Caption(episode.instruction, f"{step.number}  {step.call}", _outcome(step) if ended else "", clock,
                   step.code.ok if ended and step.code is not None else None)


def _outcome(step: StepRecord) -> str:
    detail = f" {step.detail}" if step.detail else ""
    return f"{step.code.name}{detail}" if step.code is not None else ""


def _speed(episode: RecordedEpisode) -> float:
    return max(_SPEED, (episode.end - episode.start) / _LONGEST)


def _newest(stamps: list[float], until: float) -> int:
    """Index of the last of the stamps until then, or of the first."""
    return max(0, bisect_right(stamps, until) - 1)


def _postures(episode: RecordedEpisode) -> list[tuple[float, RobotPosture]]:
    from dadu.sim.mujoco.outside import RobotPosture

    found = []
    for item in recorded(episode.run_dir, (_JOINTS,)):
        m = item.message
        joints = dict(zip(m.name, map(float, m.position)))
        stamp = m.header.stamp.sec + m.header.stamp.nanosec * 1e-9
        found.append((stamp, RobotPosture(joints, 2 * joints.get(_FINGER, 0.0))))
    if not found:
        raise NoFilm("no joint states were recorded")
    return sorted(found, key=lambda pair: pair[0])
