"""YAML from outside: safe, without surprises, and of bounded size once its aliases are followed."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

import yaml

from dadu.core.errors import ConfigError

MAX_VALUES = 1_000_000
"""values that a file may hold, each alias counted as what it stands for"""
MAX_DEPTH = 200
"""values within values"""
_MERGE = "tag:yaml.org,2002:merge"
_SHOWN = 300
"""characters of the parser's own complaint"""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # known at run time
    """Safe YAML, by libyaml where there is one (much faster), with the booleans of YAML 1.2: ``on: table_0`` in a house
    file is a key called "on", not True. A key given twice is an error: the first would be lost. What comes by a merge
    (``<<: *defaults``) gives way to what is given."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """One value a key, before any is built: merges of merges would grow without bound. Of several merged mappings
        the first counts, as YAML has it; PyYAML 6.0.4 takes the last, or the first where keys are one letter long."""
        if getattr(node, "flat", False):
            return
        node.flat = True  # type: ignore[attr-defined]
        merged: dict[Hashable, tuple[yaml.Node, yaml.Node]] = {}
        own: dict[Hashable, tuple[yaml.Node, yaml.Node]] = {}
        for key_node, value in node.value:
            if key_node.tag == _MERGE:
                for base in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                    if not isinstance(base, yaml.MappingNode):
                        raise _error("only mappings can be merged", base)
                    self.flatten_mapping(base)
                    for pair in base.value:
                        merged.setdefault(self._key(pair[0]), pair)
            else:
                key = self._key(key_node)
                if key in own:
                    raise _error(f"key {key!r} is given twice", key_node)
                own[key] = key_node, value
        node.value = list({**merged, **own}.values())

    def _key(self, node: yaml.Node) -> Hashable:
        key = self.construct_object(node, deep=True)
        if not isinstance(key, Hashable):
            raise _error("a key must be a plain value", node)
        return key


def _error(text: str, node: yaml.Node) -> yaml.YAMLError:
    return yaml.constructor.ConstructorError(None, None, text, node.start_mark)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"),
                              list("tTfF"))


def load_yaml(text: str, source: str) -> Any:
    """The content of a YAML text; None where it is empty.

    Errors: ConfigError naming `source` for what is no YAML, a key given twice, a value that contains itself, nesting
    without end, and aliases that stand for more than `MAX_VALUES`.
    """
    try:
        if _may_be_deep(text) and _depth(text) > MAX_DEPTH:
            raise RecursionError
        data = yaml.load(text, _Loader)
        values = _count(data, {})
    except RecursionError:
        raise ConfigError(f"{source}: nested too deeply, or a value contains itself") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise ConfigError(f"{source}: not valid YAML: {str(error)[:_SHOWN]}") from None
    if values > MAX_VALUES:
        raise ConfigError(f"{source}: holds more than {MAX_VALUES} values once its aliases are followed")
    return data


def _may_be_deep(text: str) -> bool:
    """True if brackets and indentation could nest so far: libyaml puts nodes together without a limit, and its stack
    ends the whole process."""
    indented = max((len(found) for found in re.findall(r"^[ ?:-]+", text, re.MULTILINE)), default=0)
    return text.count("[") + text.count("{") + indented > MAX_DEPTH


def _depth(text: str) -> int:
    """By events, which need no stack; as deep as the text goes, or one more than `MAX_DEPTH`."""
    depth = deepest = 0
    for event in yaml.parse(text, _Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        deepest = max(deepest, depth)
        if deepest > MAX_DEPTH:
            break
    return deepest


def _count(value: Any, known: dict[int, int]) -> int:
    """Values below and with this one; each container is walked once."""
    if not isinstance(value, (dict, list)):
        return 1
    if id(value) not in known:
        children = value.values() if isinstance(value, dict) else value
        known[id(value)] = 1 + sum(_count(child, known) for child in children)
    return known[id(value)]
