"""How the project starts another Python process: never with modules from the working directory.

``python -m`` and ``python -c`` look there first, so that a folder ``dadu`` or a file ``secrets.py`` that happens to lie
where the user stands would be executed. (``python -P`` and PYTHONSAFEPATH came with Python 3.11.)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

_BEGIN = "import sys; sys.path[:] = [place for place in sys.path if place]; "
"""'' is the working directory; sys is built in, so nothing was searched for yet"""


def run_main(module: str, *arguments: str, python: str = "") -> list[str]:
    """The command line that calls ``main()`` of `module`. `python`: of another environment than this one."""
    return run_code(f"from {module} import main; main()", *arguments, python=python)


def run_code(code: str, *arguments: str, python: str = "") -> list[str]:
    """The command line that runs `code`, with `arguments` in ``sys.argv[1:]``."""
    return [python or sys.executable, "-c", _BEGIN + code, *arguments]


def search_path(*places: str, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """PYTHONPATH with `places` before what `base` has; without empty parts, which mean the working directory."""
    parts = (*places, *base.get("PYTHONPATH", "").split(os.pathsep))
    return {"PYTHONPATH": os.pathsep.join(filter(None, parts))}
