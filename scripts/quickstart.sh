#!/usr/bin/env bash
# From a fresh clone to a small release that plain `datasets` loads, and a page to look at.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/make_venv.sh build
.venv/bin/flowbench build sim_train --scenes 2 --seed 0 --out release/flowbench
.venv/bin/flowbench validate release/flowbench --report release/report.html
.venv/bin/flowbench show release/flowbench sim_train --out release/preview.html
echo
echo "Loading it with plain datasets, from the folder above it:"
(cd release && ../.venv/bin/python ../examples/load_with_datasets.py)
echo
echo "Release: $PWD/release/flowbench"
echo "Report:  $PWD/release/report.html"
echo "Preview: $PWD/release/preview.html (open both in a browser)"
