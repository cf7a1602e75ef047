"""A JSON parser with source positions, for the data files of tiles and cards.

Custom sets are typed by hand, so all faults are reported at once, each with its line. The file is a
JSON array with one entry per line. After an invalid entry, parsing resumes at the next line that
begins with '{'.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from tuilerie.games.game import Json

_WHITE = re.compile(r"[ \t\r\n]*")
_TEXT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,3})?")
_WORD = re.compile(r"true|false|null")
_ENTRY_LINE = re.compile(r"^[ \t]*(?=\{)", re.MULTILINE)
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class SetFault:
    """A fault in a data file. A file with warnings only is valid.

    The codes with their params:

    ==================  ============================================================================
    json                the text is not JSON here; expected, found
    not-a-list          JSON, but no list; found
    not-a-set           neither tiles nor cards
    entry-not-object    an entry that is not {…}; found
    key-missing         key
    key-unknown         key, expected
    key-twice           key
    wrong-type          key, found, expected
    bad-id              found, expected
    id-twice            id, first (the line of the other)
    cells-count         not four fields; found, expected
    field-unknown       found, expected
    arm-unknown         found, expected
    arm-twice           found
    tiles-equal         warning: the same tile, perhaps turned; id, other, line
    too-few-tiles       found, needed
    effect-unknown      found, expected
    value-unknown       not a value of this parameter; key, found, expected
    out-of-range        key, found, least, most
    not-rising          steps must rise; key, found
    too-few-cards       found, needed
    ==================  ============================================================================
    """

    name: str  # of the file
    line: int
    column: int
    code: str
    params: Mapping[str, Json]
    warning: bool = False


class BadSet(Exception):
    """An invalid data file, with all its faults."""

    def __init__(self, faults: tuple[SetFault, ...]) -> None:
        super().__init__(faults)
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON value with its position. Lists hold nodes; objects hold nodes by key."""

    at: int
    value: Json
    key_at: int = 0  # the position of its key, in an object

    @property
    def kind(self) -> str:
        """The JSON type of the value."""
        kinds = {dict: "object", list: "list", str: "text", bool: "true/false", int: "whole number"}
        return "null" if self.value is None else kinds.get(type(self.value), "number")

    @property
    def data(self) -> Json:
        """Return the value without positions."""
        if isinstance(self.value, dict):
            return {key: node.data for key, node in self.value.items()}
        return [node.data for node in self.value] if self.kind == "list" else self.value


class _Broken(Exception):
    """Invalid JSON at this position."""

    def __init__(self, at: int, expected: str) -> None:
        super().__init__(at, expected)
        self.at = at
        self.expected = expected


