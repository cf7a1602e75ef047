"""Dataclasses to JSON's own types and back, by the types of their fields.

One form for everything that is stored or sent: a dataclass is an object of its fields, a tuple is a
list, a mapping an object; in a union of dataclasses the field `kind` says which one it is. Fields
whose name starts with an underscore stay in the process. Decoding is strict: an unknown or a
missing field (but see `Lenient`), or a value of another type, is `Malformed`, which says where.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

D = TypeVar("D")

Encode = Callable[[Any], Any]
Decode = Callable[[Any, str], Any]


class TsType(NamedTuple):
    """Annotates a field with its type in the generated TypeScript, where the Python type is less
    precise: the view or an event of any game."""

    name: str


class Lenient:
    """A dataclass that clients write: fields with a default may be left out."""

    __slots__ = ()


class Malformed(ValueError):
    """A value that is not of the expected form. The message says where, and what was expected."""


@cache
def public_fields(kind: Any) -> tuple[str, ...]:
    """The names of the fields that may leave the process."""
    return tuple(each.name for each in fields(kind) if not each.name.startswith("_"))


@cache
def kind_of(kind: Any) -> str | None:
    """The value of the field `kind` of a dataclass that is one of several."""
    found = [each.default for each in fields(kind) if each.name == "kind" and not each.init]
    return str(found[0]) if found else None


# --- encoding -------------------------------------------------------------------------------------

_AS_IS = frozenset((str, int, float, bool, NoneType))


def to_builtins(value: object) -> Any:
    """A value as JSON can hold it. Anything but data and containers becomes its `str`."""
    kind: Any = type(value)
    return value if kind in _AS_IS else _encoder(kind)(value)


@cache
def _encoder(kind: type[Any]) -> Encode:
    """The encoder of a type, cached."""
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, (str, int, float)):
        return lambda value: value
    if issubclass(kind, Mapping):
        return lambda value: {str(key): to_builtins(item) for key, item in value.items()}
    if issubclass(kind, (tuple, list, frozenset, set)):
        return lambda value: [to_builtins(item) for item in value]
    if is_dataclass(kind) and kind.__str__ is object.__str__:  # a move is its notation
        names = public_fields(kind)
        return lambda value: {name: to_builtins(getattr(value, name)) for name in names}
    return str


# --- decoding -------------------------------------------------------------------------------------


def from_builtins(kind: type[D], value: object, where: str = "value", **private: object) -> D:
    """The value of this type that `to_builtins` encoded. `private`: the fields that stayed in the
    process, where the type is a dataclass."""
    known: Any = kind
    if private:
        return kind(**_init_fields(known, value, where), **private)
    decoded: D = _decoder(known)(value, where)
    return decoded


def _init_fields(kind: Any, found: Any, where: str) -> dict[str, Any]:
    """The arguments of `__init__`, complete and validated."""
    decoders = _field_decoders(kind)
    if not isinstance(found, dict):
        raise Malformed(f"{where} is {_short(found)}, expected an object")
    given = found
    if (name := kind_of(kind)) is not None:
        if found.get("kind") != name:
            raise Malformed(f"{where} is of kind {_short(found.get('kind'))}, expected {name!r}")
        given = {key: item for key, item in found.items() if key != "kind"}
    needed = _needed_fields(kind)
    if not needed <= given.keys() <= decoders.keys():
        unknown = sorted(map(str, given.keys() - decoders.keys()))
        missing = sorted(needed - given.keys())
        wrong = [f"unknown {', '.join(unknown)}"] * bool(unknown)
        wrong += [f"missing {', '.join(missing)}"] * bool(missing)
        raise Malformed(f"{where}: {'; '.join(wrong)}; expected {', '.join(sorted(decoders))}")
    return {name: decoders[name](item, name) for name, item in given.items()}


@cache
def _field_decoders(kind: Any) -> Mapping[str, Decode]:
    """The decoder of each field that `__init__` takes."""
    hints = get_type_hints(kind, include_extras=True)
    taken = [each.name for each in fields(kind) if each.init and not each.name.startswith("_")]
    return {name: _decoder(hints[name]) for name in taken}


@cache
def _needed_fields(kind: Any) -> Set[str]:
    """The fields that may not be left out."""
    names = _field_decoders(kind).keys()
    if not issubclass(kind, Lenient):
        return names
    defaults = ((each.name, (each.default, each.default_factory)) for each in fields(kind))
    return names & {name for name, pair in defaults if pair == (MISSING, MISSING)}


@cache
def _decoder(hint: Any) -> Decode:
    origin, args = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return lambda found, where: found
    if isinstance(hint, NewType):
        return _decoder(hint.__supertype__)
    if origin is Annotated:
        return _decoder(args[0])
    if origin is Literal:
        return _one_of(args)
    if origin in (Union, UnionType):
        return _union(args)
    if origin is tuple:
        return _list_of(_decoder(args[0])) if args[-1] is ... else _row_of(args)
    if origin is list:
        return _list_of(_decoder(args[0]), list)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _object_of(_decoder(args[0]), _decoder(args[1]))
    if _is_data(hint):
        return lambda found, where: hint(**_init_fields(hint, found, where))
    return _exactly(hint)


def _is_data(hint: Any) -> bool:
    return is_dataclass(hint)


def _exactly(kind: type[Any]) -> Decode:
    def decode(found: Any, where: str) -> Any:
        if kind is float and type(found) is int:
            return float(found)
        if type(found) is not kind:  # true is not 1
            raise Malformed(f"{where} is {_short(found)}, expected {kind.__name__}")
        return found

    return decode


def _one_of(values: tuple[Any, ...]) -> Decode:
    def decode(found: Any, where: str) -> Any:
        if not isinstance(found, (str, int)) or found not in values:
            expected = ", ".join(map(str, values))
            raise Malformed(f"{where} is {_short(found)}, expected one of {expected}")
        return found

    return decode


def _list_of(item: Decode, make: Callable[[Any], Any] = tuple) -> Decode:
    def decode(found: Any, where: str) -> Any:
        if not isinstance(found, list):
            raise Malformed(f"{where} is {_short(found)}, expected a list")
        return make([item(each, f"{where}[{at}]") for at, each in enumerate(found)])

    return decode


def _row_of(kinds: tuple[Any, ...]) -> Decode:
    items = [_decoder(kind) for kind in kinds]

    def decode(found: Any, where: str) -> Any:
        if not isinstance(found, list) or len(found) != len(items):
            raise Malformed(f"{where} is {_short(found)}, expected a list of {len(items)}")
        pairs = zip(items, found, strict=True)
        return tuple([item(each, f"{where}[{at}]") for at, (item, each) in enumerate(pairs)])

    return decode


def _object_of(key: Decode, item: Decode) -> Decode:
    def decode(found: Any, where: str) -> Any:
        if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
            raise Malformed(f"{where} is {_short(found)}, expected an object")
        return {key(name, where): item(each, f"{where}.{name}") for name, each in found.items()}

    return decode


def _union(members: tuple[Any, ...]) -> Decode:
    """`None`, one of several dataclasses by its `kind`, or the only other type."""
    tagged = {kind_of(member): member for member in members if _is_data(member)}
    others = [_decoder(each) for each in members if not _is_data(each) and each is not NoneType]
    if len(others) > 1:
        others = [_first_of(others)]
    single = tagged.get(None)  # the only one: it needs no tag
    optional = NoneType in members

    def decode(found: Any, where: str) -> Any:
        if found is None and optional:
            return None
        if tagged and (isinstance(found, dict) or not others):
            kind = found.get("kind") if isinstance(found, dict) else None
            member = single or (tagged.get(kind) if isinstance(kind, str) else None)
            if member is None and isinstance(found, dict):
                names = ", ".join(map(str, tagged))
                raise Malformed(f"{where} is of kind {_short(kind)}, expected one of {names}")
            if member is None:
                raise Malformed(f"{where} is {_short(found)}, expected an object")
            return member(**_init_fields(member, found, where))
        return others[0](found, where)

    return decode


def _first_of(decoders: list[Decode]) -> Decode:
    """The first type that takes the value."""

    def decode(found: Any, where: str) -> Any:
        for each in decoders[:-1]:
            with suppress(Malformed):
                return each(found, where)
        return decoders[-1](found, where)

    return decode


def _short(found: object) -> str:
    """A value, shortened for an error message."""
    text = repr(found)
    return text if len(text) <= 80 else f"{text[:77]}..."
