"""Formulas of the catalogue: `kind == PLAY and error > 0.5`, arithmetic and conditions over numbers
or whole columns."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final, TypeAlias

import numpy as np

from reconcile.match.columns import Kind, Validity

Values: TypeAlias = Any
"""A number, or an array with one for every row of a table."""
Scope: TypeAlias = Callable[[str], Values]
"""What a name stands for; a name may have dots."""
Formula: TypeAlias = Callable[[Scope], Values]
OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Values]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.In: np.isin,
    ast.And: np.logical_and,
    ast.Or: np.logical_or,
    ast.Not: np.logical_not,
}
FUNCTIONS: Final[Mapping[str, Callable[..., Values]]] = {
    "where": np.where,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "abs": np.abs,
    "round": np.round,
    "trunc": np.trunc,
    "known": lambda values: values == values,
    "single": np.float32,
    "double": np.float64,
    "sum": np.sum,
    "mean": np.mean,
    "max": np.max,
}
CONSTANTS: Final[Mapping[str, int]] = {
    member.name: member for kind in (Kind, Validity) for member in kind
}
"""Kinds of decision and validities of plays, by their names in capitals."""


def formula(text: str | float) -> Formula:
    """What computes a formula, or a plain value, of what its names stand for."""
    return _computing(ast.parse(str(text), mode="eval").body)


def _computing(tree: ast.expr) -> Formula:
    match tree:
        case ast.Constant(value=value):
            return lambda scope: value
        case ast.Name() | ast.Attribute():
            name = ast.unparse(tree)
            return lambda scope: CONSTANTS[name] if name in CONSTANTS else scope(name)
        case ast.BinOp(left=left, op=sign, right=right):
            return _applied(OPERATORS[type(sign)], left, right)
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            return _applied(OPERATORS[type(sign)], left, right)
        case ast.UnaryOp(op=sign, operand=operand):
            return _applied(OPERATORS[type(sign)], operand)
        case ast.BoolOp(op=sign, values=parts):
            return _applied(lambda *values: reduce(OPERATORS[type(sign)], values), *parts)
        case ast.Tuple(elts=parts):
            return _applied(lambda *values: values, *parts)
        case ast.Call(func=ast.Name(id=name), args=parts):
            return _applied(FUNCTIONS[name], *parts)
    raise SyntaxError(f"{ast.unparse(tree)}: no formula of the catalogue")


def _applied(function: Callable[..., Values], *parts: ast.expr) -> Formula:
    """A function of the values of parts."""
    each = list(map(_computing, parts))
    return lambda scope: function(*[value(scope) for value in each])
