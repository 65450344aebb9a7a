"""The docs hold to the code: commands and their options, launch arguments, files, dotted names and links exist."""

import ast
import re
import shlex
from functools import cache
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from textwrap import dedent

import pytest
import typer

from dadu.bringup.arguments import Arguments
from dadu.cli.eval import insert_verb
from dadu.cli.verbs import VERBS, app_of

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SITE = ("cli.md", "launch.md", "settings.md")
"""pages of docs/reference that exist on the site alone, made by scripts/docs/site.py"""
FOLDERS = "bench config dadu docs launch maps msg nodes ros2_ws scripts test".split()
OF_OTHERS = ("command_groups.py", "evaluation_functions.py", "stretch_driver.py", "stretch_robot_home.py")
"""files of other projects"""
FEATURES = ("observation.", "next.")
"""what LeRobot's names of features begin with"""

SUFFIXES = ("jsonl", "json", "yaml", "md", "html", "log", "sqlite", "npz", "npy", "onnx", "png", "bag", "py", "toml",
            "lark", "safetensors")


@cache
def fields() -> set[str]:
    """The names of all annotated fields of the sources' classes; settings are such classes."""
    files = (file for folder in ("dadu", "nodes") for file in (ROOT / folder).rglob("*.py"))
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text())))
    classes = (node for node in nodes if isinstance(node, ast.ClassDef))
    return {line.target.id for node in classes for line in node.body if isinstance(line, ast.AnnAssign)}


_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")


@pytest.fixture(params=PAGES, ids=lambda page: "/".join(page.parts[-2:]))
def page(request):
    return request.param


def code(page: Path) -> list[str]:
    """What stands in backticks, and the lines of blocks that are not another language's."""
    text = page.read_text()
    blocks = [body.replace("\\\n", " ") for language, body in _FENCE.findall(text) if language in ("", "sh")]
    inline = _INLINE.findall(_FENCE.sub("", text))
    return [" ".join(words.split()) for words in inline] + [line for body in blocks for line in body.splitlines()]


def commands(page: Path) -> list[list[str]]:
    """The words after each ``dadu``, up to the end of that command."""
    found = []
    for line in (line for line in code(page) if "dadu" in line):
        words = shlex.split(line.replace("[", " ").replace("]", " "), comments=True)
        starts = [i for i, word in enumerate(words)
                  if word == "dadu" and (i == 0 or words[i - 1] in ("&&", "scripts/run"))]
        found += [list(takewhile(lambda w: w not in ("&&", "|", ">"), words[i + 1:])) for i in starts]
    return [words for words in found if words]


def command_of(words: list[str]):
    """The command that they call, and what is left of them."""
    assert words[0] in VERBS, f"no verb {words[0]!r}"
    command, rest = typer.main.get_command(app_of("dadu.cli", words[0])), words[1:]
    rest = insert_verb(rest) if words[0] == "eval" else rest
    if hasattr(command, "commands") and rest and rest[0] != "--help":
        _, command, rest = command.resolve_command(typer.Context(command), rest)
    return command, rest


def test_commands_are_found_in_blocks_and_in_lines():
    found = [words[0] for words in commands(ROOT / "README.md")]
    assert {"up", "do", "eval", "house"} <= set(found)
    assert ["demo"] in [words[:1] for words in commands(ROOT / "docs" / "howto" / "operate.md")]


def test_every_command_exists_with_these_options(page):
    for words in commands(page):
        command, rest = command_of(words)
        known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)} | {"--help"}
        unknown = [word for word in rest if word.startswith("--") and word.partition("=")[0] not in known]
        assert not unknown, f"dadu {' '.join(words)}: {unknown}"


def test_every_launch_argument_exists(page):
    names = {name for text in code(page) for name in re.findall(r"(?<![\w:])(\w+):=", text)}
    exclude_instructions = {"ur_type", "robot_ip", "broadcast_odom_tf", "enable", "filter_type",
                            "use_center"}  # of the robots' own launch files
    assert names <= {*Arguments.model_fields, "name", *exclude_instructions}


def test_every_file_is_there(page):
    for text in code(page):
        text = re.sub(r"--out \S+", "", text)  # is written
        for path in re.findall(rf"(?<![\w./~-])((?:{'|'.join(FOLDERS)})/[\w./*-]*\w[\w*]*)", text):
            assert list(ROOT.glob(re.sub(r"[A-Z]{3,}", "*", path))), f"{path} is not there"
        for name in re.findall(r"^(\w+\.py|[a-z]+/[a-z]+\.yaml)$", text):
            there = (ROOT / name).exists() or any(any((ROOT / folder).rglob(name)) for folder in FOLDERS)
            assert there or name in OF_OTHERS, f"{name} is nowhere"


def test_every_dotted_name_means_something(page):
    for text in code(page):
        for name in re.findall(r"(?<![\w./])(dadu(?:\.\w+)+)", text):
            assert _exists(name), name


def test_every_parameter_is_a_field(page):
    for name in code(page):
        key = re.fullmatch(r"(?!dadu\.)[a-z_]+(\.[a-z_]+)+", name)
        if key and name.rpartition(".")[2] not in SUFFIXES and not name.startswith(FEATURES):
            assert set(name.split(".")) <= fields(), name


def test_every_import_in_an_example_works(page):
    for language, body in _FENCE.findall(page.read_text()):
        lines = "".join(line for line in body.splitlines(keepends=True) if not line.startswith("#"))
        nodes = ast.walk(ast.parse(dedent(lines))) if language == "python" else ()  # may go into a table's middle
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module.startswith("dadu"):
                assert all(_exists(f"{node.module}.{alias.name}") for alias in node.names), ast.unparse(node)


def test_every_link_leads_somewhere(page):
    for target, anchor in re.findall(r"\]\((?!http)([^)#]*)#?([^)]*)\)", page.read_text()):
        to = (page.parent / target) if target else page
        if to.name in SITE:
            continue
        assert to.exists(), target
        titles = re.findall(r"^#+ (.+)$", to.read_text(), re.MULTILINE) if anchor else []
        assert not anchor or anchor in [re.sub(r"[^\w -]", "", t.lower()).replace(" ", "-") for t in titles], anchor


def _exists(name: str) -> bool:
    """True if `name` is a module, or a class, function or constant in one, without importing what needs an extra."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            spec = find_spec(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        if spec is not None:
            rest = parts[end:]
            start = r"\b" if end < len(parts) and spec.submodule_search_locations else r"^(?:class |def )?"
            return not rest or bool(re.search(rf"{start}{rest[0]}\b", Path(spec.origin).read_text(), re.MULTILINE))
    return False
