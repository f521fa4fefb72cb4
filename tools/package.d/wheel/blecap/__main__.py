"""The command."""

import os
import sys

from . import BINARY


def main() -> None:
    """Becomes the command."""
    os.execv(BINARY, ['blecap', *sys.argv[1:]])


if __name__ == '__main__':
    main()
