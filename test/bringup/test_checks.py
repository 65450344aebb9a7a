"""What dadu doctor finds."""

from __future__ import annotations

import io
import urllib.error
from types import SimpleNamespace

import pytest

from dadu.bringup import checks


def test_a_missing_interface_package_is_named(monkeypatch):
    monkeypatch.setattr(checks, "find_spec", lambda name: None if name == "nav2_msgs" else object())
    check = checks.interfaces()
    assert not check.ok and check.found == "missing: nav2_msgs" and "make setup" in check.advice


def test_a_missing_extra_names_itself_and_is_not_needed():
    check = checks.optional("vision", ("no_such_module",), "eyes")
    assert not check.ok and not check.needed and ".[vision]" in check.advice


def test_a_silent_model_server_is_no_failure():
    def refuse(*_, **__):
        raise urllib.error.URLError("refused")

    check = checks.model_server("http://localhost:1/v1", refuse)
    assert not check.ok and not check.needed and "refused" in check.found


@pytest.mark.parametrize(("answer", "ok", "found"), [
    (b'{"data": [{"id": "b"}, {"id": "a"}]}', True, "serves a, b"), (b'{"data": []}', False, "no model"),
    (b"<html>", False, "Expecting"), (b"[1]", False, "no model")])
def test_what_a_model_server_serves_is_said(answer, ok, found):
    check = checks.model_server("http://localhost:1/v1", lambda *_, **__: io.BytesIO(answer))
    assert check.ok is ok and found in check.found


@pytest.mark.parametrize(("free", "enough"), [(512, True), (64, False), (0, False)])
def test_shared_memory_is_enough_where_a_picture_sender_gets_its_segment(monkeypatch, free, enough):
    monkeypatch.setattr("dadu.bringup.environment.shutil.disk_usage", lambda _: SimpleNamespace(free=free * 2**20))
    check = checks.shared_memory()
    assert check.ok is enough and "shm-size" in check.advice


def test_a_machine_without_room_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(checks, "_DISK", 2**80)
    assert not checks.disk(tmp_path).ok
