"""A small line chart as SVG."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_WIDTH, _HEIGHT = 160.0, 26.0


def sparkline(values: Sequence[float], top: float = 1.0) -> str:
    """`values` from left to right, `top` at full height (more where they exceed it); empty for fewer than two."""
    if len(values) < 2:
        return ""
    v = np.asarray(values, float)
    if len(v) > _WIDTH:
        # Worst of each pixel column: peaks must not vanish.
        v = np.array([part.max() for part in np.array_split(v, int(_WIDTH))])
    x = np.linspace(0, _WIDTH, len(v))
    y = _HEIGHT - 1 - v / max(top, float(v.max())) * (_HEIGHT - 2)
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y))
    return (f'<svg class="spark" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" preserveAspectRatio="none">'
            f'<polygon points="0,{_HEIGHT:.0f} {line} {_WIDTH:.0f},{_HEIGHT:.0f}"/><polyline points="{line}"/></svg>')
