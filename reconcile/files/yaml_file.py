"""A YAML file that people write, checked against a pydantic model: an error names file, line,
key and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import yaml

from reconcile.errors import At, InvalidConfiguration, reason_of
from reconcile.files.inputs import note, open_regular, opened
from reconcile.files.limits import DEEPEST, LARGEST_YAML, LARGEST_YAML_SLOW, LONGEST_NUMBER

if TYPE_CHECKING:
    from pydantic import ValidationError

FORBID: Final = {"extra": "forbid"}
"""What a dataclass says to pydantic so that an unknown key is an error."""
LONGEST_SHOWN: Final = 100
MOST_VALUES: Final = 12
WORDS: Final = (
    ("^Field required$", "expected this key, found none"),
    (
        "^(Extra inputs are not permitted|Unexpected keyword argument)$",
        "no such key is known here",
    ),
    (
        r"^\w+ should have at (least|most) (\d+) items? after validation, not (\d+)$",
        r"expected at \1 \2, found \3",
    ),
    ("^Input should be a valid (tuple|list|array)$", "expected a list"),
    (
        r"^Input should be a (valid )?(dictionary|mapping)( or (an )?instance of \w+)?$",
        "expected a mapping",
    ),
    ("^(Input|String) should be (?=greater|less)", "expected a number "),
    ("^Input should be a valid integer(, .*)?$", "expected a whole number"),
    ("^Input should be a valid boolean.*$", "expected true or false"),
    ("^Input should be a valid string$", "expected text"),
    ("^Input should be a valid number(, .*)?$", "expected a number"),
    ("^(Input|String) should match", "expected text of the"),
    ("^(Input|String) should (be |have )?", "expected "),
    ("^Value error, ", ""),
)
"""Messages of pydantic's, and what they are here."""
Checked = TypeVar("Checked")


class Misplaced(ValueError):
    """A validator's error about a nested value, with the keys that lead to it."""

    def __init__(self, message: str, *keys: str | int) -> None:
        super().__init__(message)
        self.keys = keys


