"""The operator's page as one text: style and script are put into it, so that it needs nothing else."""

from __future__ import annotations

from importlib.resources import files

_STYLES = ("layout", "controls", "task", "map", "things")
_SCRIPTS = ("connection", "elements", "header", "task", "map", "camera", "things", "details", "drive", "main")
"""one after the other in one scope"""


def page() -> str:
    """HTML."""
    package = files("dadu.operator")
    web = package / "console" / "web"
    styles = [(package / "templates" / "style.css").read_text(), *((web / f"{s}.css").read_text() for s in _STYLES)]
    scripts = ['"use strict";', *((web / f"{s}.js").read_text() for s in _SCRIPTS)]
    text = (web / "console.html").read_text()
    return text.replace("/* styles */", "\n".join(styles)).replace("/* scripts */", "\n".join(scripts))
