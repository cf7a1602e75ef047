"""Sphinx configuration: Markdown by MyST, theme Furo, no resources from other hosts."""

import re

from sphinx.application import Sphinx

import tuilerie
from tuilerie.terminal.rules_text import draw_example
from tuilerie.texts import rules_text

project = "Tuilerie"
author = "the Tuilerie contributors"
copyright = author
release = version = tuilerie.__version__
language = "en"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
nitpicky = True

myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Tuilerie {release}"
html_copy_source = False
html_show_sourcelink = False


# --- the rules of the games -----------------------------------------------------------------------
# A page under rules/ has `{{rules GAME LANG}}`, which is replaced by the text of `tuilerie rules`.
# In it, `{{example NAME}}` is replaced by the drawing of that example.


def include_rules(app: Sphinx, docname: str, source: list[str]) -> None:
    """Include the rules of a game, with their drawn examples, in a page."""
    source[0] = re.sub(
        r"^\{\{rules (\w+) (\w+)\}\}$",
        lambda match: _with_drawings(rules_text(match[1], match[2]), match[2]),
        source[0],
        flags=re.MULTILINE,
    )


def _with_drawings(text: str, lang: str) -> str:
    return re.sub(
        r"^\{\{example ([\w-]+)\}\}$",
        lambda match: f"```text\n{draw_example(match[1], colour=False, lang=lang)}\n```",
        text,
        flags=re.MULTILINE,
    )


def setup(app: Sphinx) -> None:
    """Sphinx extension entry point."""
    app.connect("source-read", include_rules)
