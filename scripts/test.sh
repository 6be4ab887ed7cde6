#!/usr/bin/env bash
# The quick tests; --all runs the slow ones as well. Other arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

select=(-m "not slow")
if [ "${1:-}" = --all ]; then
  select=()
  shift
fi
scripts/make_venv.sh dev
# One process compiles the kernels before the workers start, so that none compiles them twice.
.venv/bin/python -c 'from flowbench.rendering.warming import warm; warm()'
exec .venv/bin/python -m pytest -n 2 "${select[@]}" "$@"
