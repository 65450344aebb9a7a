#!/bin/sh
# llguidance 1.9.1, outlines_core 0.2.14, lm-format-enforcer 0.11.3, Python 3.11.
#
# One JSON schema, three engines of guided decoding, three languages. A keyword that llguidance does not know it refuses, by name. The two others drop it without a word, and then let through what the schema forbids; what they do keep,
# they read otherwise: a `pattern`, which by JSON Schema may be found anywhere in a text, has to be the whole text; llguidance and outlines_core want an object's keys in the order of the schema. A reply that one engine has guided can so be
# one that another never lets a model write, and no engine's reply is known to fit the schema: check it again.
#
# Guess before: pattern anchored by outlines_core and lm-format-enforcer (so it is), unknown keywords refused by all. Seen, + lets the text through, - does not, ! refuses the schema:
#                                             by the schema   llguidance   outlines_core   lm-format-enforcer
#   pattern b+               "abc"                 +              +              -                 -
#   keys a, b                {"b": 1, "a": 2}      +              -              -                 +
#   uniqueItems              ["a", "a"]            -              !              +                 +
#   contains a               ["b"]                 -              !              +                 +
#   not x                    "x"                   -              !              +                 +
#   dependentRequired        {"a": 1}              -              !              +                 +
#   minProperties 1          {}                    -              -              +                 +
#   multipleOf 5             7                     -              -              +                 +
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q llguidance==1.9.1 outlines_core==0.2.14 lm-format-enforcer==0.11.3
v/bin/python - <<'PY'
import json
import re

from llguidance import LLMatcher, LLTokenizer
from lmformatenforcer import JsonSchemaParser
from outlines_core.json_schema import build_regex_from_schema

BYTES = LLTokenizer("byte")
LETTERS = {"type": "array", "items": {"enum": ["a", "b"]}}
NUMBERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "additionalProperties": False}


def llguidance(schema, text):
    matcher = LLMatcher(BYTES, LLMatcher.grammar_from_json_schema(json.dumps(schema)))
    if matcher.is_error():
        return "!"
    tokens = list(text.encode())
    return "+" if matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting() else "-"


def outlines(schema, text):
    return "+" if re.fullmatch(build_regex_from_schema(json.dumps(schema)), text) else "-"


def enforcer(schema, text):
    parser = JsonSchemaParser(schema)
    for letter in text:
        if letter not in parser.get_allowed_characters():
            return "-"
        parser = parser.add_character(letter)
    return "+" if parser.can_end() else "-"


for schema, text, expected in (
        ({"type": "string", "pattern": "b+"}, '"abc"', "+--"),
        (NUMBERS | {"required": ["a", "b"]}, '{"b": 1, "a": 2}', "--+"),
        (LETTERS | {"uniqueItems": True}, '["a", "a"]', "!++"),
        (LETTERS | {"contains": {"const": "a"}}, '["b"]', "!++"),
        ({"type": "string", "not": {"enum": ["x"]}}, '"x"', "!++"),
        (NUMBERS | {"dependentRequired": {"a": ["b"]}}, '{"a": 1}', "!++"),
        (NUMBERS | {"minProperties": 1}, "{}", "-++"),
        ({"type": "integer", "multipleOf": 5}, "7", "-++")):
    seen = "".join(engine(schema, text) for engine in (llguidance, outlines, enforcer))
    print(seen, json.dumps(schema), text)
    assert seen == expected
PY
