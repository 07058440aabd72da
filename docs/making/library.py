"""The public functions and their results, as the code documents them."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any, Final, NamedTuple

import reconcile
from docs.making.markdown import code, fenced, heading, page, paragraphs, prose, table
from reconcile import errors as raised
from reconcile.gap.bounds import Bound, KnownGap, Override, Special, Table, Tolerance
from reconcile.gap.bridge import Bridge, Step
from reconcile.gap.explanation import ExplainedGap, GapRow
from reconcile.gap.review import ReviewedFigure
from reconcile.gap.verdict import Figure
from reconcile.gate.cells import Missing
from reconcile.gate.match_results import MatchResult
from reconcile.infer.checks import HoldingCheck
from reconcile.infer.investigation import Difference, Explanation
from reconcile.infer.turning import Turning
from reconcile.match.columns import Cubes, Games, Plays
from reconcile.match.match import Candidate, Decision, Level
from reconcile.scoring.decisions import DecisionTable
from reconcile.scoring.statistics import Coverage

SECTIONS: Final[Mapping[Callable[..., Any], tuple[type, ...]]] = {
    reconcile.load_match: (reconcile.Match, Games, Plays, Cubes, Decision, Candidate, Level),
    reconcile.statistics: (reconcile.Statistics, Coverage),
    reconcile.review: (reconcile.Review, ReviewedFigure, ExplainedGap, GapRow),
    reconcile.compare: (reconcile.Comparison, Figure, Bridge, Step),
    reconcile.investigate: (
        reconcile.Investigation,
        Explanation,
        Difference,
        HoldingCheck,
        Turning,
    ),
    reconcile.validate: (reconcile.PackResult, MatchResult, Missing),
    reconcile.load_tolerances: (reconcile.Tolerances, Table, Tolerance, Override, KnownGap),
    reconcile.open_archive: (reconcile.Archive,),
    reconcile.build_archive: (),
    reconcile.convert: (),
    reconcile.analyse: (),
    reconcile.run_suite: (),
    reconcile.to_html: (),
    reconcile.to_json: (),
    reconcile.pool: (),
    reconcile.samples: (),
    reconcile.metrics: (),
    reconcile.rule_sets: (),
    reconcile.equity_tables: (),
}
"""The public functions, each with the types of its result and those a user meets inside them."""
FUNCTIONS: Final = tuple(SECTIONS)
RESULTS: Final = tuple(kind for kinds in SECTIONS.values() for kind in kinds)
TYPES: Final[tuple[type, ...]] = (
    reconcile.DecisionTable,
    reconcile.Finding,
    reconcile.Met,
    reconcile.Pooled,
    reconcile.RuleSet,
)
"""Further types in the signatures of what is public."""
TABLES: Final[Mapping[str, Callable[..., Any]]] = {
    "Match.to_frame": reconcile.Match.to_frame,
    "Statistics.decisions": DecisionTable,
    "Review.to_frame": reconcile.Review.to_frame,
    "Comparison.to_frame": reconcile.Comparison.to_frame,
    "Comparison.ledger": reconcile.Comparison.ledger,
    "Investigation.to_frame": reconcile.Investigation.to_frame,
    "PackResult.to_frame": reconcile.PackResult.to_frame,
    "Tolerances.to_frame": reconcile.Tolerances.to_frame,
}
"""Methods whose docstrings list the columns of a table."""
INHERITED: Final = (Special, Bound)
LONGEST_SIGNATURE: Final = 100


class Member(NamedTuple):
    """A public attribute of a class, as its source has it."""

    name: str
    kind: str
    """Its type, or what a method returns."""
    says: str
    """The first sentence of its docstring, or of its type's; empty where the name says all."""


def reference_page() -> str:
    """Every public function with its arguments, and every type with its attributes and tables."""
    parts = [
        "Every public function with its arguments, the attributes of its results, and the "
        "columns of their tables. "
        "[Library](library.md) has an example of each and says what the results have in common."
    ]
    for function, kinds in SECTIONS.items():
        parts += [
            heading(2, code(function.__name__), function.__name__.replace("_", "-")),
            signature(function),
        ]
        for kind in kinds:
            parts.append(attributes(kind))
            for name, method in TABLES.items():
                if name.startswith(f"{kind.__name__}."):
                    parts += [f"The columns of `{name}()`:", columns(method)]
    parts += [
        heading(2, "Types in signatures", "types"),
        "These are public as well, for annotations and `isinstance`. A rule set and a match equity "
        "table can be given by name, by file or as a mapping, so few programs need the types.",
        types(),
        heading(2, "Errors", "errors"),
        "Each is a `ReconcileError`. Its text is one line. Any other exception is a bug of "
        "this program.",
        errors(),
    ]
    return page("Library reference", *parts)


def signature(function: Callable[..., Any]) -> str:
    """How a function is called, and its docstring."""
    assert isinstance(function, FunctionType)
    (node,) = _parsed(function)
    assert isinstance(node, ast.FunctionDef)
    listed, result = (
        _listed(node.args, function.__globals__),
        ast.unparse(node.returns) if node.returns else "None",
    )
    line = f"def {node.name}({', '.join(listed)}) -> {result}"
    if len(line) > LONGEST_SIGNATURE:
        line = (
            f"def {node.name}(\n" + "".join(f"    {text},\n" for text in listed) + f") -> {result}"
        )
    return f"{fenced(line, 'python')}\n\n{paragraphs(inspect.getdoc(function) or '')}"


