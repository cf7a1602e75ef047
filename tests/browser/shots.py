"""Pictures of every screen, in both themes and languages, on a phone and on a desktop.

`python -m tests.browser.shots [--into FOLDER] [--sizes small wide …] [--screens home …]`; without
words, all of them on phone and desktop go to build/shots.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.browser.house import DESKTOP, PHONE, Visitor, running_browser, running_server
from tests.browser.screens import SCREENS, dress

SIZES = {
    "phone": PHONE,
    "desktop": DESKTOP,
    "small": {"width": 360, "height": 640},
    "wide": {"width": 3840, "height": 2160},
}


def main(folder: Path, sizes: list[str], screens: list[str]) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with running_server() as address, running_browser() as browser:
        for lang in ("fr", "en"):
            for size in sizes:
                how = {"viewport": SIZES[size], "lang": lang, "motion": "full"}
                visitor = Visitor(browser, address, **how)
                for name in screens:
                    SCREENS[name](visitor.page)
                    take(visitor, folder, f"{name}-{size}", lang)
                visitor.close()


def take(visitor: Visitor, folder: Path, name: str, lang: str) -> None:
    """One screen in either theme, when nothing moves any more."""
    visitor.page.wait_for_timeout(200)
    for theme in ("light", "dark"):
        dress(visitor.page, theme)
        file = folder / f"{name}-{theme}-{lang}.png"
        visitor.page.screenshot(path=file, animations="disabled")


if __name__ == "__main__":
    words = argparse.ArgumentParser(prog="python -m tests.browser.shots", description=__doc__)
    words.add_argument("--into", type=Path, default=Path("build/shots"), metavar="FOLDER")
    words.add_argument("--sizes", nargs="+", choices=SIZES, default=["phone", "desktop"])
    words.add_argument("--screens", nargs="+", choices=SCREENS, default=list(SCREENS))
    args = words.parse_args()
    main(args.into, args.sizes, args.screens)
