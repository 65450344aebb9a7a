"""The detectors by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dadu.core.errors import ConfigError
from dadu.perception.detector import Detector, Worded
from dadu.perception.namers import named
from dadu.perception.registry import Registration, Registry

GROUND_TRUTH = "ground_truth"
"""the privileged one: it needs the simulator's instance picture and the instances' names"""
LEARNED = "learned"
"""DaDu's own, see docs/howto/perception.md"""
DEFAULT = LEARNED
"""what a robot sees with unless told otherwise: in this one place for all commands"""

DETECTORS: dict[str, Registration] = {
    GROUND_TRUTH: Registration("dadu.perception.instance_detector:InstanceDetector"),
    LEARNED: Registration("dadu.perception.learned.detector:LearnedDetector"),
    "yolo": Registration("dadu.perception.ultralytics_detector:UltralyticsDetector", "vision"),
    "open_vocabulary": Registration("dadu.perception.ultralytics_detector:OpenVocabularyDetector", "vision"),
    "yolo_world": Registration("dadu.perception.foundation.published:YoloWorldDetector", "vision"),
    "grounding_dino": Registration("dadu.perception.foundation.published:GroundingDinoDetector", "vision"),
    "owlv2": Registration("dadu.perception.foundation.published:Owlv2Detector", "vision"),
}
"""Those that come with DaDu; one's own needs no entry here, see `detector_class`."""
_REGISTRY = Registry("perception", DETECTORS)


def make_detector(name: str, weights: str = "", categories: Iterable[str] = (), namer: str = "") -> Detector:
    """A detector that needs no simulator. `name`: as in `detector_class`. `weights`: a file; empty: its own choice.
    `categories`: kinds of things that it may be told of beside the catalogue's, where it names things by words.
    `namer`: of what `LEARNED` cuts out, see `dadu.perception.namers`; empty: its own.

    Errors: those of `detector_class`; ConfigError for weights or a namer that cannot be used.
    """
    check_namer(name, namer)
    detector: Detector = detector_class(name)(*((weights,) if weights else ()), **({"namer": namer} if namer else {}))
    if isinstance(detector, Worded):
        detector.add_categories(categories)
    return detector


def check_namer(name: str, namer: str) -> None:
    """Errors: ConfigError where there is no such namer, or none for that detector; nothing is imported."""
    if namer and name != LEARNED:
        raise ConfigError(f"namer {namer!r}: perception {name!r} names things itself; leave it out, or choose "
                          f"perception {LEARNED}")
    if namer:
        named(namer)


def detector_class(name: str) -> Callable[..., Any]:
    """The class of a detector; its constructor takes what that detector needs.

    `name`: a key of `DETECTORS`, or where a class of one's own is, as ``package.module:Class`` or ``FILE.py:Class``.
    Errors: those of `Registry.find`.
    """
    found: Callable[..., Any] = _REGISTRY.find(name)
    return found


def registration_of(name: str) -> Registration:
    return _REGISTRY.registration(name)
