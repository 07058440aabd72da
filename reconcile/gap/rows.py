"""Rows: a headline, and below it numbers with names. Every output lays them out in its own way, and
says the same.

What the analyses of a match are called, each differently: their tools, with the level and a
number where that is not enough.

An analysis as rows: the PR of each player, what it is made of, and the costliest decisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np

from reconcile.document import Positive, Row
from reconcile.language import Number, joined, listing, say, word
from reconcile.match.columns import Floats, Kind, KindName
from reconcile.match.match import Match
from reconcile.match.tools import short_name
from reconcile.match.values import once
from reconcile.rules.rulesets import Q13, RuleSet, own_rules
from reconcile.scoring.figures import CHECKER, LEADING, METRICS
from reconcile.scoring.findings import NOTES, Finding, findings_of, main_level
from reconcile.scoring.grades import BLUNDER, ERROR, at_least, rated, worst_first
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics, lacking
from reconcile.wording import MINUS


def tool_name(match: Match) -> str:
    """The tool of a match, by its short name."""
    return short_name(match.source.tool)


def level_name(match: Match) -> str:
    """How deep most of a match is analysed, in the tool's words, of which `cubeful` goes without
    saying; empty where unknown."""
    level = main_level(match)
    return level.label.removesuffix(" cubeful") if level else ""


def with_level(tool: str, level: str) -> str:
    """`gnuBG 2-ply`; `XG Roller` is called so without its tool."""
    return level if level.startswith(tool) else f"{tool} {level}".strip()


def analysis_name(match: Match) -> str:
    """A tool with the level of its analysis."""
    return with_level(tool_name(match), level_name(match))


def under_rules(label: str, rules: RuleSet, match: Match, beside: Match | None = None) -> str:
    """What an analysis is called where its figures are shown: `XG under gnuBG's rules` where they
    are not counted by its tool's own rules."""
    own = own_rules(match, beside)
    return (
        label if rules.known_as == own.name else say("label.under", label=label, rules=rules.words)
    )


def pair_labels(tools: tuple[str, str], levels: tuple[str, str] = ("", "")) -> tuple[str, str]:
    """What two sides are called: the tool; where that is one, also the level; where that is one,
    the side."""
    left, right = tools
    if left != right:
        return left, right
    if all(levels) and levels[0] != levels[1]:
        return with_level(left, levels[0]), with_level(right, levels[1])
    return say("label.left", tool=left), say("label.right", tool=right)


def labels_of(matches: Sequence[Match]) -> tuple[str, ...]:
    """What the sides are called: the tool; where several have one, also the level; then a number,
    in the order of their paths."""
    names = _distinct(list(map(tool_name, matches)), list(map(analysis_name, matches)))
    places = [(match.source.path, match.source.sha256) for match in matches]
    order = sorted(range(len(matches)), key=places.__getitem__)
    numbered = list(names)
    for place, side in enumerate(order):
        number = sum(names[earlier] == names[side] for earlier in order[: place + 1])
        numbered[side] = f"{names[side]} ({number})"
    return tuple(_distinct(names, numbered))


def by_all(labels: Sequence[str], voters: Sequence[int], every: str = "") -> str:
    """Whose errors those are on which all agree: `every`, in words, or by name where not all
    analyses are held against each other."""
    if len(voters) == len(labels):
        return every or say("by.every")
    return say("by.labels", labels=tuple(labels[side] for side in voters))


def _distinct(names: Sequence[str], longer: Sequence[str]) -> list[str]:
    counts = Counter(names)
    return [long if counts[name] > 1 else name for name, long in zip(names, longer, strict=True)]


PLACE = {
    "game": (Positive, "Number of the game, from 1."),
    "turn": (Positive, "Number of the turn in the game, from 1, counting both players."),
    "kind": (KindName, "What was decided."),
}
"""Where a decision is: columns of every table of decisions."""
IDS = {
    "xgid": (str | None, "The position for eXtreme Gammon; null if there is no ID."),
    "gnubg_id": (str | None, "The position for GNU Backgammon; null if there is no ID."),
}
"""The decision as either tool takes it."""


