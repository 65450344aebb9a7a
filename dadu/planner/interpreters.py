"""The interpreters by name."""

from __future__ import annotations

from dadu.core.errors import ConfigError, choices
from dadu.core.plugins import find, is_path
from dadu.goals.interpreter import Interpreter

INTERPRETERS: dict[str, str] = {
    "grammar": "dadu.planner.grammar:Grammar",
}
"""Those that come with DaDu, and where each is found; one's own needs no entry here, see `make_interpreter`."""
_VALID = f"valid: {choices(INTERPRETERS)}, package.module:Class or FILE.py:Class"

NONE = "none"
"""in place of a name where nobody is to check a model's `done`"""


def make_interpreter(name: str) -> Interpreter:
    """The interpreter called so. Errors: ConfigError as of `place_of`, or naming what was not found there."""
    place = place_of(name)
    try:
        return find(place)()
    except (ConfigError, ModuleNotFoundError) as error:
        raise ConfigError(f"interpreter {name!r}: {error}; {_VALID}") from None


def place_of(name: str) -> str:
    """Where the class is; nothing is imported.

    `name`: a key of `INTERPRETERS`, or where a class of one's own is, as ``package.module:Class`` or ``FILE.py:Class``.
    Errors: ConfigError listing the names.
    """
    if name not in INTERPRETERS and not is_path(name):
        raise ConfigError(f"unknown interpreter {name!r}; {_VALID}")
    return INTERPRETERS.get(name, name)
