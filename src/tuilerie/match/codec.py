"""Dataclasses to JSON and back, strictly, by the types of their fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

D = TypeVar("D")

Decode = Callable[[Any, str], Any]


class BadFact(ValueError):
    """Something that cannot stand in a log of this version."""


def encode_fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass as JSON can hold them."""
    kind: Any = type(value)
    return {name: _encode(getattr(value, name)) for name in _names(kind)}


def decode_fields(kind: type[D], found: Any, where: str) -> D:
    """The dataclass whose `encode_fields` this is."""
    known: Any = kind
    decoders = _decoders(known)
    if not isinstance(found, dict) or found.keys() != decoders.keys():
        names = sorted(found) if isinstance(found, dict) else type(found).__name__
        raise BadFact(f"{where}: found {names}, expected {sorted(decoders)}")
    return kind(**{name: decode(found[name], name) for name, decode in decoders.items()})


_LEAVES = frozenset({str, int, bool, type(None)})


def _encode(value: Any) -> Any:
    kind = type(value)
    if kind in _LEAVES:
        return value
    if kind is dict:  # by far the most frequent: an entry
        return value.copy()
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value):
        tag = {"kind": name} if (name := getattr(value, "kind", None)) else {}
        return tag | encode_fields(value)
    return value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _decoders(kind: Any) -> Mapping[str, Decode]:
    hints = get_type_hints(kind)
    return {name: _decoder(hints[name]) for name in _names(kind)}


def _is_data(hint: Any) -> bool:
    return is_dataclass(hint)


def _decoder(hint: Any) -> Decode:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _union(args)
    if origin is tuple:
        return _list_of(_decoder(args[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _object
    if _is_data(hint):
        return lambda found, where: decode_fields(hint, found, where)
    return _exactly(hint)


def _exactly(kind: type[Any]) -> Decode:
    def decode(found: Any, where: str) -> Any:
        if type(found) is not kind:  # true is not 1
            raise BadFact(f"{where} is {found!r}, expected {kind.__name__}")
        return found

    return decode


def _object(found: Any, where: str) -> Any:
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise BadFact(f"{where} is {found!r}, expected an object")
    return found


def _list_of(item: Decode) -> Decode:
    def decode(found: Any, where: str) -> Any:
        if not isinstance(found, list):
            raise BadFact(f"{where} is {found!r}, expected a list")
        return tuple(item(each, where) for each in found)

    return decode


def _union(members: tuple[Any, ...]) -> Decode:
    """Either nothing or a value; of several dataclasses the one whose `kind` is named."""
    tagged: dict[str, type[Any]] = {member.kind: member for member in members if _is_data(member)}
    plain = [_exactly(member) for member in members if not _is_data(member)]

    def decode(found: Any, where: str) -> Any:
        if isinstance(found, dict) and tagged:
            rest = dict(found)
            kind = rest.pop("kind", None)
            if kind not in tagged:
                raise BadFact(f"{where} is of kind {kind!r}, expected {', '.join(tagged)}")
            return decode_fields(tagged[kind], rest, where)
        if found is None:
            return None
        return plain[0](found, where)

    return decode
