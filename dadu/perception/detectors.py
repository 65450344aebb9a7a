"""The detectors by name. Those that need heavy libraries are imported when asked for, so the base tier stays light."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

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
"""Those that come with DaDu; one's own needs no entry here, see `detector_class`."""


def detector_class(name: str) -> Callable:
    """The class of a detector; its constructor takes what that detector needs.

    `name`: a key of `DETECTORS`, or where a class of one's own is, as ``package.module:Class`` or ``FILE.py:Class``.
    Errors: ConfigError listing the names or naming what was not found; MissingExtra naming the extra to install.
    """
    registration = registration_of(name)
    where, _, attribute = registration.path.rpartition(":")
    try:
        module = _module(where)
    except ModuleNotFoundError as error:
        if registration.extra:
            need = f"pip install 'dadu[{registration.extra}]'"
            raise MissingExtra(f"perception {name!r} needs {error.name}: {need}") from None
        raise ConfigError(f"perception {name!r}: {error}") from None
    except FileNotFoundError as error:
        raise ConfigError(f"perception {name!r}: {error}") from None
    if not hasattr(module, attribute):
        raise ConfigError(f"perception {name!r}: no {attribute!r} in {where}")
    return getattr(module, attribute)


def registration_of(name: str) -> Registration:
    """What `name`, as in `detector_class`, stands for; nothing is imported.

    Errors: ConfigError where it is neither known nor says where to look.
    """
    if name not in DETECTORS and not all(name.rpartition(":")):
        raise ConfigError(f"unknown perception {name!r}; valid: {choices(DETECTORS)}, package.module:Class or "
                          "FILE.py:Class")
    return DETECTORS.get(name) or Registration(name)


def _module(where: str) -> ModuleType:
    """The module of that name, or at a file's path: such a file need not lie where Python looks for modules."""
    if not where.endswith(".py"):
        return import_module(where)
    found = spec_from_file_location(f"detector_{Path(where).stem}", where)
    module = module_from_spec(found)
    sys.modules[found.name] = module  # dataclasses look their module up
    found.loader.exec_module(module)
    return module
