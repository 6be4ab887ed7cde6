#!/usr/bin/env bash
# Reads a dataset that flowbench wrote in LeRobot's format 3.0 with LeRobot itself, and compares: scripts/check_lerobot.sh DIR
# LeRobot gets an environment of its own below the cache folder, once; it takes several gigabytes. Not part of CI.
set -euo pipefail
dataset=$(realpath -m "${1:?"usage: scripts/check_lerobot.sh DIR"}")
cd "$(dirname "$0")/.."

die() {
  echo "flowbench: $*" >&2
  exit 2
}

[ -f "$dataset/meta/info.json" ] || die "$dataset has no meta/info.json; give a dataset, e.g. one of \`flowbench record\`."
[ -x .venv/bin/python ] || die "no .venv in the clone; run scripts/make_venv.sh dev."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/flowbench/lerobot
python=$cache/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK=1
if ! "$python" -c 'import lerobot' 2>/dev/null; then
  echo "installing LeRobot into $cache"
  mkdir -p "$(dirname "$cache")"
  "${PYTHON:-python3}" -m venv --clear "$cache"
  "$python" -m pip install --quiet lerobot
fi
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
.venv/bin/python scripts/check_lerobot.py read "$dataset" "$found/frames.npz"
HF_HUB_OFFLINE=1 "$python" scripts/check_lerobot.py compare "$dataset" "$found/frames.npz"
