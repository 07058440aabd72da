"""Results as JSON documents: the fields of a frozen dataclass are its keys, their docstrings and
limits its published schema.

`document` turns any result into what JSON has, and `dumps` into text; an unknown figure is null.
`reconcile.cli.schemas` makes the schemas. pydantic makes them from these classes, and checks with
them what is read back; nothing here loads it.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from json.encoder import encode_basestring
from math import isfinite
from operator import attrgetter
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NotRequired,
    TypeAlias,
    cast,
    get_type_hints,
)

SCHEMA_VERSION: Literal[1] = 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What a number, a text or a list of a document may be, in the words of pydantic."""

    values: tuple[tuple[str, object], ...]

    def __get_pydantic_core_schema__(
        self, kind: object, handler: Callable[[object], dict[str, Any]]
    ) -> dict[str, Any]:
        """The schema of the type with these limits."""
        return {**handler(kind), **dict(self.values)}


def within(**limits: object) -> Limits:
    """Limits by name: `ge`, `le`, `min_length`, `max_length`, `pattern`."""
    return Limits(tuple(limits.items()))


@dataclass(frozen=True, slots=True)
class Key:
    """Annotates a field whose key differs from it."""

    name: str = ""
    """The key; empty for the name of the field."""
    shown: str = ""
    """The attribute of the object that has its value; empty for the field itself."""
    by: Callable[[Any], object] | None = None
    """What is written of the value, where that is not the value itself."""
    left_out: bool = False
    """Whether the key is absent while the value is `None` or an empty text."""
    or_null: bool = False
    """Whether an empty text is written as null."""
    hidden: bool = False
    """Whether there is no key; in what is read back the field is `None`."""
    first: bool = False
    """Whether the key comes before those that are inherited."""
    kind: object = None
    """The type of what is written, where it is not that of the field."""

    def __get_pydantic_core_schema__(self, kind: object, handler: Any) -> Any:
        """The schema of the type; of a hidden field, which may be of a type that JSON does not
        have, that of anything."""
        if self.hidden:
            return {"type": "default", "schema": {"type": "any"}, "default": None}
        schema = handler(kind) if self.kind is None else handler.generate_schema(self.kind)
        return {"type": "nullable", "schema": schema} if self.or_null else schema


LEFT_OUT = Key(left_out=True)
OR_NULL = Key(or_null=True)
HIDDEN = Key(hidden=True)
FIRST = Key(first=True)
Count = Annotated[int, within(ge=0)]
Positive = Annotated[int, within(ge=1)]
Amount = Annotated[float, within(ge=0)]
Text = Annotated[str, within(min_length=1)]
Sha256 = Annotated[str, within(pattern="^[0-9a-f]{64}$")]
Ends: TypeAlias = tuple[float, float]
"""The lowest and the highest value."""
Version: TypeAlias = Literal[1]
Row: TypeAlias = Mapping[str, Any]
"""A row of a table, by its columns; `with_keys` makes the type that says which they are."""
VERSION_PAGE = "Raised by one for every incompatible change."
"""The description of the key `schema_version`, which every document has."""


class Document:
    """A base of frozen dataclasses that are written as JSON; the docstring of a field is the
    description of its key."""

    __slots__ = ()
    __pydantic_config__: ClassVar[Mapping[str, object]]

    def __init_subclass__(cls) -> None:
        """Tell pydantic what the keys are called; others are refused."""
        kind: Any = cls
        cls.__pydantic_config__ = {
            "allow_inf_nan": False,
            "extra": "forbid",
            "alias_generator": lambda field: keys_of(kind).get(field, _SAME).name or field,
        }

    @classmethod
    def __get_pydantic_core_schema__(cls, kind: object, handler: Any) -> Any:
        """The schema of the keys: what every document has is required in one that is read back,
        whatever the default of its field."""
        schema = handler(kind)
        for field in handler.resolve_ref_schema(schema)["schema"]["fields"]:
            how, inner = keys_of(kind)[field["name"]], field["schema"]
            if inner["type"] == "default" and not (how.left_out or how.hidden):
                field["schema"] = inner["schema"]
        return schema


