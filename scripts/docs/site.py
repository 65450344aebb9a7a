"""Hook of mkdocs: pages of the reference that are made from code when the site is built."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import dadu_nodes
import typer
from dadu_nodes.support.parameters import descriptor
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from dadu.bringup.arguments import Arguments
from dadu.cli.verbs import VERBS, app_of
from dadu.core.config import Settings


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds `reference/cli.md`, `reference/launch.md` and `reference/settings.md`."""
    for name, text in (("cli", cli()), ("launch", launch()), ("settings", settings())):
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    return files


def cli() -> str:
    """Every command with its help as it prints it."""
    lines = ["# Command line", ""]
    for verb, says in VERBS.items():
        app = app_of("dadu.cli", verb)
        app.rich_markup_mode = None  # plain help, which is returned and not printed
        command = typer.main.get_command(app)
        lines += [f"## dadu {verb}", "", says, ""]
        for name, leaf in _leaves(f"dadu {verb}", command):
            with typer.Context(leaf, info_name=name) as context:
                lines += ["```text", leaf.get_help(context).rstrip(), "```", ""]
    return "\n".join(lines)


def launch() -> str:
    """The launch arguments."""
    says = "Of `dadu up`, `dadu demo` and the launch file alike: `name:=value`."
    return "\n".join(["# Launch arguments", "", says, "", *_table(Arguments)])


def settings() -> str:
    """The settings of each node: dotted names, types, defaults, meaning."""
    lines = ["# Settings", "", "Parameters of each node; in `config/NODE.yaml` by these names.", ""]
    for node in iter_modules(dadu_nodes.__path__):
        module = import_module(f"dadu_nodes.{node.name}")
        for cls in vars(module).values():
            if isinstance(cls, type) and issubclass(cls, Settings) and cls.__module__ == module.__name__:
                lines += [f"## {node.name}", "", *_table(cls), ""]
    return "\n".join(lines)


def _leaves(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    if hasattr(command, "list_commands"):
        context = typer.Context(command, info_name=name)
        for sub in command.list_commands(context):
            yield from _leaves(f"{name} {sub}", command.resolve_command(context, [sub])[1])


def _table(cls: type[BaseModel]) -> list[str]:
    rows = ["| name | type | default | meaning |", "|---|---|---|---|"]
    for name, owner, info in _fields(cls):
        default = info.get_default(call_default_factory=True)
        rows.append(f"| `{name}` | {_plain(info.annotation)} | `{default!r}` | {_said(owner, name, info)} |")
    return rows


def _fields(cls: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, type[BaseModel], FieldInfo]]:
    """Dotted name, the class that declares it, and the field, of all leaves."""
    for name, info in cls.model_fields.items():
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            yield from _fields(info.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, cls, info


def _said(owner: type[BaseModel], name: str, info: FieldInfo) -> str:
    described: str = descriptor(owner, name.rpartition(".")[2], info, live=False).description
    return " ".join(described.split()).replace("|", "\\|")


def _plain(annotation: Any) -> str:
    return str(getattr(annotation, "__name__", annotation)).replace("|", "or")
