"""How the documentation is built: Markdown by MyST, looks by Furo, nothing from another host."""

import re

from sphinx.application import Sphinx

import tuilerie
from tuilerie.terminal.examples import draw_example
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
# A page under rules/ says `{{rules GAME LANG}}`: there goes the text that `tuilerie rules` shows.
# In it, `{{example NAME}}` becomes the position of that name, drawn as it is at the terminal.


def tell_rules(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put the rules of a game, with their drawn examples, into the page that asks for them."""
    source[0] = re.sub(
        r"^\{\{rules (\w+) (\w+)\}\}$",
        lambda asked: _with_drawings(rules_text(asked[1], asked[2]), asked[2]),
        source[0],
        flags=re.MULTILINE,
    )


def _with_drawings(text: str, lang: str) -> str:
    return re.sub(
        r"^\{\{example ([\w-]+)\}\}$",
        lambda asked: f"```text\n{draw_example(asked[1], colour=False, lang=lang)}\n```",
        text,
        flags=re.MULTILINE,
    )


def setup(app: Sphinx) -> None:
    """Called by Sphinx before it reads anything."""
    app.connect("source-read", tell_rules)
