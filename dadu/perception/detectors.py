"""The detectors by name. Those that need heavy libraries are imported when asked for, so the base tier stays light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from dadu.core.errors import ConfigError, MissingExtra, choices


@dataclass(frozen=True)
class Registration:
    """Where a detector is found: ``package.module:Class``, and the optional extra that brings what it imports."""

    path: str
    extra: str = ""


GROUND_TRUTH = "ground_truth"
"""the privileged one: it needs the simulator's instance picture and the instances' names"""

DETECTORS: dict[str, Registration] = {
    GROUND_TRUTH: Registration("dadu.perception.instance_detector:InstanceDetector"),
    "yolo": Registration("dadu.perception.ultralytics_detector:UltralyticsDetector", "vision"),
    "open_vocabulary": Registration("dadu.perception.ultralytics_detector:OpenVocabularyDetector", "vision"),
}
"""Add to it to plug in a detector of one's own; see `dadu.perception.detector.Detector`."""


def detector_class(name: str) -> Callable:
    """The class of the detector called `name`; its constructor takes what that detector needs.

    Errors: ConfigError listing the names; MissingExtra naming the extra to install.
    """
    registration = DETECTORS.get(name)
    if registration is None:
        raise ConfigError(f"unknown perception {name!r}; valid: {choices(DETECTORS)}")
    module, _, attribute = registration.path.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        if not registration.extra:
            raise
        need = f"pip install 'dadu[{registration.extra}]'"
        raise MissingExtra(f"perception {name!r} needs {error.name}: {need}") from None
