"""``python -m flowbench``: the same as the ``flowbench`` command."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