_PLAIN: Final = ("tag:yaml.org,2002:null", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_BOOL: Final = re.compile("^(?:true|True|TRUE|false|False|FALSE)$")
_RESOLVERS: Final = {
    first: [
        (tag, re.compile(f"(?!.*:)(?:{pattern.pattern})", re.VERBOSE))
        for tag, pattern in resolvers
        if tag in _PLAIN
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _first in "tTfF":
    _RESOLVERS.setdefault(_first, []).append(("tag:yaml.org,2002:bool", _BOOL))


class _Loader(yaml.SafeLoader):
    """PyYAML's own parser, whose error messages are readable.

    As in YAML 1.2, `off` and `no` are words, and a date and a time such as 1:59:59 are text.
    """

    yaml_implicit_resolvers = _RESOLVERS


class _Quick(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """libyaml's parser, many times faster; nearly every build of PyYAML includes it."""

    yaml_implicit_resolvers = _RESOLVERS


def read_yaml(path: Path, model: type[Checked], *, regular: bool = False) -> Checked:
    """Read and check a file; `regular` refuses pipes and devices. Raises `InvalidConfiguration`
    with one line."""
    return checked(path, _bytes(path, regular), model)


def read_tree(path: Path) -> Any:
    """The values of a file that comes with the program and needs no check. Raises
    `InvalidConfiguration`."""
    return _parsed(path, _bytes(path, regular=False))[0]


def _bytes(path: Path, regular: bool) -> bytes:
    note(path)
    try:
        with open_regular(path) if regular else opened(path) as file:
            return file.read(LARGEST_YAML + 1)
    except OSError as error:
        raise InvalidConfiguration(
            f"cannot be read: {reason_of(error)}; check the path", path
        ) from None


def checked(path: Path, text: bytes, model: type[Checked]) -> Checked:
    """Check the content of a file; `path` only names it. Raises `InvalidConfiguration` with one
    line."""
    from pydantic import TypeAdapter, ValidationError

    largest = LARGEST_YAML if yaml.__with_libyaml__ else LARGEST_YAML_SLOW
    if len(text) > largest:
        raise InvalidConfiguration(
            f"expected at most {largest >> 10} KB, found more; is it the right file?", path
        )
    tree, nodes = _parsed(path, text)
    try:
        return TypeAdapter(model).validate_python(tree)
    except ValidationError as error:
        keys, message = complaint(error)
        at = _place(path, nodes, keys)
        raise InvalidConfiguration(f"{message}; correct the file", at) from None


def checked_mapping(name: str, tree: Mapping[str, Any], model: type[Checked]) -> Checked:
    """Check what would be the content of a file; `name` says what it is. Raises
    `InvalidConfiguration` with one line."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(model).validate_python(dict(tree))
    except ValidationError as error:
        keys, message = complaint(error)
        key = ".".join(map(str, keys)) or "the mapping"
        raise InvalidConfiguration(f"{name}: {key}: {message}; correct it") from None


def complaint(error: ValidationError) -> tuple[list[str | int], str]:
    """The keys that lead to the first thing that is wrong, and what is wrong with it."""
    first = error.errors()[0]
    reason = first.get("ctx", {}).get("error")
    keys = [key for key in first["loc"] if key != "[key]"] + list(getattr(reason, "keys", ()))
    value = first.get("input")
    if not isinstance(value, str | int | float | bool):
        return keys, expectation(first["msg"])
    shown = repr(value)
    shown = shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "..."
    return keys, f"{expectation(first['msg'])}, found {shown}"


def expectation(message: str) -> str:
    """A message of pydantic's, reworded for this program, with the first of many values only."""
    for theirs, ours in WORDS:
        message = re.sub(theirs, ours, message)
    values = list(re.finditer("'[^']*'", message))
    if len(values) <= MOST_VALUES:
        return message
    before, after = message[: values[MOST_VALUES].start()], message[values[-1].end() :]
    return f"{before}or one of {len(values) - MOST_VALUES} others{after}"


def place(path: Path, *keys: str | int) -> At:
    """File, line and key of the value under `keys` in a file that was read before, for an error
    that involves more than the file."""
    return _place(path, _parsed(path, path.read_bytes())[1], list(keys))


def _place(path: Path, nodes: Any, keys: list[Any]) -> At:
    return At(str(path), _line(nodes, keys), ".".join(map(str, keys)) or "the file")


def lines_of(path: Path) -> Callable[[Sequence[str | int]], int]:
    """By keys their line in a file that was read before, which is parsed once; for a missing
    key, the line of its parent."""
    nodes = _parsed(path, path.read_bytes())[1]
    return lambda keys: _line(nodes, keys)


def scalar(text: str, *keys: str) -> tuple[int, int]:
    """Where the value under `keys` begins and ends in a YAML text, so that it can be replaced
    without touching the rest."""
    node: Any = yaml.compose(text, yaml.SafeLoader)
    for key in keys:
        node = next(value for name, value in node.value if name.value == key)
    return int(node.start_mark.index), int(node.end_mark.index)


def _line(node: Any, keys: Sequence[Any]) -> int:
    """Line of the deepest of `keys` that the YAML tree has."""
    line = 0 if node is None else node.start_mark.line
    for key in keys:
        pairs = []
        if isinstance(node, yaml.MappingNode):
            pairs = [pair for pair in node.value if pair[0].value == str(key)]
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int):
            pairs = [(item, item) for item in node.value[key : key + 1]]
        if not pairs:
            break
        line, node = pairs[0][0].start_mark.line, pairs[0][1]
    return int(line) + 1


def _parsed(path: Path, text: bytes) -> tuple[Any, Any]:
    """The values of a YAML file, and its nodes, which know their lines."""
    try:
        written = text.decode("utf-8")
        try:
            return _composed(written, _Quick)
        except (yaml.YAMLError, ValueError):
            if len(text) > LARGEST_YAML_SLOW:
                raise
            return _composed(written, _Loader)  # for its messages, and where the two disagree
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not YAML in UTF-8"
        raise InvalidConfiguration(
            f"{problem}; correct the file", path, mark.line + 1 if mark else None
        ) from None


def _composed(written: str, parser: Any) -> tuple[Any, Any]:
    """Values and nodes of a text without aliases, which can make a small file expand enormously,
    without tags and without duplicate keys."""
    depth = 0
    for event in yaml.parse(written, parser):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise yaml.MarkedYAMLError(problem="nested too deeply")
        if isinstance(event, yaml.AliasEvent):
            raise _wrong("aliases are not allowed here", event)
        if getattr(event, "tag", None) is not None:
            raise _wrong("tags are not allowed here", event)
    loader = parser(written)
    nodes = loader.get_single_node()
    for problem, node in _problems(nodes):
        raise _wrong(problem, node)
    return None if nodes is None else loader.construct_document(nodes), nodes


def _wrong(problem: str, there: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=there.start_mark)


def _problems(node: Any) -> Iterator[tuple[str, Any]]:
    """What is YAML and not allowed here, and the node where it is."""
    if isinstance(node, yaml.MappingNode):
        keys = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                yield "a key must be a word", key
            elif key.value in keys:
                yield f"{key.value!r} is given twice", key
            else:
                keys.add(key.value)
            yield from _problems(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _problems(item)
    elif node and node.tag in _PLAIN and len(node.value) > LONGEST_NUMBER:
        yield "a number has too many digits", node
