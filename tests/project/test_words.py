"""What the program says is made of facts and never read back: no sentence, reason or message of
ours is taken apart again."""

import ast
import re

from reconcile import errors
from tests.support.sources import trees

CUTTING = re.compile(
    r"r?(?:partition|split)|splitlines|remove(?:prefix|suffix)|(?:starts|ends)with|replace|find|"
    r"index"
)
"""Methods of text that look into it."""
MATCHING = frozenset(("match", "fullmatch", "search", "split", "findall", "finditer", "sub"))
"""What a regular expression does with a text."""
WORDS = frozenset(("sentence", "sentences", "story", "evidence", "reason", "why", "brief"))
"""What attributes, keys and variables are called that hold words of ours."""
ERRORS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.ReconcileError)
}
"""Those that every stage raises; stages have some of their own."""


def read_back(tree, names):
    """The lines on which words of ours are taken apart."""
    ours = _messages(tree, names)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            text, name = node.func.value, node.func.attr
            evens = name in ("split", "rsplit") and not node.args  # only what is between the words
            looked_at = [text] if CUTTING.fullmatch(name) and not evens else []
            looked_at += node.args if name in MATCHING else []
            if any(part in ours or _name(part) in WORDS for part in looked_at):
                yield node.lineno


def _name(node):
    match node:
        case ast.Subscript(slice=ast.Constant(value)) | ast.Attribute(attr=value):
            return value
        case ast.Name(id=value):
            return value
    return ""


def _messages(tree, names):
    """Every `str(error)` where an error of ours was caught."""
    return {
        node
        for handler in ast.walk(tree)
        if isinstance(handler, ast.ExceptHandler) and handler.type is not None
        if names & {name.id for name in ast.walk(handler.type) if isinstance(name, ast.Name)}
        for node in ast.walk(handler)
        if isinstance(node, ast.Call) and ast.unparse(node) == f"str({handler.name})"
    }


def test_words_of_ours_are_not_taken_apart():
    classes = [
        node for tree in trees().values() for node in tree.body if isinstance(node, ast.ClassDef)
    ]
    own = {node.name for node in classes if ERRORS & {ast.unparse(base) for base in node.bases}}
    assert "CannotWrite" in own
    example = ast.parse("try: f()\nexcept CannotWrite as e: str(e).split(':')")
    assert list(read_back(example, own)) == [2]
    assert [
        f"{path}:{line}" for path, tree in trees().items() for line in read_back(tree, own | ERRORS)
    ] == []
