# DaDu. Every target sets up first; when nothing changed that costs a fraction of a second.
# PYTHON=python3.12 chooses the interpreter, ARGS="--seed 3" is handed on.

.PHONY: help setup demo test test-all test-vision test-lerobot lint docs clean

help:
	@echo "make setup     everything the project needs, into .venv; SMALL=1: a small language model, too"
	@echo "make demo      a simulated robot carries out an instruction; report under runs/"
	@echo "make test      the tests: a fixed selection, none of it skipped but what needs an extra"
	@echo "make test-all  also the long ones: every case of the corpora, other random examples each time"
	@echo "make test-vision  detectors of others (extra vision), in an environment of their own: gigabytes"
	@echo "make test-lerobot  datasets of episodes, read by LeRobot, in an environment of its own: gigabytes"
	@echo "make lint      style, types and complexity"
	@echo "make docs      the documentation as a searchable site, build/site (extra docs)"
	@echo "make clean     removes what setup and runs made"

setup:
	@scripts/python scripts/setup
	@test -z "$(SMALL)" || scripts/run dadu model get small

demo: setup
	@scripts/run dadu demo $(ARGS)

# Byte code is kept whatever the environment says: the tests start hundreds of processes.
test test-all: export PYTHONDONTWRITEBYTECODE =

test: setup
	@scripts/run python -m pytest -n 4 --dist loadgroup --no-loadscope-reorder $(ARGS)

test-all: setup
	@scripts/run python -m pytest -n 4 --dist loadgroup --no-loadscope-reorder --all $(ARGS)

test-vision: setup
	@test -x build/vision/bin/pytest || { .venv/bin/python -m venv build/vision && \
		build/vision/bin/pip install --quiet --editable '.[vision,dev]'; }
	@build/vision/bin/python -m pytest test/vision $(ARGS)

test-lerobot: setup
	@test -x build/lerobot/bin/pytest || { .venv/bin/python -m venv build/lerobot && \
		build/lerobot/bin/pip install --quiet --editable '.[lerobot,episodes,dev]'; }
	@build/lerobot/bin/python -m pytest test/lerobot $(ARGS)

lint: setup
	@scripts/run ruff check .
	@mkdir -p build/types && ln -sfn ../../nodes build/types/dadu_nodes
	@scripts/run mypy

docs: setup
	@scripts/run python -c "import mkdocs, mkdocstrings" 2>/dev/null || scripts/run pip install --quiet --editable '.[docs]'
	@PYTHONPATH=build/types scripts/run mkdocs build --quiet
	@echo "build/site/index.html"

clean:
	rm -rf .venv build runs ros2_ws/build ros2_ws/install ros2_ws/log *.egg-info
