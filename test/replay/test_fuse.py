"""What `dadu map fuse` says where Open3D is not there; what it makes is in test/vision."""

import sys

import pytest

from dadu.core.errors import MissingExtra
from dadu.replay.fuse import write_mesh


def test_the_extra_is_named_where_it_lacks(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "open3d", None)
    with pytest.raises(MissingExtra, match="vision"):
        write_mesh(iter(()), [], tmp_path / "home.ply", 0.02)
