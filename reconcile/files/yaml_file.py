"""A YAML file that people write, checked against a pydantic model: an error names file, line,
key and what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final, TypeVar

import yaml

from reconcile.errors import At, InvalidConfiguration, reason_of
from reconcile.files.inputs import open_regular, opened
from reconcile.files.limits import DEEPEST, LARGEST_YAML, LARGEST_YAML_SLOW, LONGEST_NUMBER

if TYPE_CHECKING:
    from pydantic import ValidationError

LONGEST_SHOWN = 100
LONGEST_REASON = 400
MESSAGES = Path(__file__).with_name("messages.yaml")
NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
Checked = TypeVar("Checked")


class Loader(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """As in YAML 1.2, `off` and `no` are words, and a date and a time such as 1:59:59 are text. A
    key is a word that is given once, and a number has a length that Python can print."""

    yaml_implicit_resolvers: Final = {
        first: [
            (tag, re.compile(f"(?!.*:)(?:{pattern.pattern})", re.VERBOSE))
            for tag, pattern in resolvers
            if tag in (*NUMBERS, "tag:yaml.org,2002:null")
        ]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Raises `MarkedYAMLError` for a key that is no word or is given twice."""
        keys = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise wrong("a key must be a word", key)
            if key.value in keys:
                raise wrong(f"{key.value!r} is given twice", key)
            keys.add(key.value)
        return super().construct_mapping(node, deep)

    def construct_scalar(self, node: Any) -> Any:
        """Raises `MarkedYAMLError` for a number of too many digits."""
        if node.tag in NUMBERS and len(node.value) > LONGEST_NUMBER:
            raise wrong("a number has too many digits", node)
        return super().construct_scalar(node)


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), [*"tTfF"]
)


def wrong(problem: str, there: Any) -> yaml.MarkedYAMLError:
    """What is YAML and not allowed here, and the node or event where it is."""
    return yaml.MarkedYAMLError(problem=problem, problem_mark=there.start_mark)


def read_yaml(path: Path, model: type[Checked], *, regular: bool = False) -> Checked:
    """Read and check a file; `regular` refuses pipes and devices. Raises `InvalidConfiguration`
    with one line."""
    return checked(path, _bytes(path, regular), model)


def read_tree(path: Path) -> Any:
    """The values of a file that comes with the program and needs no check. Raises
    `InvalidConfiguration`."""
    return _parsed(path, _bytes(path, regular=False))[0]


def _bytes(path: Path, regular: bool) -> bytes:
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
        raise InvalidConfiguration(f"{message}; correct the file", _at(path, nodes, keys)) from None


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
    named = (key for key in first["loc"] if not str(key).startswith(("[key]", "literal[")))
    keys = [*named, *getattr(reason, "keys", ())]
    message, value = first["msg"], first.get("input")
    for theirs, ours in read_tree(MESSAGES):
        message = re.sub(theirs, ours, message)
    message = shorten(message, LONGEST_REASON, placeholder="...")
    if isinstance(value, str | int | float | bool):
        message += f", found {shorten(repr(value), LONGEST_SHOWN, placeholder='...')}"
    return keys, message


def place(path: Path, *keys: str | int) -> At:
    """File, line and key of the value under `keys` in a file that was read before, for an error
    that involves more than the file."""
    return _at(path, _parsed(path, path.read_bytes())[1], keys)


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
        node = _children(node)[key][1]
    return int(node.start_mark.index), int(node.end_mark.index)


def _at(path: Path, nodes: Any, keys: Sequence[str | int]) -> At:
    return At(str(path), _line(nodes, keys), ".".join(map(str, keys)) or "the file")


def _line(node: Any, keys: Sequence[str | int]) -> int:
    """Line of the deepest of `keys` that the YAML tree has."""
    line = 0 if node is None else node.start_mark.line
    for key in keys:
        if str(key) not in (children := _children(node)):
            break
        name, node = children[str(key)]
        line = name.start_mark.line
    return int(line) + 1


def _children(node: Any) -> dict[str, tuple[Any, Any]]:
    """The nodes of key and value by key; of a list the item for both."""
    if isinstance(node, yaml.SequenceNode):
        return {str(index): (item, item) for index, item in enumerate(node.value)}
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return {key.value: (key, value) for key, value in pairs}


def _parsed(path: Path, text: bytes) -> tuple[Any, Any]:
    """The values of a YAML file, and its nodes, which know their lines; without aliases, which can
    make a small file expand enormously, and without tags."""
    depth = 0
    try:
        loader = Loader(text.decode("utf-8"))
        for event in yaml.parse(text.decode("utf-8"), Loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise wrong("nested too deeply", event)
            if isinstance(event, yaml.AliasEvent):
                raise wrong("aliases are not allowed here", event)
            if getattr(event, "tag", None) is not None:
                raise wrong("tags are not allowed here", event)
        nodes = loader.get_single_node()
        return None if nodes is None else loader.construct_document(nodes), nodes
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not YAML in UTF-8"
        raise InvalidConfiguration(
            f"{problem}; correct the file", path, mark.line + 1 if mark else None
        ) from None
