"""Tables of a page that are read on a phone, too: there each row is a block, and each cell has to say what it is."""

from __future__ import annotations

import re

from markupsafe import Markup

_HEAD = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_BODY = re.compile(r"<tbody>.*?</tbody>", re.DOTALL)
_CELL = re.compile(r"<td\b([^>]*)>")
_SPAN = re.compile(r'colspan="(\d+)"')


def labelled(table: str) -> Markup:
    """A table's markup, each cell of its body with its column's heading as ``data-th`` (style.css shows it)."""
    names = [re.sub(r"<[^>]*>", "", name) for name in _HEAD.findall(str(table))]

    def row(found: re.Match[str]) -> str:
        column = 0

        def cell(td: re.Match[str]) -> str:
            nonlocal column
            span = _SPAN.search(td[1])
            name = names[column] if column < len(names) and not span else ""
            column += int(span[1]) if span else 1
            return f'<td data-th="{name}"{td[1]}>'
        return _CELL.sub(cell, found[0])

    return Markup(_BODY.sub(lambda body: re.sub(r"<tr\b.*?</tr>", row, body[0], flags=re.DOTALL), str(table)))