class Place(NamedTuple):
    """Where a decision is; the numbers are from 1, and turns count both players."""

    game: int
    turn: int
    kind: str

    def __str__(self) -> str:
        return say("row.place", kind=word("kind", self.kind), game=self.game, turn=self.turn)


def place_of(row: Row) -> Place:
    """That of a row of a table of decisions."""
    return Place(*(row[name] for name in PLACE))


ACTIONS = frozenset(
    ("no double", "double", "double, take", "double, pass", "take", "pass", "cannot move")
)
"""The actions of a cube, and none at all."""


def action_words(action: str) -> str:
    """What an action is called that is no play, which is as it is noted."""
    is_play = action not in ACTIONS
    return action if is_play else word("action", action.replace(",", "").replace(" ", "-"))


class Line(NamedTuple):
    """A row: a number or a word, what it belongs to, and what there is to say of it."""

    lead: str
    words: str
    detail: str = ""
    place: Place | None = None
    """The decision that the words name."""

    def __str__(self) -> str:
        words = " ".join(filter(None, (self.lead, self.words)))
        return f"{words}: {self.detail}" if self.detail else words


class Rows(NamedTuple):
    """A headline with the rows below it: what is said of a player, or of the match."""

    headline: str
    lines: Sequence[Line] = ()
    player: str = ""
    """Whose it is; empty for the match."""

    def story(self) -> list[str]:
        """The same as strings."""
        return [self.headline, *map(str, self.lines)]


def story(every: Iterable[Rows], notes: Iterable[str]) -> tuple[str, ...]:
    """Headlines, rows and notes as strings, in reading order."""
    return (*chain.from_iterable(rows.story() for rows in every), *notes)


def hundredths(value: float) -> int:
    """A number as it is printed with two decimals, in hundredths."""
    return round(100 * float(f"{value:.2f}"))


def signed(number: int) -> str:
    """Hundredths with a sign and two decimals; 0 has none."""
    sign = (number > 0) - (number < 0)
    return Number(f"{('', '+', MINUS)[sign]}{abs(number) / 100:.2f}")


def apart(first: float, second: float) -> tuple[str, str]:
    """Two errors with three decimals, or with as many as show that they differ."""
    for digits in (3, 4, 5, 6):
        numbers = f"{first:.{digits}f}", f"{second:.{digits}f}"
        if numbers[0] != numbers[1]:
            return Number(numbers[0]), Number(numbers[1])
    return Number(f"{first:.3f}"), Number(f"{second:.3f}")


def span(ends: Sequence[str]) -> str:
    """One number, or from one to another."""
    first, last = ends[0], ends[-1]
    return first if first == last else say("row.span", first=first, last=last)


def noted(findings: Iterable[tuple[str, Finding]], players: Iterable[str]) -> list[str]:
    """The findings that are notes, each with what its file is called (empty for all files), of
    these players."""
    shown = {None, *players}
    chosen = [
        (NOTES.index(finding.code), finding.note(label))
        for label, finding in findings
        if finding.code in NOTES and finding.player in shown
    ]
    return list(dict.fromkeys(words for _, words in sorted(chosen, key=lambda note: note[0])))


MOST_NAMED = 3
"""Decisions that are named."""


class PageCounts(NamedTuple):
    """Of a player, by the borders of headlines and filters, for all analyses alike."""

    page_errors: int | None
    """Decisions that cost `ERROR` or more."""
    page_blunders: int | None
    """Decisions that cost `BLUNDER` or more."""

    def __str__(self) -> str:
        errors = say("count.errors", n=self.page_errors or 0)
        if not self.page_blunders:
            return errors
        return joined(", ", errors, say("count.blunders-of-them", n=self.page_blunders))


def errors_and_blunders(statistics: Statistics, seat: int) -> PageCounts:
    """How many decisions of a player are errors and blunders; `None` where the analysis is
    incomplete."""
    if statistics.figures(seat)["decisions.counted"] is None:
        return PageCounts(None, None)
    error = charged(statistics, seat)
    first, second = (int(at_least(error, border).sum()) for border in (ERROR, BLUNDER))
    return PageCounts(first, second)


@once
def charged(statistics: Statistics, seat: int) -> Floats:
    """What every decision cost a player (EMG); NaN of the opponent's, and where not evaluated."""
    scored = statistics.scored
    own = statistics.match.evaluated[: len(scored.error)] & (scored.player == seat)
    return np.where(own, scored.error, np.nan)