def attributes(kind: type) -> str:
    """The public attributes of a class in the order of its source, those it inherits first."""
    own = list(members(kind))
    named = {member.name for member in own}
    inherited = {
        member.name: member
        for base in kind.__mro__[1:]
        if base in INHERITED
        for member in members(base)
        if member.name not in named
    }
    rows = [
        (code(member.name), code(member.kind) if member.kind else "", prose(member.says))
        for member in (*inherited.values(), *own)
    ]
    return table([code(kind.__name__), "type", "what it is"], rows)


def columns(method: Callable[..., Any]) -> str:
    """The columns of a table, as the docstring of the method that makes it lists them."""
    listed = re.findall(r"^- (.+(?:\n  .+)*)", inspect.getdoc(method) or "", re.MULTILINE)
    return "\n".join(f"- {prose(' '.join(line.split()))}" for line in listed)


def types() -> str:
    """The further types, each in a sentence."""
    return table(
        ["type", "what it is"],
        [(code(cls.__name__), prose(first_sentence(cls.__doc__ or ""))) for cls in TYPES],
    )


def errors() -> str:
    """What the functions raise."""
    kinds = [
        kind
        for _, kind in sorted(vars(raised).items())
        if isinstance(kind, type) and issubclass(kind, reconcile.ReconcileError)
    ]
    return table(
        ["error", "raised for"],
        [(code(kind.__name__), prose(first_sentence(kind.__doc__ or ""))) for kind in kinds],
    )


def members(kind: type) -> Iterator[Member]:
    """Fields, properties and methods whose names do not begin with an underscore."""
    (node,) = _parsed(kind)
    assert isinstance(node, ast.ClassDef)
    names = vars(sys.modules[kind.__module__])
    following: list[ast.stmt | None] = [*node.body[1:], None]
    for statement, after in zip(node.body, following, strict=True):
        if (
            isinstance(statement, ast.AnnAssign)
            and isinstance(statement.target, ast.Name)
            and not statement.target.id.startswith("_")
        ):
            says = first_sentence(_text(after)) or _of_type(statement.annotation, names)
            yield Member(statement.target.id, ast.unparse(_bare(statement.annotation)), says)
        elif isinstance(statement, ast.FunctionDef) and not statement.name.startswith("_"):
            returned = ast.unparse(statement.returns) if statement.returns else ""
            yield Member(
                _called(statement, names),
                returned,
                first_sentence(ast.get_docstring(statement) or ""),
            )


def first_sentence(text: str) -> str:
    """The first sentence of a docstring."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z`])", paragraph)[0]


def _parsed(member: type | FunctionType) -> list[ast.stmt]:
    return ast.parse(textwrap.dedent(inspect.getsource(member))).body


def _text(statement: ast.stmt | None) -> str:
    """The docstring under a field."""
    literal = (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and statement.value.value
    )
    return literal if isinstance(literal, str) else ""


def _bare(annotation: ast.expr) -> ast.expr:
    """A type without what is said of it for documents."""
    match annotation:
        case ast.Subscript(value=ast.Name("Annotated"), slice=ast.Tuple([kind, *_])):
            return kind
    return annotation


def _of_type(annotation: ast.expr, names: Mapping[str, Any]) -> str:
    """What the first class of this program in an annotation says of itself."""
    named = (names.get(node.id) for node in ast.walk(annotation) if isinstance(node, ast.Name))
    own = (
        kind for kind in named if isinstance(kind, type) and kind.__module__.startswith("reconcile")
    )
    return next((first_sentence(kind.__doc__ or "") for kind in own), "")


def _called(method: ast.FunctionDef, names: Mapping[str, Any]) -> str:
    """A property by its name, a method with its arguments."""
    decorators = {ast.unparse(decorator) for decorator in method.decorator_list}
    if decorators & {"property", "cached_property"}:
        return method.name
    arguments = method.args
    arguments.args = arguments.args[1:]
    for argument in (*arguments.args, *arguments.kwonlyargs):
        argument.annotation = None
    return f"{method.name}({', '.join(_listed(arguments, names))})"


def _listed(arguments: ast.arguments, names: Mapping[str, Any]) -> list[str]:
    """The arguments of a function as they are written, a constant that is a default by its
    value."""
    required = len(arguments.args) - len(arguments.defaults)
    first = zip(arguments.args, [*[None] * required, *arguments.defaults], strict=True)
    named = [
        _argument(argument, default, names)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    return [
        *(_argument(argument, default, names) for argument, default in first),
        *(["*"] if named else []),
        *named,
    ]


def _argument(argument: ast.arg, default: ast.expr | None, names: Mapping[str, Any]) -> str:
    if default is None:
        return ast.unparse(argument)
    value = repr(names[default.id]) if isinstance(default, ast.Name) else ast.unparse(default)
    return ast.unparse(argument) + (" = " if argument.annotation else "=") + value.replace("'", '"')
