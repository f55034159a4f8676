"""`python -m dp_assay` is the program."""
import os
import subprocess
import sys

from ._link import binary


def main() -> int:
    if sys.platform == "win32":
        return subprocess.run([binary(), *sys.argv[1:]], check=False).returncode
    os.execv(binary(), [binary(), *sys.argv[1:]])
    return 0


if __name__ == "__main__":
    sys.exit(main())