class Reader:
    """Parses one data file and collects its faults."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text.removeprefix("\ufeff")  # byte order mark
        self.name = name
        self.faults: list[SetFault] = []
        self._lines = [0, *(found.end() for found in re.finditer("\n", self.text))]

    def line_of(self, at: int) -> int:
        """Return the line number of a position."""
        return bisect_right(self._lines, at)

    def fault(self, at: int, code: str, *, warning: bool = False, **params: Json) -> None:
        """Add a fault at this position."""
        line = self.line_of(at)
        column = at - self._lines[line - 1] + 1
        self.faults.append(SetFault(self.name, line, column, code, params, warning))

    def found(self) -> tuple[SetFault, ...]:
        """Return all faults so far, in the order of the file."""
        return tuple(sorted(self.faults, key=lambda fault: (fault.line, fault.column)))

    def check(self) -> None:
        """Raise `BadSet` if there is any fault other than a warning."""
        if any(not fault.warning for fault in self.faults):
            raise BadSet(self.found())

    def entries(self) -> list[Node]:
        """Parse the entries of the file's array."""
        if (other := self._other_value()) is not None:
            self.fault(other.at, "not-a-list", found=other.kind)
            return []
        found: list[Node] = []
        at: int | None = 0
        try:
            at = self._expect(0, "[")
        except _Broken as broken:
            at = self._recover(broken, -1)
        while at is not None:
            begin = self._skip(at)
            try:
                at = self._entry(begin, found)
            except _Broken as broken:
                at = self._recover(broken, begin)
        return found

    def members(
        self, node: Node, needed: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> dict[str, Node]:
        """Return the members of an entry by key; missing and unknown keys are faults."""
        known = (*needed, *optional)
        if not isinstance(node.value, dict):
            self.fault(node.at, "entry-not-object", found=node.kind)
            return {}
        for key in needed:
            if key not in node.value:
                self.fault(node.at, "key-missing", key=key)
        for key, member in node.value.items():
            if key not in known:
                self.fault(member.key_at, "key-unknown", key=key, expected=list(known))
        return {key: member for key, member in node.value.items() if key in known}

    def is_kind(self, key: str, node: Node, kind: str) -> bool:
        """Return whether a value has this type; add a fault if not."""
        if node.kind != kind:
            self.fault(node.at, "wrong-type", key=key, found=node.kind, expected=kind)
        return node.kind == kind

    # --- JSON grammar -----------------------------------------------------------------------------

    def _other_value(self) -> Node | None:
        """The only value of the file, if that is no array."""
        begin = self._skip(0)
        if self.text.startswith("[", begin):
            return None
        try:
            node, end = self._value(begin, 1)
        except _Broken:
            return None
        return node if self._skip(end) == len(self.text) else None

    def _entry(self, at: int, found: list[Node]) -> int | None:
        """Parse one entry; return the position of the next one, if any."""
        if found or not self.text.startswith("]", at):
            node, at = self._value(at, 1)
            found.append(node)
            at = self._skip(at)
            if self.text.startswith(",", at):
                return at + 1
        end = self._skip(self._expect(at, "]", ", or ]"))
        if end < len(self.text):
            raise _Broken(end, "end of file")
        return None

    def _recover(self, broken: _Broken, begin: int) -> int | None:
        """Add a fault for invalid JSON and find the next entry, if any."""
        found = self.text[broken.at : broken.at + 1] or "end of file"
        self.fault(broken.at, "json", expected=broken.expected, found=found)
        line = self._lines[self.line_of(broken.at) - 1]
        next_entry = _ENTRY_LINE.search(self.text, max(line, begin + 1))
        return next_entry.end() if next_entry else None

    def _skip(self, at: int) -> int:
        white = _WHITE.match(self.text, at)
        assert white  # it also matches the empty string
        return white.end()

    def _expect(self, at: int, sign: str, expected: str = "") -> int:
        at = self._skip(at)
        if not self.text.startswith(sign, at):
            raise _Broken(at, expected or sign)
        return at + 1

    def _value(self, at: int, depth: int) -> tuple[Node, int]:
        """Parse the value at this position; return it and its end."""
        sign = self.text[at : at + 1]
        if sign in ("{", "["):
            if depth > _DEEPEST:
                raise _Broken(at, "fewer levels")
            return self._object(at, depth) if sign == "{" else self._list(at, depth)
        for pattern in (_TEXT, _NUMBER, _WORD):
            if match := pattern.match(self.text, at):
                value = json.loads(match[0])
                if isinstance(value, str):  # a lone surrogate cannot be encoded
                    value = value.encode("utf-8", "replace").decode("utf-8")
                return Node(at, value), match.end()
        raise _Broken(at, "a value")

    def _list(self, begin: int, depth: int) -> tuple[Node, int]:
        items: list[Node] = []
        at = self._skip(begin + 1)
        while not self.text.startswith("]", at) or items:
            item, at = self._value(at, depth + 1)
            items.append(item)
            at = self._skip(at)
            if not self.text.startswith(",", at):
                break
            at = self._skip(at + 1)
        return Node(begin, items), self._expect(at, "]", ", or ]")

    def _object(self, begin: int, depth: int) -> tuple[Node, int]:
        members: dict[str, Node] = {}
        at = self._skip(begin + 1)
        while not self.text.startswith("}", at) or members:
            key, after = self._key(at)
            node, after = self._value(self._skip(self._expect(after, ":")), depth + 1)
            if key in members:
                self.fault(at, "key-twice", key=key)
            members[key] = Node(node.at, node.value, at)
            at = self._skip(after)
            if not self.text.startswith(",", at):
                break
            at = self._skip(at + 1)
        return Node(begin, members), self._expect(at, "}", ", or }")

    def _key(self, at: int) -> tuple[str, int]:
        match = _TEXT.match(self.text, at)
        if not match:
            raise _Broken(at, "a key in quotes")
        return json.loads(match[0]), match.end()
