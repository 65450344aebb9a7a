"""The interpreters by name."""

from __future__ import annotations

from pathlib import Path

from dadu.core.errors import ConfigError, choices
from dadu.core.plugins import find, is_path
from dadu.goals.interpreter import Interpreter

INTERPRETERS: dict[str, str] = {
    "grammar": "dadu.planner.grammar:Grammar",
    "learned": "dadu.planner.learned:Learned",
    "both": "dadu.planner.both:Both",
}
"""Those that come with DaDu, and where each is found; one's own needs no entry here, see `make_interpreter`."""
_WITH_WEIGHTS = ("learned", "both")

NONE = "none"
"""in place of a name where nobody is to check a model's `done`"""


def make_interpreter(name: str) -> Interpreter:
    """The interpreter called so. Errors: ConfigError as of `place_of`, or naming what was not found there."""
    place, (_, weights) = place_of(name), _apart(name)
    try:
        return find(place)(Path(weights)) if weights else find(place)()
    except (ConfigError, ModuleNotFoundError) as error:
        raise ConfigError(f"interpreter {name!r}: {error}") from None


def place_of(name: str) -> str:
    """Where the class is; nothing is imported.

    `name`: a key of `INTERPRETERS`, for learned and both also with other weights, as ``both:FILE.zip``; or where a
    class of one's own is, as ``package.module:Class`` or ``FILE.py:Class``. Errors: ConfigError listing the names.
    """
    name, _ = _apart(name)
    if name not in INTERPRETERS and not is_path(name):
        raise ConfigError(f"unknown interpreter {name!r}; valid: {choices(INTERPRETERS)}, package.module:Class or "
                          "FILE.py:Class")
    return INTERPRETERS.get(name, name)


def _apart(name: str) -> tuple[str, str]:
    """A name, and the file of weights behind it where there is one."""
    first, _, weights = name.partition(":")
    return (first, weights) if first in _WITH_WEIGHTS else (name, "")
