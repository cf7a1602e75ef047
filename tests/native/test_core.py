"""The compiled core is there, and says so."""

from __future__ import annotations

import os

import pytest

from tuilerie import native


def test_the_core_is_compiled() -> None:
    if not native.is_compiled() and not os.environ.get("CI"):
        pytest.skip(f"the compiled core is not built: {native.why_not_compiled()}")
    assert native.why_not_compiled() is None
    assert native.engine() == "compiled"