def analysis_notes(statistics: Statistics) -> list[str]:
    """What a reader has to know beside the rows."""
    findings = [("", finding) for finding in findings_of(statistics)]
    return noted(findings, statistics.match.names)


def analysis_rows(
    statistics: Statistics, seat: int, label: str, costliest: int = MOST_NAMED
) -> Rows:
    """The rows of a player; `label` is what the analysis is called, `costliest` how many decisions
    are named."""
    match, scored, figures = statistics.match, statistics.scored, statistics.figures(seat)
    name, shown = match.names[seat], METRICS[LEADING].shown
    if not match.evaluated[: len(scored.error)].any():
        return Rows(say("head.no-analysis", player=name), (), name)
    error = charged(statistics, seat)
    label = under_rules(label, statistics.rules, match)
    decisions = list(_costliest(statistics, error, costliest))
    pr, plays = figures[LEADING], figures[CHECKER]
    if pr is None:
        missing = listing(lacking(statistics.completeness(seat)))
        by = {"player": name, "label": label}
        headline: str = (
            say("head.no-pr-lacking", **by, missing=missing) if missing else say("head.no-pr", **by)
        )
        if plays is not None:
            checker = say("head.checker", rate=METRICS[CHECKER].shown(plays))
            headline = joined("; ", headline, checker)
        return Rows(headline, decisions, name)
    ends = open_range(statistics).figures[seat].get(LEADING, (pr, pr))
    value = span(tuple(map(shown, ends)))
    # The word of the program's own scale.
    rating, _ = rated(statistics.rules.known_as, figures)
    counted = say("row.decisions", n=int(figures["decisions.counted"] or 0))
    by = {"player": name, "rate": value, "label": label}
    rate = say("head.rate-graded", **by, grade=rating) if rating else say("head.rate", **by)
    headline = joined(", ", rate, counted, str(errors_and_blunders(statistics, seat)))
    return Rows(headline, [*_made_of(statistics, seat), *decisions], name)


def _made_of(statistics: Statistics, seat: int) -> Iterator[Line]:
    """What a PR is made of; the parts add up to it as it is printed."""
    figures, rate = statistics.figures(seat), statistics.uncapped_pr(seat)
    every, pr = figures["equity_error.total"], figures[LEADING]
    if not every or rate is None or pr is None:
        return
    names = {
        "checker": say("lost.checker"),
        "double": say("lost.double"),
        "take": say("lost.take"),
        "": say("lost.resignations"),
    }
    lost = {name: figures[f"equity_error.{name}"] or 0.0 for name in names if name}
    counts = {name: int(figures[f"decisions.{name}"] or 0) for name in lost}
    lost[""] = every - sum(lost.values())
    parts = {name: hundredths(rate * error / every) for name, error in lost.items()}
    parts[max(lost, key=lost.__getitem__)] += hundredths(rate) - sum(parts.values())
    for name, part in parts.items():
        count = counts.get(name, 0)
        if part or count:
            share = say("lost.share", part=Number(f"{part / 100:.2f}"))
            yield Line(share, names[name], say("row.decisions", n=count) if count else "")
    cap = statistics.rules.value(Q13)
    if cap is not None and rate > cap:
        capped = signed(hundredths(pr) - hundredths(rate))
        share, at = say("lost.share", part=capped), say("row.cap-at", cap=Number(f"{cap:g}"))
        yield Line(share, at, say("row.uncapped", rate=Number(f"{rate:.2f}")))


def _costliest(statistics: Statistics, error: Floats, most: int) -> Iterator[Line]:
    """The decisions that cost most."""
    match, scored = statistics.match, statistics.scored
    order = worst_first(error, np.flatnonzero(at_least(error, ERROR)))
    ranks = say("rank.first"), say("rank.second"), say("rank.third")
    for row, rank in zip(order[:most], chain(ranks, repeat("")), strict=False):
        game, kind = int(match.games.number[scored.game[row]]), Kind(int(scored.kind[row]))
        place = Place(game, int(match.turns[row]), kind.label)
        yield Line(joined(" ", Number(f"{error[row]:.3f}"), "EMG"), str(place), rank, place)
