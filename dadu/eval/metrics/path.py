"""Success weighted by path length. Source: DaDu-E, equation 5 (Anderson et al., 2018)."""

from __future__ import annotations


def spl(success: float, shortest: float, length: float) -> float:
    """One episode's term: success x shortest / max(length, shortest), lengths in metres; the mean over episodes is SPL.
    Where there is nowhere to go the path is as short as can be."""
    longest = max(length, shortest)
    return float(success) * (shortest / longest if longest > 0 else 1.0)
