"""What the program says is made of facts and never read back: no sentence, reason or message of
ours is taken apart again."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tests.support.sources import trees

CUTTING = frozenset(
    [
        "partition",
        "rpartition",
        "split",
        "rsplit",
        "splitlines",
        "removeprefix",
        "removesuffix",
        "replace",
        "startswith",
        "endswith",
        "find",
        "index",
    ]
)
"""Methods of text that look into it."""
MATCHING = frozenset(("match", "fullmatch", "search", "split", "findall", "finditer", "sub"))
"""What a regular expression does with a text."""
SAID = frozenset(("sentence", "sentences", "story", "evidence", "reason", "why", "brief"))
"""What attributes, keys and variables are called that hold words of ours."""


def read_back(tree: ast.AST, errors: frozenset[str]) -> Iterator[int]:
    """The lines on which words of ours are taken apart."""
    ours = _errors_of_ours(tree, errors)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            text, name = node.func.value, node.func.attr
            blanks = (
                name in ("split", "rsplit") and not node.args
            )  # only evens out what is between the words
            looked_at = [text] if name in CUTTING and not blanks else []
            looked_at += node.args if name in MATCHING else []
            if any(_is_said(text, ours) for text in looked_at):
                yield node.lineno


def _is_said(node: ast.expr, ours: set[ast.AST]) -> bool:
    if node in ours:
        return True
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and node.slice.value in SAID
    return (
        node.attr
        if isinstance(node, ast.Attribute)
        else node.id
        if isinstance(node, ast.Name)
        else ""
    ) in SAID


def _errors_of_ours(tree: ast.AST, errors: frozenset[str]) -> set[ast.AST]:
    """Every `str(error)` where an error of ours was caught."""
    texts: set[ast.AST] = set()
    for handler in ast.walk(tree):
        if isinstance(handler, ast.ExceptHandler) and handler.type is not None and handler.name:
            caught = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)}
            if caught & errors:
                texts |= {
                    node
                    for node in ast.walk(handler)
                    if isinstance(node, ast.Call)
                    and ast.unparse(node.func) == "str"
                    and ast.unparse(node.args[0]) == handler.name
                }
    return texts


def _names_of_errors(trees: Iterable[ast.AST]) -> frozenset[str]:
    """The exceptions of this program."""
    errors = {"ReconcileError"}
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while more := {
        node.name
        for node in classes
        if node.name not in errors and {ast.unparse(base) for base in node.bases} & errors
    }:
        errors |= more
    return frozenset(errors)


def test_words_of_ours_are_not_taken_apart() -> None:
    errors = _names_of_errors(trees().values())
    assert "UnreadableFile" in errors
    assert [
        f"{name}:{line}" for name, tree in trees().items() for line in read_back(tree, errors)
    ] == []
