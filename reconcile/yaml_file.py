"""A YAML file that people write, checked against a pydantic model: an error names file, line, key and what was expected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from reconcile.errors import InvalidConfiguration

LARGEST: Final = 4 * 2**20


class Model(BaseModel):
    """What the models of YAML files have in common: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Checked = TypeVar("Checked", bound=Model)


_PLAIN: Final = ("tag:yaml.org,2002:null", "tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class _Loader(yaml.SafeLoader):
    """YAML without aliases, which can blow a small file up, without tags, and without a key given twice.

    `off` and `no` are words here, and a date is text, as YAML 1.2 has it.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012  # PyYAML's own name
        first: [(tag, pattern) for tag, pattern in known if tag in _PLAIN]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.constructor.ConstructorError(None, None, "aliases are not allowed here", event.start_mark)
        if getattr(event, "tag", None) is not None:
            raise yaml.constructor.ConstructorError(None, None, "tags are not allowed here", event.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key must be a word", key.start_mark)
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} is given twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def read_yaml(path: Path, model: type[Checked]) -> Checked:
    """Read and check a file. Raises `InvalidConfiguration` with one line."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InvalidConfiguration(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}; check the path") from None
    if len(text) > LARGEST:
        raise InvalidConfiguration(f"{path}: expected at most {LARGEST >> 20} MB, found {len(text) >> 20} MB")
    try:
        tree = yaml.load(text, _Loader)  # noqa: S506  # a SafeLoader
        lines = yaml.compose(text.decode("utf-8"), yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        problem = getattr(error, "problem", None) or "not YAML in UTF-8"
        raise InvalidConfiguration(f"{where}: {problem}; correct the file") from None
    try:
        return model.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        keys = [key for key in first["loc"] if key not in ("[key]",)]
        where = f"{path}:{_line(lines, keys)}"
        dotted = ".".join(map(str, keys)) or "the file"
        found = first.get("input")
        shown = f", found {found!r}" if isinstance(found, str | int | float | bool) else ""
        raise InvalidConfiguration(f"{where}: {dotted}: {first['msg'].removeprefix('Value error, ')}{shown}; correct the file") from None


def line_of(path: Path, keys: Sequence[str | int]) -> int:
    """The line where keys stand in a file that was read before; of a key that is not there, the line of what holds it."""
    return _line(yaml.compose(path.read_text("utf-8"), yaml.SafeLoader), keys)


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
