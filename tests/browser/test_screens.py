"""Every screen at every size: nothing overflows or is too small, and the board fills its space."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import layout
from tests.browser.house import Visitor
from tests.browser.screens import MEASURED, dress

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., Visitor]

SIZES = (
    (360, 640), (390, 844), (844, 390), (820, 1180),
    (1280, 800), (1440, 900), (1920, 1080), (3840, 2160),
)  # fmt: skip
TEXTS = (100, 130, 200)
EVERY = [(*size, text) for size in SIZES for text in TEXTS]
SOME = [(360, 640, 100), (360, 640, 200), (844, 390, 130), (820, 1180, 100), (1280, 800, 200)]
"""The usual tests measure these; the proofs measure every size."""

USUAL = (
    "home", "waiting-bot", "menu", "kaosmos-new-table", "genial-full", "blockers-full",
    "kaosmos-many", "kaosmos-build", "looking-back", "learn-kaosmos", "resigned", "genial-hint",
)  # fmt: skip


def measured(page: Page, sizes: list[tuple[int, int, int]]) -> list[str]:
    """All faults of the screen that is shown, each with the size at which it was found."""
    found: list[str] = []
    for width, height, text in sizes:
        page.set_viewport_size({"width": width, "height": height})
        layout.set_text(page, text)
        layout.settle(page)
        found += [f"{width}×{height} {text} %: {each}" for each in layout.faults(page)]
        found += [f"{width}×{height} {text} %: {each}" for each in layout.unused(page)]
    return found


def cases() -> list[Any]:
    """Each screen: in French with some sizes as a test, in both languages with all as a proof."""
    few = [(name, "fr", SOME) for name in MEASURED if name in USUAL]
    all_of = [
        pytest.param(name, lang, EVERY, marks=pytest.mark.proof)
        for name in MEASURED
        for lang in ("fr", "en")
    ]
    return [*few, *all_of]


@pytest.mark.parametrize(("name", "lang", "sizes"), cases())
def test_nothing_overflows_and_nothing_is_too_small(
    visit: Visit, name: str, lang: str, sizes: list[tuple[int, int, int]]
) -> None:
    page = visit(lang=lang, theme="dark" if lang == "en" else "light").page
    MEASURED[name](page)
    found = measured(page, sizes)
    if lang == "fr":
        dress(page, "dark")
        found += measured(page, sizes[:2])
    assert found == []
