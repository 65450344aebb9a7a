"""Where a URDF's meshes lie: beside it, in packages of ROS 1 or 2, or at a path of their own."""

from __future__ import annotations

import copy
import os
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

from dadu.core.errors import ConfigError
from dadu.robots.urdf import Urdf

_ENDLESS = 1e9
"""in place of an infinite limit"""
_NAMED = 3
"""files that a message names"""


def with_collision_meshes(urdf: Urdf) -> str:
    """The file's text, its collision meshes by absolute paths and without anything that is only looked at.

    Errors: ConfigError naming the meshes that are not there, and where packages were looked for.
    """
    root, missing = copy.deepcopy(urdf.xml), []
    root.attrib.setdefault("name", urdf.path.stem)
    for limit in root.iterfind("joint/limit"):  # Pinocchio's parser insists on what need not be said, in digits
        for key in ("lower", "upper", "effort", "velocity"):
            limit.set(key, repr(min(max(float(limit.get(key, "0")), -_ENDLESS), _ENDLESS)))
    for material in root.findall("material"):
        root.remove(material)
    for link in root.findall("link"):
        for visual in link.findall("visual"):
            link.remove(visual)
        for mesh in link.iterfind("collision/geometry/mesh"):
            name = mesh.get("filename", "")
            found = next((place for place in _places(name, urdf.path) if place.is_file()), None)
            missing += [] if found else [name]
            mesh.set("filename", str(found))
    if missing:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        raise ConfigError(f"{urdf.path}: meshes are missing: {', '.join(dict.fromkeys(missing[:_NAMED]))}{more}; a "
                          "package:// is looked for in AMENT_PREFIX_PATH, in ROS_PACKAGE_PATH and beside the file")
    return ET.tostring(root, encoding="unicode")


def _places(name: str, urdf: Path) -> Iterator[Path]:
    """Where a mesh of this name may be, likeliest first."""
    url = urlparse(name)
    path = unquote(url.path)
    if url.scheme == "file":
        yield Path(f"/{url.netloc}{path}" if url.netloc not in ("", "localhost") else path)
        yield urdf.parent / f"{url.netloc}{path}"
    elif url.scheme in ("package", "model"):
        package, _, rest = f"{url.netloc}{path}".lstrip("/").partition("/")
        yield from (folder / rest for folder in _packages(package, urdf.resolve()))
    else:
        yield urdf.parent / name


def _packages(name: str, urdf: Path) -> Iterator[Path]:
    """Folders that package `name` may be."""
    yield from (Path(prefix) / "share" / name for prefix in _listed("AMENT_PREFIX_PATH"))
    for place in _listed("ROS_PACKAGE_PATH"):
        yield Path(place) / name
        if Path(place).name == name:
            yield Path(place)
    for folder in urdf.parents:  # the URDF's own package, under whatever name, and those that lie beside it
        if folder.name == name:
            yield folder
        yield folder / name
        if (folder / "package.xml").is_file() and f"<name>{name}</name>" in (folder / "package.xml").read_text(
                errors="replace"):
            yield folder


def _listed(variable: str) -> list[str]:
    return [place for place in os.environ.get(variable, "").split(os.pathsep) if place]
