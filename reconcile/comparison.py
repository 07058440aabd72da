"""Two files of one match, each under its own rules, judged against tolerances: one frozen result that every output renders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reconcile.errors import NothingToCompare
from reconcile.figures import Coverage, Statistics, statistics
from reconcile.findings import Finding, between, findings_of, found, level_text
from reconcile.match import Match
from reconcile.met import Met, load_met
from reconcile.metrics import METRICS
from reconcile.pairing import Pairing, pair, seat_of
from reconcile.rules.rulesets import RuleSet, own_rules, rule_set
from reconcile.tolerances import DEFAULT_TABLE, ROUNDING, Table, Tolerances, load_tolerances

WITHIN, OUTSIDE, INCOMPLETE, UNGATED = "within", "outside", "incomplete", "ungated"
INCOMPARABLE = "incomparable"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two files, as reports show it."""

    path: str
    sha256: str
    """Empty in an anonymised comparison."""
    format: str
    tool: str
    tool_version: str | None
    rules: str
    met: str
    level: str
    players: tuple[str, str]
    """In the order of the left file's seats, under the names of this file."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of one player on both sides, and what the tolerance says of the gap."""

    metric: str
    player: str
    """The left file's name."""
    left: float | None
    right: float | None
    gap: float | None
    """Right minus left."""
    tolerance: float | None
    level: str | None
    verdict: str
    """`within`, `outside`, `incomplete` or `ungated`."""
    coverage: str = ""
    """What is missing, in words, where a figure is incomplete."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything a comparison found."""

    left: Side
    right: Side
    length: int | None
    games: int
    figures: tuple[Figure, ...]
    by_game: tuple[tuple[int, tuple[Figure, ...]], ...]
    """Game number and its figures; never judged."""
    pairing: Pairing
    paired: tuple[int, int]
    """Decisions paired, and decisions of the longer side."""
    findings: tuple[Finding, ...]
    table: str
    """Id of the table of tolerances."""
    statistics: tuple[Statistics, Statistics]
    """Left and right, for those who want to look deeper."""
    asked_rules: tuple[RuleSet, RuleSet]
    """The rule sets asked for; a file may not bear every answer, see `Scored.replaced`."""

    @property
    def judged(self) -> tuple[Figure, ...]:
        """The figures that have a tolerance."""
        return tuple(figure for figure in self.figures if figure.verdict != UNGATED)

    @property
    def verdict(self) -> str:
        """`within`, `outside` or `incomparable`."""
        if any(figure.verdict == OUTSIDE and figure.level == "error" for figure in self.figures):
            return OUTSIDE
        if not any(figure.verdict in (WITHIN, OUTSIDE) for figure in self.figures):
            return INCOMPARABLE
        return WITHIN

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not. `strict` makes incomplete figures count, `fail_on="warn"` those of level warn."""
        levels = ("error", "warn") if fail_on == "warn" else ("error",)
        failing = any(figure.verdict == OUTSIDE and figure.level in levels for figure in self.figures)
        return int(failing or (strict and any(figure.verdict == INCOMPLETE for figure in self.figures)))


def compare(
    left: Match,
    right: Match,
    tolerances: Tolerances | None = None,
    *,
    table: str = DEFAULT_TABLE,
    left_rules: str | None = None,
    right_rules: str | None = None,
    met: str | tuple[str, str] | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
) -> Comparison:
    """Compare two files of the same match.

    `met` names a match equity table for both sides, or one for the left and one for the right.

    Raises `NotTheSameMatch`, `NothingToCompare` when not one figure could be judged, `UnknownName`.
    """
    pairing = pair(left, right, aliases)
    asked = tuple(rule_set(name) if name else own_rules(match) for match, name in ((left, left_rules), (right, right_rules)))
    mets = _tables(met)
    scored = (statistics(left, asked[0], mets[0]), statistics(right, asked[1], mets[1]))
    gate = (tolerances or load_tolerances()).table(table)
    seats = (0, 1) if player is None else (seat_of(left, player),)
    figures = tuple(_figures(scored, pairing, gate, seats))
    result = Comparison(
        left=_side(scored[0], (0, 1)),
        right=_side(scored[1], pairing.seats),
        length=left.length,
        games=len(left.games),
        figures=figures,
        by_game=tuple(_by_game(scored, pairing, seats)),
        pairing=pairing,
        paired=(
            len(pairing.plays[0]) + len(pairing.cubes[0]),
            max(len(match.plays) + len(match.cubes) for match in (left, right)),
        ),
        findings=tuple(_findings(scored, pairing, figures)),
        table=table,
        statistics=scored,
        asked_rules=(asked[0], asked[1]),
    )
    if not any(figure.left is not None and figure.right is not None for figure in result.judged):
        reasons = [f"{f.side}: {f.evidence}" for f in result.findings if f.code in ("not-analysed", "incomplete-analysis")]
        raise NothingToCompare(
            f"{left.source.path}, {right.source.path}: not one figure of table {table!r} could be judged "
            f"({'; '.join(reasons) or 'no figure on both sides'}); analyse both files completely or choose another table with --table"
        )
    return result


def _tables(met: str | tuple[str, str] | None) -> tuple[Met | None, Met | None]:
    """The tables of both sides, one value where it is one table; `None` for that of the rule set."""
    if met is None:
        return None, None
    names = (met, met) if isinstance(met, str) else met
    left = load_met(names[0])
    return left, left if names[1] == names[0] else load_met(names[1])


def _side(statistics_: Statistics, seats: tuple[int, int]) -> Side:
    match = statistics_.match
    source = match.source
    return Side(
        path=source.path,
        sha256=source.sha256,
        format=source.format,
        tool=source.tool,
        tool_version=source.tool_version,
        rules=statistics_.rules.name,
        met=statistics_.scored.met.name,
        level=level_text(match),
        players=(match.players[seats[0]], match.players[seats[1]]),
    )


def _figures(scored: tuple[Statistics, Statistics], pairing: Pairing, gate: Table, seats: tuple[int, ...]) -> Iterable[Figure]:
    left, right = scored
    for seat in seats:
        sides = (left.figures(seat), right.figures(pairing.seats[seat]))
        covered = (left.completeness(seat), right.completeness(pairing.seats[seat]))
        for name in METRICS:
            figure = Figure(name, left.match.players[seat], sides[0][name], sides[1][name], None, None, None, UNGATED)
            yield judged(figure, gate, _missing(name, covered))


def judged(figure: Figure, gate: Table, missing: str = "") -> Figure:
    """A figure with its gap and the verdict of a table; one with missing analysis is incomplete, never judged."""
    both = figure.left is not None and figure.right is not None
    gap = figure.right - figure.left if figure.left is not None and figure.right is not None else None
    tolerance = gate.of(figure.metric)
    figure = replace(figure, gap=gap, coverage=missing)
    if tolerance is None or tolerance.level == "off":
        return figure
    bound = tolerance.bound(figure.left or 0.0)
    if missing or not both or gap is None:
        # Nothing to judge where neither side has the figure at all, as MWC in money play.
        verdict = INCOMPLETE if missing or figure.left is not None or figure.right is not None else UNGATED
    else:
        verdict = WITHIN if abs(gap) <= bound + ROUNDING else OUTSIDE
    return replace(figure, tolerance=bound, level=tolerance.level, verdict=verdict)


def _missing(name: str, covered: tuple[dict[str, Coverage], dict[str, Coverage]]) -> str:
    words = {"checker": "checker plays", "cube": "cube decisions", "luck": "rolls"}
    return "; ".join(
        f"{side}: {coverage[part].analysed} of {coverage[part].expected} {words[part]}"
        for part in METRICS[name].parts
        for side, coverage in zip(("left", "right"), covered, strict=True)
        if not coverage[part].complete
    )


def _by_game(scored: tuple[Statistics, Statistics], pairing: Pairing, seats: tuple[int, ...]) -> Iterable[tuple[int, tuple[Figure, ...]]]:
    left, right = scored
    others = {number: index for index, number in enumerate(right.match.games.number.tolist())}
    for index, number in enumerate(left.match.games.number.tolist()):
        other = others.get(number)
        figures = []
        for seat in seats:
            one = left.figures(seat, index)
            two = right.figures(pairing.seats[seat], other) if other is not None else dict.fromkeys(METRICS)
            for name in METRICS:
                here, there = one[name], two[name]
                gap = there - here if here is not None and there is not None else None
                figures.append(Figure(name, left.match.players[seat], here, there, gap, None, None, UNGATED))
        yield number, tuple(figures)


def _findings(scored: tuple[Statistics, Statistics], pairing: Pairing, figures: tuple[Figure, ...]) -> Iterable[Finding]:
    left, right = (statistics_.match for statistics_ in scored)
    yield from findings_of(scored[0], "left")
    yield from findings_of(scored[1], "right")
    yield from between(*scored)
    if pairing.matched_by == "transcript":
        yield found("players-by-transcript", f"{left.players} against {right.players}")
    if pairing.seats == (1, 0):
        yield found("players-swapped", f"left {left.players[0]} - {left.players[1]}, right {right.players[0]} - {right.players[1]}")
    if pairing.differences:
        first = pairing.differences[0]
        where = f"game {first.game}" + (f", turn {first.turn}" if first.turn else "")
        count = len(pairing.differences)
        yield found(
            "transcript-differs",
            f"{count} difference{'s' if count > 1 else ''}, the first in {where}: {first.what}: left {first.left}, right {first.right}",
        )
    if all(figure.verdict == UNGATED for figure in figures):
        yield found("nothing-gated", "no figure of the table is known on both sides")
