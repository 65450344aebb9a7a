"""`make setup` in its parts; nothing is downloaded or installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def steps(tmp_path, monkeypatch):
    import steps

    monkeypatch.setattr(steps, "LOG", tmp_path / "build" / "setup.log")
    return steps


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_failed_step_is_a_sentence_with_its_own_error(steps):
    with pytest.raises(steps.SetupError, match="wheels: ERROR: no matching distribution"):
        steps.run("wheels", python("print('ERROR: no matching distribution'); raise SystemExit(1)"))
    assert "no matching" in steps.LOG.read_text()


def test_a_failed_download_is_said_so(steps):
    with pytest.raises(steps.SetupError, match="the download failed; is there a network connection"):
        steps.run("wheels", python("print('NewConnectionError(...)\\nERROR: none found'); raise SystemExit(1)"))


def test_a_missing_command_is_a_sentence(steps):
    with pytest.raises(steps.SetupError, match="/no/such/command: No such file"):
        steps.run("nothing", ["/no/such/command"])


def test_a_command_ends_when_nobody_reads_it_any_more(steps):
    said = steps.lines(python("import os, time; print(os.getpid(), flush=True); time.sleep(60)"))
    child = int(next(said))
    said.close()
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_on_a_terminal_the_last_line_is_shown_cut_to_its_width(monkeypatch, capsys):
    import screen

    monkeypatch.setattr(screen.sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "20")
    line = screen.Line("wheels")
    line.show("  Collecting something-with-a-long-name\n")
    line.end("3 s")
    assert capsys.readouterr().out == "wheels ...\rwheels ... Collecti\x1b[K\rwheels ... 3 s\x1b[K\n"


def test_elsewhere_a_step_is_one_line(steps, capsys):
    steps.run("wheels", python("print('Collecting')"))
    assert re.fullmatch(r"wheels \.\.\. \d+ s\n", capsys.readouterr().out)


def test_what_pip_was_installing_when_it_was_interrupted_is_installed_again(tmp_path):
    import venv_

    whole, half = (tmp_path / f"lib/python3.11/site-packages/{name}.dist-info" for name in ("whole-1", "half-1"))
    for metadata in (whole, half):
        metadata.mkdir(parents=True)
        (metadata / "METADATA").touch()
    (whole / "RECORD").touch()
    venv_.forget_half_installed(tmp_path)
    assert whole.is_dir() and not half.exists()


def lacking():
    return {"a C and C++ compiler": ("build-essential",), "EGL, to render without a screen": ("libegl1",)}


def test_without_the_right_to_install_everything_is_named_in_one_message(monkeypatch):
    import steps
    import system

    monkeypatch.setattr(system, "_rights", lambda: None)
    with pytest.raises(steps.SetupError) as error:
        system.provide(lacking())
    text = str(error.value)
    assert "compiler and EGL" in text
    assert "`sudo apt-get install -y --no-install-recommends build-essential libegl1`" in text


def test_with_the_right_it_is_installed(monkeypatch, steps):
    import system

    commands = []
    monkeypatch.setattr(system, "_rights", lambda: ["sudo", "-n"])
    monkeypatch.setattr(system, "run", lambda what, command, env: commands.append(command))
    monkeypatch.setattr(system.shutil, "which", lambda name: f"/usr/bin/{name}")
    system.provide(lacking())
    assert [c[:4] for c in commands] == [["sudo", "-n", "apt-get", "update"], ["sudo", "-n", "apt-get", "install"]]
    assert commands[1][-2:] == ["build-essential", "libegl1"]


def test_a_missing_compiler_is_found_missing(monkeypatch):
    import system

    monkeypatch.setattr(system.shutil, "which", lambda name: None)
    assert "build-essential" in system.missing(sys.executable)["a C and C++ compiler"]


def make_project(root: Path) -> Path:
    (root / "msg").mkdir(parents=True)
    (root / "msg" / "A.msg").write_text("int8 a")
    for name in ("pyproject.toml", "setup.py", "setup.cfg", "package.xml", "Makefile"):
        (root / name).write_text(name)
    python_link = root / ".venv" / "bin" / "python"
    python_link.parent.mkdir(parents=True)
    python_link.symlink_to(sys.executable)
    return root / ".venv"


def test_the_stamp_holds_until_something_it_covers_changes(tmp_path):
    import stamp

    venv = make_project(tmp_path)
    assert not stamp.unchanged(tmp_path, venv, None)
    stamp.write(tmp_path, venv, None)
    assert stamp.unchanged(tmp_path, venv, None)
    assert not stamp.unchanged(tmp_path, venv, "jazzy")
    (tmp_path / "msg" / "A.msg").write_text("int16 a")
    assert not stamp.unchanged(tmp_path, venv, None)


def test_registration_makes_an_ament_package_of_the_venv(tmp_path):
    import register

    venv = make_project(tmp_path)
    (tmp_path / "launch").mkdir()
    (tmp_path / "launch" / "x.launch.py").touch()
    info = venv / "lib/python3.11/site-packages/dadu-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text("[console_scripts]\nplanner = dadu_nodes.planner:main\n")
    for _ in range(2):  # the second time over the first
        register.register(tmp_path, venv)
        assert (venv / "share/ament_index/resource_index/packages/dadu").is_file()
        assert (venv / "share/dadu/launch/x.launch.py").is_file()
        assert os.readlink(venv / "lib/dadu/planner") == "../../bin/planner"
    assert (tmp_path / "launch" / "x.launch.py").is_file()


def test_a_python_too_old_or_absent_is_a_sentence():
    done = subprocess.run([ROOT / "scripts" / "python", "x"], capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin", "PYTHON": "/bin/false"})  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("DaDu needs Python 3.10 to 3.14, and /bin/false is not one")


def test_a_distribution_of_another_python_is_refused(monkeypatch):
    import ros
    import steps

    monkeypatch.setenv("ROS_DISTRO", "jazzy")
    monkeypatch.setenv("AMENT_PREFIX_PATH", "/opt/ros/jazzy")
    monkeypatch.setattr(ros, "ask", lambda python, code: None)
    with pytest.raises(steps.SetupError, match="cannot import its rclpy"):
        ros.sourced()


def test_a_second_set_up_of_a_checkout_waits_for_the_first(tmp_path, monkeypatch):
    """The second finds what the first has left done, and sets nothing up."""
    import runpy
    import threading

    module = runpy.run_path(str(ROOT / "scripts/setup/__main__.py"))
    main = module["main"]
    done, begun, go_on, told = [], threading.Event(), threading.Event(), threading.Event()

    def set_up(venv, distribution):
        begun.set()
        assert go_on.wait(60)
        done.append(distribution)

    for name, value in (("LOCK", tmp_path / "build" / "setup.lock"), ("set_up", set_up),
                        ("note", lambda text: told.set())):
        monkeypatch.setitem(main.__globals__, name, value)
    monkeypatch.setattr(main.__globals__["stamp"], "unchanged", lambda *_: bool(done))
    runs = [threading.Thread(target=main) for _ in range(2)]
    runs[0].start()
    assert begun.wait(60)
    runs[1].start()
    assert told.wait(60)
    assert not done
    go_on.set()
    for run in runs:
        run.join(60)
    assert len(done) == 1
