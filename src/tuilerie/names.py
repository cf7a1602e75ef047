"""One rule for the names of people, wherever they come from: seats, accounts, records.

A name has at most `LONGEST` characters, each of which can be seen: no control and format characters
(such as bidirectional overrides), no invisible fillers and blanks, and no long runs of combining
marks.
"""

from __future__ import annotations

import unicodedata

LONGEST = 24
"""How many characters a name may have; there must be room for it on a phone."""

LONGEST_IN_RECORD = 100
"""The same in a record, which may name programs that played."""

MARKS_IN_A_ROW = 2
"""How many combining marks may follow each other."""

BLANK = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that Unicode calls letters, marks or symbols, but that show nothing."""

EMOJI_STYLE = dict.fromkeys((0xFE0E, 0xFE0F))
"""Phones add these invisible characters to symbols. They are removed."""

CONFUSABLE = str.maketrans(
    "аеорсухіјѕԁһԛԝвкмнтѐёαενορτυχκιβημ",
    "aeopcyxijsdhqwbkmhteeaevoptuxkibnm",
)
"""Cyrillic and Greek letters that look like Latin ones."""


def clean(name: str) -> str:
    """A name in its one form: composed, without emoji styles, with single spaces."""
    composed = unicodedata.normalize("NFC", name).translate(EMOJI_STYLE)
    return " ".join(word for word in composed.split(" ") if word)


def is_good(name: str, longest: int = LONGEST) -> bool:
    """Whether a clean name may be shown."""
    return 0 < len(name) <= longest and _is_visible(name)


def _is_visible(name: str) -> bool:
    marks = 0
    for letter in name:
        if letter in BLANK or not letter.isprintable():
            return False
        marks = marks + 1 if unicodedata.category(letter).startswith("M") else 0
        if marks > MARKS_IN_A_ROW:
            return False
    return not name or not unicodedata.category(name[0]).startswith("M")


def shown(name: str, longest: int = LONGEST) -> str:
    """A name of a record, shortened to fit."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


def looks_like(name: str) -> str:
    """What a name looks like in small Latin letters: two accounts must not look the same."""
    small = unicodedata.normalize("NFKC", name).casefold()
    return unicodedata.normalize("NFKC", small).translate(CONFUSABLE)
