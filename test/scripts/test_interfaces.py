"""Which interface packages are built, in which order, and what is said meanwhile; nothing is compiled."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def interfaces():
    import interfaces

    return interfaces


@pytest.fixture
def rosidl_build():
    import rosidl_build

    return rosidl_build


def make_package(src: Path, name: str, *needs: str) -> Path:
    depends = "".join(f"<depend>{other}</depend>" for other in needs)
    group = "<member_of_group>rosidl_interface_packages</member_of_group>"
    (src / name).mkdir(parents=True)
    (src / name / "package.xml").write_text(f"<package>{depends}{group}</package>")
    return src / name


def test_the_projects_packages_are_found(interfaces):
    packages = {p.name for p in interfaces.interface_packages(ROOT / "ros2_ws" / "src")}
    assert packages == {"composition_interfaces", "control_msgs", "dadu_interfaces", "nav2_msgs",
                        "simulation_interfaces", "tf2_msgs"}


def test_packages_are_built_after_what_they_depend_on_and_else_together(interfaces, tmp_path):
    make_package(tmp_path, "a", "c")
    make_package(tmp_path, "b", "std_msgs")
    make_package(tmp_path, "c")
    groups = interfaces.build_groups(interfaces.interface_packages(tmp_path))
    assert [[p.name for p in group] for group in groups] == [["b", "c"], ["a"]]


def test_packages_in_a_circle_are_refused(interfaces, tmp_path):
    packages = [make_package(tmp_path, "a", "b"), make_package(tmp_path, "b", "a")]
    with pytest.raises(SystemExit, match="circle: a, b"):
        interfaces.build_groups(packages)


def test_a_package_is_built_again_when_it_its_recipe_or_what_it_depends_on_changes(interfaces, tmp_path):
    package = make_package(tmp_path, "a", "b")
    before = interfaces.content_hash(package, "recipe", {"b": "1", "unrelated": "1"})
    assert interfaces.content_hash(package, "recipe", {"b": "1", "unrelated": "2"}) == before
    assert interfaces.content_hash(package, "another", {"b": "1"}) != before
    assert interfaces.content_hash(package, "recipe", {"b": "2"}) != before
    (package / "A.msg").write_text("int8 a")
    assert interfaces.content_hash(package, "recipe", {"b": "1"}) != before


def test_exports_are_pointed_at_this_python(interfaces, tmp_path):
    export = tmp_path / "share/pkg/cmake/xExport.cmake"
    export.parent.mkdir(parents=True)
    built = "/opt/python/cp311-cp311"
    export.write_text(
        f'"{built}/include/python3.11;{built}/lib/python3.11/site-packages/numpy/_core/include;/opt/other"'
    )
    interfaces.point_exports_here(tmp_path)
    assert "/opt/python" not in export.read_text() and "/opt/other" in export.read_text()


def test_ninjas_status_becomes_which_package_and_how_much_is_done(rosidl_build):
    progress = rosidl_build.Progress(["a_msgs", "b_msgs"])
    assert progress.rewrite("[1/9] Building C object b_msgs/x.o") == "0 of 2 packages, 1 of 9 steps, at b_msgs"
    assert progress.rewrite("[2/9] Generating C code for ROS interfaces") == "0 of 2 packages, 2 of 9 steps, at b_msgs"
    assert progress.rewrite("[3/9] Linking C shared module a_msgs/rosidl_generator_py/a_msgs/a_msgs_s.so") == (
        "1 of 2 packages, 3 of 9 steps, at a_msgs"
    )
    assert progress.rewrite("warning: something") == "warning: something"


@pytest.mark.parametrize("said", [
    "[1/9] Building b_msgs/y.o\nFAILED: [code=1] a_msgs/x.o\nb_msgs/y.h: error: ...",
    "-- Found b_msgs/\nCMake Error at cmake/adapt.cmake:57 (message):\nCall Stack:\n  src/a_msgs/CMakeLists.txt:12 (x)",
])  # fmt: skip
def test_a_failure_names_the_package(rosidl_build, said, capfd):
    command = [sys.executable, "-c", f"print({said!r}); raise SystemExit(1)"]
    with pytest.raises(SystemExit, match="^error: compiling a_msgs failed$"):
        rosidl_build.run_tool("compiling", command, ["a_msgs", "b_msgs"])
    assert said in capfd.readouterr().out


def test_another_recipe_starts_in_an_empty_build_directory(rosidl_build, tmp_path):
    build_dir = tmp_path / "build"
    for recipe, kept in (("1", False), ("1", True), ("2", False)):
        rosidl_build.clear_unless_of(recipe, build_dir)
        assert (build_dir / "x.o").exists() == kept
        (build_dir / "x.o").touch()


def test_an_earlier_build_is_removed_and_nothing_else(rosidl_build, tmp_path):
    site = "lib/python3.11/site-packages"
    old = ["share/a_msgs/dadu_build_hash", "include/a_msgs/a.h", f"{site}/a_msgs/__init__.py", "lib/liba_msgs__c.so",
           f"{site}/a_msgs-0.1.0-py3.11.egg-info/PKG-INFO"]  # fmt: skip
    others = ["share/a_msgs_more/x", "lib/liba_msgs_more__c.so", f"{site}/a_msgs_more/__init__.py"]
    for name in old + others:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    rosidl_build.remove("a_msgs", tmp_path)
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()) == sorted(others)