class Keyed:
    """A type of plain mappings with a key for each of many names, as `with_keys` makes it."""

    typed: ClassVar[Callable[[], Any]]
    """The same for pydantic."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls, kind: object, handler: Callable[[object], dict[str, Any]]
    ) -> dict[str, Any]:
        """The schema of the keys."""
        return handler(cls.typed())


def with_keys(
    name: str,
    fields: Mapping[str, tuple[object, str]],
    description: str,
    optional: Collection[str] = (),
    rest: object = None,
) -> Any:
    """The type of an object with these keys, of which each has a type and a description; any others
    have the type `rest`."""

    @cache
    def typed() -> Any:
        from pydantic import Field
        from typing_extensions import TypedDict

        described: dict[str, Any] = {
            key: Annotated[kind, Field(description=text)] for key, (kind, text) in fields.items()
        }
        keys = {
            key: NotRequired[kind] if key in optional else kind for key, kind in described.items()
        }
        typed_dict: Any = TypedDict
        more = {} if rest is None else {"extra_items": rest}
        kind = typed_dict(name, keys, **more)
        kind.__doc__ = description
        kind.__pydantic_config__ = {"alias_generator": None}  # not that of the document
        return kind

    return type(name, (Keyed,), {"typed": staticmethod(typed)})


def rows_of(columns: Mapping[str, Iterable[object]]) -> tuple[Row, ...]:
    """Columns of equal length, arrays or lists, as a row for every place, as documents have
    them."""
    plain: list[Any] = [
        column.tolist() if hasattr(column, "tolist") else column for column in columns.values()
    ]
    return tuple(dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True))


@cache
def keys_of(kind: Any) -> Mapping[str, Key]:
    """How the fields of a document are written, by their names."""
    hints = get_type_hints(kind, include_extras=True)
    keys = [(field.name, _key(hints[field.name])) for field in dataclasses.fields(kind)]
    return dict(sorted(keys, key=lambda key: not key[1].first))


def _key(hint: object) -> Key:
    metadata = getattr(hint, "__metadata__", ())
    return next((each for each in metadata if isinstance(each, Key)), _SAME)


_SAME = Key()


@cache
def _plan(kind: Any) -> tuple[tuple[str, Callable[[object], object], Key], ...]:
    """Of every key its name, how its value is found, and how it is written."""
    return tuple(
        (how.name or field, attrgetter(how.shown or field), how)
        for field, how in keys_of(kind).items()
        if not how.hidden
    )


def document(value: object) -> Any:
    """A result, or a part of one, as what JSON has: objects, lists, texts, numbers, and null for
    what is unknown."""
    if isinstance(value, Document):
        return {
            name: part if type(part) in _PLAIN else document(part) for name, part in _parts(value)
        }
    if isinstance(value, Mapping):
        return {name: document(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [document(part) for part in value]
    return value


def _parts(value: Document) -> Iterator[tuple[str, object]]:
    """The keys of a document, and what is written under each."""
    kind: Any = type(value)
    for name, attribute, how in _plan(kind):
        part = attribute(value) if how.by is None else how.by(attribute(value))
        if (how.left_out or how.or_null) and part in (None, ""):
            if how.left_out:
                continue
            part = None
        yield name, part


_PLAIN = frozenset((str, int, float, bool, type(None)))


def dumps(result: object) -> str:
    """A result as text: stable, readable, strict JSON."""
    return "".join(pieces(result))


def pieces(
    result: object, each: Callable[[Callable[[object], str], Sequence[object]], Iterable[str]] = map
) -> Iterator[str]:
    """The same text piece by piece: of a result's lists each item is made when it is asked for, and
    needs no room afterwards.

    `each` does what `map` does, perhaps in several processes.
    """
    before = "{"
    for name, part in _parts(result) if isinstance(result, Document) else ():
        yield f"{before}\n  {encode_basestring(name)}: "
        before = ","
        if isinstance(part, (tuple, list)) and part:
            for at, text in enumerate(each(_item, part)):
                yield f"{',' if at else '['}\n    {text}"
            yield "\n  ]"
        else:
            yield _text(document(part), "\n  ")
    yield "\n}\n" if before == "," else _text(document(result), "\n") + "\n"


def _item(value: object) -> str:
    return _text(document(value), "\n    ")


def _text(value: object, margin: str) -> str:
    """What `json.dumps` makes with an indent of 2, in less than half its time; `margin` begins a
    line."""
    kind = type(value)
    if kind is str:
        return encode_basestring(cast("str", value))
    if kind is int:
        return repr(value)
    if isinstance(value, float) and isfinite(value):
        return repr(float(value) or 0.0)  # a zero has no sign
    inner = f"{margin}  "
    if isinstance(value, dict) and value:
        return (
            "{"
            + ",".join(
                [
                    f"{inner}{encode_basestring(name)}: {_text(part, inner)}"
                    for name, part in value.items()
                ]
            )
            + margin
            + "}"
        )
    if isinstance(value, list) and value:
        return "[" + ",".join([inner + _text(part, inner) for part in value]) + margin + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def in_list(documents: Iterable[str]) -> str:
    """Documents that are text already as one list, as `dumps` writes it; a single one as it is."""
    texts = list(documents)
    if len(texts) == 1:
        return texts[0]
    items = [text.rstrip("\n").replace("\n", "\n  ") for text in texts]
    return "[\n  " + ",\n  ".join(items) + "\n]\n"
