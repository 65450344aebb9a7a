"""What dadu doctor finds."""

from __future__ import annotations

import urllib.error

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


def test_a_machine_without_room_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr(checks, "_DISK", 2**80)
    assert not checks.disk(tmp_path).ok
