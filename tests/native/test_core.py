"""Availability of the compiled core."""

from __future__ import annotations

import ctypes
import os
from importlib import import_module
from pathlib import Path

import pytest

from tuilerie import native


def test_the_core_is_compiled() -> None:
    if not native.is_compiled() and not os.environ.get("CI"):
        pytest.skip(f"the compiled core is not built: {native.why_not_compiled()}")
    assert native.why_not_compiled() is None
    assert native.engine() == "compiled"


@pytest.mark.skipif("TUILERIE_CORE" not in os.environ, reason="TUILERIE_CORE is not set")
@pytest.mark.parametrize("module", native.MODULES)
def test_other_build_is_loaded_with_sanitizers(module: str) -> None:
    loaded = import_module(f"tuilerie.native.{module}")
    assert Path(str(loaded.__file__)).parent == Path(os.environ["TUILERIE_CORE"])
    assert b"__asan_report_" in Path(str(loaded.__file__)).read_bytes()
    assert ctypes.CDLL(None).__asan_init is not None
