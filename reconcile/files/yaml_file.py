"""A YAML file that people write, checked against a pydantic model: an error names file, line,
key and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import yaml

from reconcile.errors import At, InvalidConfiguration, reason_of
from reconcile.files.inputs import note
from reconcile.files.limits import LARGEST_YAML, LARGEST_YAML_SLOW, LONGEST_NUMBER
from reconcile.files.patience import opened
from reconcile.files.regular import open_regular
from reconcile.files.wording import fewer

if TYPE_CHECKING:
    from pydantic import ValidationError

    from reconcile.files.model import Model

LONGEST_SHOWN: Final = 100


class Misplaced(ValueError):
    """A validator's error about a nested value, with the keys that lead to it."""

    def __init__(self, message: str, *keys: str | int) -> None:
        super().__init__(message)
        self.keys = keys


_UNKNOWN: Final = "no such key is known here"
WORDS: Final = {
    "Field required": "expected this key, found none",
    "Extra inputs are not permitted": _UNKNOWN,
    "Unexpected keyword argument": _UNKNOWN,
}
"""Pydantic's messages for which only the key matters."""
Checked = TypeVar("Checked", bound="Model")


_PLAIN: Final = ("tag:yaml.org,2002:null", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class _Rules:
    """YAML without aliases, which can make a small file expand enormously, without tags and without
    duplicate keys.

    As in YAML 1.2, `off` and `no` are words, and a date and a time such as 1:59:59 are text.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012  # PyYAML's own name
        first: [
            (tag, re.compile(f"(?!.*:)(?:{pattern.pattern})", re.VERBOSE))
            for tag, pattern in resolvers
            if tag in _PLAIN
        ]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self: Any, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()
        alias = isinstance(event, yaml.events.AliasEvent)
        if alias or getattr(event, "tag", None) is not None:
            kind = "aliases" if alias else "tags"
            raise yaml.constructor.ConstructorError(
                None, None, f"{kind} are not allowed here", event.start_mark
            )
        node = yaml.composer.Composer.compose_node(self, parent, index)
        if (
            isinstance(node, yaml.ScalarNode)
            and node.tag in _PLAIN
            and len(node.value) > LONGEST_NUMBER
        ):
            raise yaml.constructor.ConstructorError(
                None, None, "a number has too many digits", node.start_mark
            )
        return node

    def construct_mapping(self: Any, node: Any, deep: bool = False) -> Any:
        keys = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(
                    None, None, "a key must be a word", key.start_mark
                )
            if key.value in keys:
                raise yaml.constructor.ConstructorError(
                    None, None, f"{key.value!r} is given twice", key.start_mark
                )
            keys.add(key.value)
        return yaml.constructor.SafeConstructor.construct_mapping(self, node, deep)


class _Loader(_Rules, yaml.SafeLoader):
    """PyYAML's own parser, whose error messages are readable."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Quick: Any = _Loader
if yaml.__with_libyaml__:

    class _FromLibyaml(_Rules, yaml.composer.Composer, yaml.CSafeLoader):
        """libyaml's parser, many times faster; nearly every build of PyYAML includes it."""

        yaml_implicit_resolvers = _Loader.yaml_implicit_resolvers

        def __init__(self, text: str) -> None:
            yaml.CSafeLoader.__init__(self, text)
            yaml.composer.Composer.__init__(self)

    _Quick = _FromLibyaml


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
    from pydantic import ValidationError

    largest = LARGEST_YAML if yaml.__with_libyaml__ else LARGEST_YAML_SLOW
    if len(text) > largest:
        raise InvalidConfiguration(
            f"expected at most {largest >> 10} KB, found more; is it the right file?", path
        )
    tree, nodes = _parsed(path, text)
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        keys, message = complaint(error)
        raise InvalidConfiguration(
            f"{message}; correct the file", _place(path, nodes, keys)
        ) from None


def checked_mapping(name: str, tree: Mapping[str, Any], model: type[Checked]) -> Checked:
    """Check what would be the content of a file; `name` says what it is. Raises
    `InvalidConfiguration` with one line."""
    from pydantic import ValidationError

    try:
        return model.model_validate(dict(tree))
    except ValidationError as error:
        keys, message = complaint(error)
        raise InvalidConfiguration(
            f"{name}: {'.'.join(map(str, keys)) or 'the mapping'}: {message}; correct it"
        ) from None


def complaint(error: ValidationError) -> tuple[list[str | int], str]:
    """The keys that lead to the first thing that is wrong, and what is wrong with it."""
    first = error.errors()[0]
    reason = first.get("ctx", {}).get("error")
    keys = [key for key in first["loc"] if key != "[key]"] + list(getattr(reason, "keys", ()))
    value = first.get("input")
    shown = f", found {_short(value)}" if isinstance(value, str | int | float | bool) else ""
    return keys, expectation(first["msg"]) + shown


def expectation(message: str) -> str:
    """A message of pydantic's, reworded for this program."""
    if message in WORDS:
        return WORDS[message]
    for theirs, ours in (
        (
            r"^\w+ should have at (least|most) (\d+) items? after validation, not (\d+)$",
            r"expected at \1 \2, found \3",
        ),
        (r"^Input should be a valid (tuple|list|array)$", "expected a list"),
        (
            r"^Input should be a valid (dictionary|mapping)( or instance of \w+)?$",
            "expected a mapping",
        ),
        (r"^(Input|String) should be (?=greater|less)", "expected a number "),
        (r"^Input should be a valid integer(, .*)?$", "expected a whole number"),
        (r"^Input should be a valid boolean.*$", "expected true or false"),
        (r"^Input should be a valid string$", "expected text"),
        (r"^Input should be a valid number(, .*)?$", "expected a number"),
        (r"^(Input|String) should match", "expected text of the"),
        (r"^(Input|String) should (be )?", "expected "),
    ):
        message = re.sub(theirs, ours, message)
    return fewer(message.removeprefix("Value error, "))


def place(path: Path, *keys: str | int) -> At:
    """File, line and key of the value under `keys` in a file that was read before, for an error
    that involves more than the file."""
    return _place(path, _parsed(path, path.read_bytes())[1], list(keys))


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


def _place(path: Path, nodes: Any, keys: list[Any]) -> At:
    return At(str(path), _line(nodes, keys), ".".join(map(str, keys)) or "the file")


def _short(text: str | float) -> str:
    """What was found, shortened to fit on a line."""
    shown = repr(text)
    return shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "..."


def _parsed(path: Path, text: bytes) -> tuple[Any, Any]:
    """The values of a YAML file, and its nodes, which know their lines."""
    try:
        written = text.decode("utf-8")
        try:
            return _composed(_Quick(written))
        except (yaml.YAMLError, ValueError):
            if len(text) > LARGEST_YAML_SLOW:
                raise
            return _composed(_Loader(written))  # for its messages, and where the two disagree
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        deep = isinstance(error, RecursionError)
        problem = getattr(error, "problem", None) or (
            "nested too deeply" if deep else "not YAML in UTF-8"
        )
        raise InvalidConfiguration(
            f"{problem}; correct the file", path, mark.line + 1 if mark else None
        ) from None


def _composed(loader: Any) -> tuple[Any, Any]:
    nodes = loader.get_single_node()
    return None if nodes is None else loader.construct_document(nodes), nodes


def _line(node: Any, keys: Sequence[Any]) -> int:
    """Line of the deepest of `keys` that the YAML tree has."""
    line = 1 if node is None else int(node.start_mark.line) + 1
    for key in keys:
        if isinstance(node, yaml.MappingNode):
            step = next((value for name, value in node.value if name.value == str(key)), None)
            name = next((name for name, _ in node.value if name.value == str(key)), None)
            if step is None or name is None:
                return line
            node, line = step, int(name.start_mark.line) + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            line = int(node.start_mark.line) + 1
        else:
            return line
    return line
