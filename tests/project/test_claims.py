"""Every test states its claim where nothing can pass it by: outside of a loop, or in one that goes round at least once."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache

from tests.support.data import PROJECT

CLAIMS = {"raises", "warns", "fail"}
"""Of pytest, beside `assert`."""
SAME_LENGTH = {
    "enumerate",
    "reversed",
    "sorted",
    "list",
    "tuple",
    "set",
    "dict",
    "zip",
    "items",
    "values",
    "keys",
    "cast",
}
"""What has something where what it is given has."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def functions(tree: ast.Module) -> tuple[Function, ...]:
    return tuple(node for node in ast.walk(tree) if isinstance(node, Function))


def called(node: ast.AST) -> str:
    """The last name of what is called; of anything else nothing."""
    if isinstance(node, ast.Call):
        return (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
    return ""


def is_claim(node: ast.AST, helpers: set[str]) -> bool:
    """Whether a statement claims something; of a function whose answer is used, the answer is what matters."""
    if isinstance(node, ast.Assert) or called(node) in CLAIMS:
        return True
    return isinstance(node, ast.Expr) and (
        called(node.value) in helpers or called(node.value).startswith("assert_")
    )


def claims(node: ast.AST, helpers: set[str]) -> bool:
    return any(is_claim(inner, helpers) for inner in ast.walk(node))


def helpers_with_claims(trees: Iterable[ast.Module]) -> set[str]:
    """Names of functions of the tests that claim something, themselves or by others."""
    bodies = [
        (
            one.name,
            claims(one, set()),
            {called(node.value) for node in ast.walk(one) if isinstance(node, ast.Expr)},
        )
        for tree in trees
        for one in functions(tree)
        if not one.name.startswith("test_")
    ]
    found = {name for name, claiming, _ in bodies if claiming}
    while more := {name for name, _, calls in bodies if name not in found and calls & found}:
        found |= more
    return found


def filled(node: ast.AST, known: dict[str, ast.AST]) -> bool:
    """Whether one can read that something is in it: it is written down, or `some` says so, or it is a constant of the program."""
    match node:
        case ast.Constant(value=str() | bytes() as value):
            return bool(value)
        case ast.Tuple(elts=held) | ast.List(elts=held) | ast.Set(elts=held):
            return any(not isinstance(one, ast.Starred) or filled(one.value, known) for one in held)
        case ast.Dict(keys=held):
            return bool(held)
        case ast.Name(id=name):
            return filled(known[name], known) if name in known else name.isupper()
        case ast.Attribute(attr=name):
            return name.isupper()
        case ast.Call(args=given):
            name = called(node)
            if name == "range":
                return any(
                    (isinstance(one, ast.Constant) and one.value)
                    or (isinstance(one, ast.Name) and one.id.isupper())
                    for one in given
                )
            if name in ("items", "values", "keys") and isinstance(node.func, ast.Attribute):
                return filled(node.func.value, known)
            return name == "some" or (
                name in SAME_LENGTH and any(filled(one, known) for one in given)
            )
    return False


def passed_by(test: Function, helpers: set[str], constants: dict[str, ast.AST]) -> list[int]:
    """Lines of the loops that may be empty, of a test that claims nothing beside them."""
    loops: list[int] = []

    @cache
    def known() -> dict[str, ast.AST]:
        named = (
            node
            for node in ast.walk(test)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        )
        return constants | {getattr(node.targets[0], "id", ""): node.value for node in named}

    def sure(node: ast.AST) -> bool:
        """Whether a claim in it is reached."""
        if is_claim(node, helpers):
            return True
        if isinstance(node, ast.For | ast.AsyncFor) and not filled(node.iter, known()):
            if claims(node, helpers):
                loops.append(node.lineno)
            return False
        if isinstance(node, ast.While | Function | ast.Lambda) and node is not test:
            return False
        return any(sure(inner) for inner in ast.iter_child_nodes(node))

    return [] if sure(test) else loops or [test.lineno]


def test_every_test_claims_something_and_no_loop_passes_it_by() -> None:
    modules = {
        path: ast.parse(path.read_text("utf-8"))
        for path in sorted((PROJECT / "tests").rglob("*.py"))
    }
    helpers = helpers_with_claims(modules.values())
    found = []
    for path, tree in modules.items():
        if not path.name.startswith("test_"):
            continue
        constants: dict[str, ast.AST] = {}
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if isinstance(target, ast.Name):
                    constants[target.id] = node.value
        for test in functions(tree):
            if test.name.startswith("test_"):
                found += [
                    f"{path.relative_to(PROJECT)}:{line}: {test.name}"
                    for line in passed_by(test, helpers, constants)
                ]
    assert found == []
