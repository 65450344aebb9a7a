"""The interpreters by name."""

from __future__ import annotations

from dadu.core.errors import ConfigError, choices
from dadu.core.plugins import find, is_path
from dadu.goals.interpreter import Interpreter

INTERPRETERS: dict[str, str] = {
    "grammar": "dadu.planner.grammar:Grammar",
}
"""Those that come with DaDu, and where each is found; one's own needs no entry here, see `make_interpreter`."""


def make_interpreter(name: str) -> Interpreter:
    """The interpreter called so.

    `name`: a key of `INTERPRETERS`, or where a class of one's own is, as ``package.module:Class`` or ``FILE.py:Class``;
    it is made without arguments. Errors: ConfigError listing the names or naming what was not found.
    """
    if name not in INTERPRETERS and not is_path(name):
        raise ConfigError(f"unknown interpreter {name!r}; valid: {choices(INTERPRETERS)}, package.module:Class or "
                          "FILE.py:Class")
    try:
        return find(INTERPRETERS.get(name, name))()
    except (ConfigError, ModuleNotFoundError) as error:
        raise ConfigError(f"interpreter {name!r}: {error}") from None
