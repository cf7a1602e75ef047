"""Another build of the core than the package's can be tested: `TUILERIE_CORE=DIR pytest …`.

Python looks for the parts of a package in the folders of its `__path__`, so naming another folder
first is enough. How many random games the comparisons play says `TUILERIE_GAMES`.
"""

from __future__ import annotations

import os

from tuilerie import native

if folder := os.environ.get("TUILERIE_CORE"):
    native.__path__.insert(0, folder)
