"""Environment variables, DDS profile and run directories."""

from __future__ import annotations

import os
import shutil
from collections import namedtuple
from xml.etree import ElementTree

import pytest

from dadu.bringup import environment as module
from dadu.bringup.environment import PICTURES_PROFILE, environment, segment_size, send_pictures, write_dds_profile
from dadu.bringup.run_directory import make_run_directory

MEBI = 2**20
NAMESPACE = "{http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles}"


def free(monkeypatch, size: int) -> None:
    usage = namedtuple("usage", "total used free")(size, 0, size)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)


@pytest.mark.parametrize(("shared", "expected"), [(2**34, 32 * MEBI), (64 * MEBI, 64 * MEBI // 12), (8 * MEBI, 0)])
def test_segments_fit_into_the_shared_memory(monkeypatch, shared, expected):
    free(monkeypatch, shared)
    assert segment_size(32 * MEBI) == expected and segment_size() == min(4 * MEBI, expected)


@pytest.mark.parametrize(("shared", "transports"), [(2**34, ["shared_memory", "udp"]), (0, ["udp"])])
def test_the_profile_names_the_transports_it_describes(monkeypatch, tmp_path, shared, transports):
    free(monkeypatch, shared)
    root = ElementTree.parse(write_dds_profile(tmp_path / "profile.xml", segment_size())).getroot()
    described = [e.text for e in root.iterfind(f".//{NAMESPACE}transport_descriptor/{NAMESPACE}transport_id")]
    used = [e.text for e in root.iterfind(f".//{NAMESPACE}userTransports/{NAMESPACE}transport_id")]
    assert described == used == transports


def test_what_the_user_set_is_kept(tmp_path):
    env = environment(tmp_path, {"OMP_NUM_THREADS": "4", "PATH": "/bin"})
    assert env["OMP_NUM_THREADS"] == "4" and env["PATH"] == "/bin" and env["DADU_RUN_DIR"] == str(tmp_path)


def test_only_who_sends_pictures_has_memory_for_them(monkeypatch, tmp_path):
    free(monkeypatch, 2**34)
    sizes = []
    for pictures in (False, True):
        with monkeypatch.context() as patch:
            for name, value in environment(tmp_path, {}).items():
                patch.setenv(name, value)
            if pictures:
                send_pictures()
            root = ElementTree.parse(os.environ["FASTRTPS_DEFAULT_PROFILES_FILE"]).getroot()
            sizes += [int(e.text) for e in root.iterfind(f".//{NAMESPACE}segment_size")]
    assert sizes == [4 * MEBI, 32 * MEBI]
    assert PICTURES_PROFILE not in environment(tmp_path, {"FASTDDS_DEFAULT_PROFILES_FILE": "their own"})


def test_search_paths_do_not_grow():
    assert module._joined("/a", "/b:/a", "") == "/a:/b"


def test_each_run_has_its_directory_and_latest_points_to_the_newest(tmp_path):
    first, second = make_run_directory(runs=tmp_path), make_run_directory(runs=tmp_path)
    assert first != second and first.is_dir() and second.is_dir()
    assert (tmp_path / "latest").resolve() == second


def test_a_given_run_directory_is_used_again(tmp_path):
    assert make_run_directory(tmp_path / "a") == make_run_directory(str(tmp_path / "a")) == tmp_path / "a"
