"""All benchmarks of the engines, one after the other: `python benchmarks`, or `make bench`.

Each is a separate program that prints a table of ratios; new ones are found by name.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = ("random_games.py", "core_*.py", "solver.py")


def found() -> list[Path]:
    """The programs, in their order."""
    return [path for name in NAMES for path in sorted(HERE.glob(name))]


def main() -> int:
    """Run them; returns how many failed."""
    failed = 0
    for path in found():
        print(f"── {path.stem} " + "─" * (76 - len(path.stem)), flush=True)
        failed += subprocess.run([sys.executable, str(path)], check=False).returncode != 0
        print(flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
