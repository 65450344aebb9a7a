"""The detectors by name. Those that need heavy libraries are imported when asked for, so the base tier stays light."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dadu.core.errors import ConfigError, MissingExtra, choices
from dadu.core.plugins import find, is_path
from dadu.perception.detector import Detector, Worded


@dataclass(frozen=True)
class Registration:
    """Where a detector is found: ``package.module:Class``, and the optional extra that brings what it imports."""

    path: str
    extra: str = ""


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


def make_detector(name: str, weights: str = "", categories: Iterable[str] = ()) -> Detector:
    """A detector that needs no simulator. `name`: as in `detector_class`. `weights`: a file; empty: its own choice.
    `categories`: kinds of things that it may be told of beside the catalogue's, where it names things by words.

    Errors: those of `detector_class`; ConfigError for weights that cannot be used.
    """
    detector: Detector = detector_class(name)(*((weights,) if weights else ()))
    if isinstance(detector, Worded):
        detector.add_categories(categories)
    return detector


def detector_class(name: str) -> Callable[..., Any]:
    """The class of a detector; its constructor takes what that detector needs.

    `name`: a key of `DETECTORS`, or where a class of one's own is, as ``package.module:Class`` or ``FILE.py:Class``.
    Errors: ConfigError listing the names or naming what was not found; MissingExtra naming the extra to install.
    """
    registration = registration_of(name)
    try:
        return find(registration.path)
    except ModuleNotFoundError as error:
        if registration.extra:
            need = f"pip install 'dadu[{registration.extra}]'"
            raise MissingExtra(f"perception {name!r} needs {error.name}: {need}") from None
        raise ConfigError(f"perception {name!r}: {error}") from None
    except ConfigError as error:
        raise ConfigError(f"perception {name!r}: {error}") from None


def registration_of(name: str) -> Registration:
    """What `name`, as in `detector_class`, stands for; nothing is imported.

    Errors: ConfigError where it is neither known nor says where to look.
    """
    if name not in DETECTORS and not is_path(name):
        raise ConfigError(f"unknown perception {name!r}; valid: {choices(DETECTORS)}, package.module:Class or "
                          "FILE.py:Class")
    return DETECTORS.get(name) or Registration(name)
