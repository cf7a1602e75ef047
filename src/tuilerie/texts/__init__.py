"""The rules of each game for players, in our own words, one file per game and language.

The texts are Markdown, kept to what reads well in a terminal too:

- headings (`#` once at the top, then `##` and `###`), paragraphs of one line each, `-` and `1.`
  lists without nesting, tables with a header row, `**strong**`, `*stressed*` and `` `code` ``;
- `{{example NAME}}` on a line of its own: a drawn position, the one called NAME in
  `tuilerie.texts.examples`. A test checks each of them against the rules.

French puts a no-break space (U+00A0) before `: ; ! ? »` and after `«`. Line wrapping must not break
there: `str.split()` would.
"""

from __future__ import annotations

from importlib.resources import files


def rules_text(game: str, lang: str) -> str:
    """The rules of a game, by its name, in a language, by its code ('en', 'fr')."""
    return (files(__package__) / f"{game}.{lang}.md").read_text(encoding="utf-8")
