#!/bin/sh
# msgpack-numpy 0.4.8 and openpi-client 0.1.2 (its module openpi_client.msgpack_numpy), msgpack 1.1.2, numpy 1.26.4, Python 3.11.
#
# Both are called msgpack_numpy and put an array into a map with bytes for keys, but under other keys: b"nd", b"type", b"kind" there, b"__ndarray__", b"dtype" here.
# Each takes the other's array for an ordinary dict and hands it on without an error: a policy server or client of robots that installs the package of that name
# instead of the module gets dicts where it expects pictures and joints.
#
# Guess before: the module, which says that it is adapted from the package, reads what the package writes. Seen:
#   written by openpi-client, read by msgpack-numpy: dict
#   written by msgpack-numpy, read by openpi-client: dict
set -eu
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv v && v/bin/pip install -q numpy==1.26.4 msgpack==1.1.2 msgpack-numpy==0.4.8 && v/bin/pip install -q --no-deps openpi-client==0.1.2
v/bin/python - <<'PY'
import importlib.util
import sys

import msgpack_numpy as package
import numpy as np

folder = importlib.util.find_spec("openpi_client").submodule_search_locations[0]
spec = importlib.util.spec_from_file_location("module", f"{folder}/msgpack_numpy.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
joints = {"joints": np.zeros(7, np.float32)}
for writer, reader, names in ((module, package, ("openpi-client", "msgpack-numpy")), (package, module, ("msgpack-numpy", "openpi-client"))):
    assert isinstance(writer.unpackb(writer.packb(joints))["joints"], np.ndarray)
    got = reader.unpackb(writer.packb(joints))["joints"]
    print(f"written by {names[0]}, read by {names[1]}: {type(got).__name__}")
    assert isinstance(got, dict)
PY
