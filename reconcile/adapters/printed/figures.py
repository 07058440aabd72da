"""Figures found in printed text: each by the name of its metric, as printed, with its precision."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PastedFigure:
    """A figure by the name of its metric, as printed, and its precision."""

    metric: str
    text: str
    value: float
    half: float
    """Half of the last printed digit; 0 for a count."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """The figures in a text."""

    program: str
    """Short name of the program: that of gnuBG or XG in `reconcile.tools`."""
    players: tuple[str, ...]
    """Names above the columns; empty if there are none."""
    columns: tuple[tuple[PastedFigure, ...], ...]
    """Figures of one or two players."""
    ignored: int
    """Lines with a number but no recognised figure."""
    notes: tuple[str, ...] = ()
    """Sentences on what the text does not say, or says in contradiction to itself."""


def count(metric: str, value: int) -> PastedFigure:
    """A number of decisions, errors or rolls."""
    return PastedFigure(metric, str(value), value, 0.0)


def amount(metric: str, printed: str, factor: float = 1.0, *, signed: bool = False) -> PastedFigure:
    """A sum or a rate as printed, times a factor; without its sign unless `signed`, since programs print losses as negative numbers."""
    text = printed.replace("\N{MINUS SIGN}", "-").replace(",", ".")
    text = text if signed else text.lstrip("+-")
    digits = len(text.partition(".")[2])
    value = factor * float(text)
    return PastedFigure(
        metric, text if factor == 1 else f"{value:.{digits + 1 if factor < 1 else 2}f}", value, factor * 0.5 * 10.0**-digits
    )
