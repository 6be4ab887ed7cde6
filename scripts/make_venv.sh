#!/usr/bin/env bash
# Makes .venv in the clone and installs flowbench with one extra into it: scripts/make_venv.sh build|dev
# Does nothing when that is done already.
set -euo pipefail
cd "$(dirname "$0")/.."
extra=${1:?"usage: scripts/make_venv.sh build|dev"}

die() {
  echo "flowbench: $*" >&2
  exit 2
}

# Whether the Python $1 runs and is one of the versions we support.
suits() {
  "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1
}

# Whether $1 can compile an extension: PyBullet has wheels for Python 3.11 only.
compiles() {
  command -v g++ >/dev/null &&
    "$1" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}

find_python() {
  local python found=""
  for python in python3.11 python3.12 python3.13 python3; do
    suits "$python" || continue
    found=$python
    "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || continue
    "$python" -c 'import sys; sys.exit(sys.version_info >= (3, 12))' || compiles "$python" || continue
    echo "$python"
    return
  done
  [ -n "$found" ] || die "no Python 3.11, 3.12 or 3.13 found; install one, best 3.11 (Debian: apt install python3.11-venv)."
  "$found" -c 'import ensurepip, venv' >/dev/null 2>&1 ||
    die "$found has no venv module; install it (Debian: apt install $found-venv)."
  die "$found needs to compile PyBullet (about four minutes, once); install g++ and Python's headers (Debian: apt install g++ $found-dev), or Python 3.11, which has wheels."
}

stamp=.venv/.flowbench-$extra
state=$(cat pyproject.toml setup.py constraints.txt | sha256sum)
if [ -x .venv/bin/python ] && .venv/bin/python -c 'import flowbench' 2>/dev/null && [ "$(cat "$stamp" 2>/dev/null)" = "$state" ]; then
  exit 0
fi
[ "$(uname -s)/$(uname -m)" = Linux/x86_64 ] ||
  die "building needs Linux on x86-64, this is $(uname -s) on $(uname -m); loading works anywhere (pip install . in the clone)."
if ! suits .venv/bin/python || ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
  python=$(find_python)
  echo "making .venv with $("$python" --version)"
  "$python" -m venv --clear .venv
fi
echo "installing flowbench[$extra] into .venv"
export PIP_DISABLE_PIP_VERSION_CHECK=1
.venv/bin/python -m pip install --quiet -c constraints.txt -e ".[$extra]"
if [ "$extra" = dev ]; then
  # Its own requirement opencv-python would write over opencv-python-headless; what else it imports is in the extra.
  .venv/bin/python -m pip install --quiet --no-deps -c constraints.txt ai2thor
fi
echo "$state" >"$stamp"
