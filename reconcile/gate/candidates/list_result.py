"""What a list of decisions shows: what its errors have in common, the decisions that differ, and
all lists of a program as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal

import numpy as np

from reconcile.document import HIDDEN, OR_NULL, Count, Document, Key, Positive, Text, within
from reconcile.gate.candidates.claims import Unit
from reconcile.gate.candidates.listed import FEWEST_ALIKE, Listed
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.columns import Kind, KindName, Validity
from reconcile.rules.rulesets import Q01, Q02, Q03, QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.findings import Finding, new_finding
from reconcile.wording import either, listed, plural, summary

SHARED: Final = {"kind": "{}", "game": "of game {}", "player": "of {}"}
"""What all decisions that differ may have in common, in words."""
FEWEST: Final = 2
"""Decisions that have to be on the other side of a border before it is named."""
MOST_FACTS: Final = 200
"""Decisions, and rows, of one list that a property names each."""
DIGITS: Final = 4
"""Of an equity at a border, and of what doubling would have cost."""
DifferingWay = Literal["counted-by-list", "counted-by-reference", "error", "no-error", "no-row"]
WAYS: Final[dict[DifferingWay, str]] = {
    "counted-by-list": "counted by the program only",
    "counted-by-reference": "counted by the reference only",
    "error": "with another error",
    "no-error": "without an error",
    "no-row": "without a row",
}
"""The ways in which a decision differs, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differing(Document):
    """A decision that the list and the reference count or weigh differently."""

    way: Annotated[DifferingWay, Key("what")]
    """Which side alone counts it; or the error differs, or the list has no error or no row."""
    row: Positive | None
    """Line or number of its row; null without one."""
    game: Positive
    """Number of the game, from 1."""
    turn: Positive
    """Number of the turn in its game, from 1."""
    player: Text
    """Who decides."""
    kind: KindName
    """The kind of decision."""
    counted: tuple[bool, bool]
    """Whether it counts in the reference, and in the list."""
    error: tuple[float | None, float | None]
    """In the reference and in the list, in the list's unit."""
    pr: float | None
    """By how much it moves the player's PR; null where that is unknown."""
    questions: tuple[str, ...]
    """Questions of which another answer alone gives what the list has."""
    agreeing: tuple[str, ...]
    """Known rule sets that count and weigh it as the list does."""
    sentence: Text
    """The same in words."""
    xgid: Annotated[str, OR_NULL]
    """As XG takes it; null where there is no such ID."""
    gnubg_id: Annotated[str, OR_NULL]
    """gnuBG's `Position ID:Match ID`."""
    at: Annotated[int, HIDDEN]
    """Its place among the decisions of the match: plays, cubes, resignations."""

    @property
    def address(self) -> str:
        """Where it is, in words."""
        return f"game {self.game}, turn {self.turn}, {self.kind}, {self.player}"


@dataclass(frozen=True, slots=True)
class Border(Document):
    """A line that a program seems to draw between decisions that count and others that do not."""

    question: Text
    """The question that is about such a line."""
    measure: Text
    """What is measured, in words."""
    counts: float
    """The value of the decision that counts and is nearest to the line (EMG)."""
    not_counts: float
    """The same of one that does not count."""
    moved: Positive
    """How many decisions the reference has on the other side."""

    @property
    def is_below(self) -> bool:
        """Whether what counts is below the line."""
        return self.counts < self.not_counts

    def words(self, own: RuleSet) -> str:
        """Where the program draws the line, in a sentence, beside rules that have it elsewhere."""
        low, high = sorted((self.counts, self.not_counts))
        answer = QUESTIONS[self.question].answers[own.answers[self.question]]
        page = " ".join(answer.page.partition("\n\n")[0].split()).rstrip(".")
        side = "below" if self.is_below else "above"
        line = f"is {side} a border between {low:.{DIGITS}f} and {high:.{DIGITS}f} in the program"
        return f"{self.measure} {line}; {own.name} ({self.question}): {page}"


@dataclass(frozen=True, slots=True)
class Unpaired(Document):
    """A row that is about no decision of the reference, or repeats one."""

    row: Positive
    """Its line or number."""
    why: Literal["no-decision", "twice"]
    """Whether the reference has no such decision, or an earlier row is about it."""
    text: Text
    """Its address and what it adds, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListResult(Document):
    """A list of decisions, compared row by row."""

    rows: Count
    """Rows of the list."""
    paired: Count
    """Decisions of the reference with a row."""
    unlisted: Count
    """Decisions without a row that the reference does not count and that cost nothing there."""
    unit: Unit
    """The unit of its errors."""
    fault: str
    """What the errors that differ have in common, in words; empty if nothing."""
    differing: tuple[Differing, ...]
    """Decisions that differ: those first that are not as the errors have in common, and among them
    those that move PR most."""
    unpaired: tuple[Unpaired, ...]
    """Rows that are about no decision, and repeated ones."""
    borders: tuple[Border, ...]
    """Lines that the program seems to draw, one at most for a question."""
    rule_sets: Mapping[str, Count]
    """By known rule set, how many decisions differ from the list."""
    fault_kind: Annotated[str, HIDDEN]
    """The same without the number of errors."""
    listed: Annotated[Listed, HIDDEN] = field(repr=False, compare=False)

    @property
    def lost(self) -> str:
        """What of the list is about no decision, in words; empty if everything is about one."""
        texts = [row.text for row in self.unpaired if row.why == "no-decision"]
        return counted_rows(texts, "about no decision of the match")


def counted_rows(texts: Iterable[str], description: str, noun: str = "row") -> str:
    """How many rows are so, and which; empty if none is."""
    rows = list(texts)
    shown = "; ".join(summary(rows))
    return f"{plural(len(rows), noun)} {description}: {shown}" if rows else ""


# -- of one list ----------------------------------------------------------------------------------


def list_result(table: Listed) -> ListResult:
    """What a list shows."""
    kind, fault, _ = table.fault
    mine, line = table.decisions.mine, table.decisions.line
    differs = table.differs(table.left)
    quiet = mine & line.isna() & ~table.decisions.added & ~differs
    return ListResult(
        rows=len(table.rows),
        paired=int(line.notna().sum()),
        unlisted=int(quiet.sum()),
        unit=table.unit,
        fault=fault,
        differing=tuple(_differing(table, np.flatnonzero(differs))),
        unpaired=tuple(_unpaired(table)),
        borders=tuple(_borders(table)),
        rule_sets={name: int(mask.sum()) for name, mask in table.by_rules.items()},
        fault_kind=kind,
        listed=table,
    )


def _differing(table: Listed, rows: Any) -> Iterator[Differing]:
    """The decisions that differ: those first that are not as the errors have in common, then those
    that move PR most, or differ most."""
    own, moved = table.decisions, table.moved
    explained = table.fault[2] & (own.counted == table.left.counted)
    off = np.nan_to_num(own.error) - table.cost(table.left)
    size = np.abs(np.where(np.isnan(moved), off, moved)).round(12)
    order = own.assign(explained=explained, size=-size).loc[rows]
    for at in order.sort_values(["explained", "size", "game", "turn"]).index:
        yield _differing_decision(table, at, moved[at])


def _differing_decision(table: Listed, at: int, moved: float) -> Differing:
    row: Any = table.decisions.loc[at]
    left, stated = table.left, row.error
    kind, counted = Kind(int(left.kind[at])), (bool(left.counted[at]), bool(row.counted))
    ours = float(table.cost(left)[at]) if row.analysed else None
    theirs = None if np.isnan(stated) else float(stated)
    way: DifferingWay = "no-error" if theirs is None else "error"
    if np.isnan(row.line):
        way = "no-row"
    elif counted[0] != counted[1]:
        way = "counted-by-list" if counted[1] else "counted-by-reference"
    questions = tuple(dict.fromkeys(code for code, mask in table.switched if not mask[at]))
    agreeing = tuple(name for name, mask in table.by_rules.items() if not mask[at])
    sizes = [_size(value, table.in_mwc) for value in (ours, theirs)]
    words = [f"{WAYS[way]}; error {sizes[0]} in the reference, {sizes[1]} in the list"]
    if kind is Kind.NO_DOUBLE:
        cube = at - len(table.match.plays)
        cost = float(left.view.no_double[cube] - left.view.least[cube])
        words += [f"doubling would have cost {cost:.{DIGITS}f}"] * (cost == cost)
    if way not in ("no-error", "no-row"):
        words += [f"{either(questions)} may decide"] * bool(questions)
        words.append(f"as under {listed(agreeing) or 'no known rule set'}")
    xgid, gnubg_id = table.left.facts.identifiers(at)
    return Differing(
        way=way,
        row=None if way == "no-row" else int(row.line),
        game=int(row.game),
        turn=int(row.turn),
        player=table.match.names[int(row.seat)],
        kind=kind.label,
        counted=counted,
        error=(ours, theirs),
        pr=None if np.isnan(moved) else float(moved),
        questions=questions,
        agreeing=agreeing,
        sentence="; ".join(words),
        xgid=xgid,
        gnubg_id=gnubg_id,
        at=at,
    )


def _size(error: float | None, in_mwc: bool) -> str:
    """An error with the digits that matter."""
    if error is None:
        return "unknown"
    return (f"{error:.4f}".rstrip("0").rstrip(".") or "0") + " pp" * in_mwc


def _borders(table: Listed) -> Iterator[Border]:
    """The lines that the program seems to draw and the reference has elsewhere."""
    left, view, plays = table.left, table.left.view, table.match.plays
    no_double = view.access & (view.kind == Kind.NO_DOUBLE.value)
    with np.errstate(invalid="ignore"):
        close, losing = (no_double & left.rules.value(question)(view) for question in (Q02, Q03))
    choice = (plays.legal > 1) & (plays.validity == Validity.VALID.value)
    usable = (table.decisions.mine & table.decisions.line.notna()).to_numpy()
    close_no_double = "a close no-double counts if the equity of no double"
    for question, words, values, among, sign in (
        (
            Q02,
            "a no-double counts if what doubling would have cost",
            view.no_double - view.least,
            losing,
            1.0,
        ),
        (Q01, "a play counts if the best candidate less the worst", plays.spread, choice, -1.0),
        (Q03, close_no_double, view.no_double, close, -1.0),
    ):
        start = 0 if question is Q01 else len(plays)
        rows = start + np.flatnonzero(among & ~np.isnan(values))
        rows = rows[usable[rows]]
        counted, measure = table.decisions.counted.to_numpy()[rows], sign * values[rows - start]
        inside, outside = measure[counted], measure[~counted]
        moved = int((counted != left.counted[rows]).sum())
        if moved and len(inside) and len(outside) and inside.max() < outside.min():
            ends = sign * float(inside.max()), sign * float(outside.min())
            yield Border(question.code, words, *ends, moved)


def _unpaired(table: Listed) -> Iterator[Unpaired]:
    """The rows about no decision, and those that repeat one, in the order of the list."""
    row: Any
    for row in table.rows[(table.rows.decision < 0) | table.rows.repeated].itertuples():
        adds = ["1 decision"] * bool(row.counted)
        adds += [f"error {row.error:g}"] * bool(np.nan_to_num(row.error))
        player = table.match.players[row.seat]
        text = f"game {row.game}, turn {row.turn}, {Kind(row.kind).label}, {player}: row {row.line}"
        if row.repeated:
            text += f" repeats row {int(table.decisions.line[row.decision])}"
        why: Literal["twice", "no-decision"] = "twice" if row.repeated else "no-decision"
        yield Unpaired(row.line, why, f"{text}, adds {' and '.join(adds) or 'nothing'}")


def _misnamed(table: Listed) -> Iterator[tuple[str, str]]:
    """The rows that call a decision another kind, or say another play, than the file has: what is
    other, and the row."""
    plays = table.match.plays
    row: Any
    for row in table.rows[table.rows.decision >= 0].itertuples():
        at = row.decision
        if table.left.kind[at] not in (row.kind, Kind.BEAVER):
            yield "kind", f"row {row.line}: {Kind(row.kind).label}"
        if row.played and at < len(plays):
            board, dice = tuple(plays.position[at].tolist()), tuple(plays.dice[at].tolist())
            try:
                after = apply_play(board, parse_play(row.played, dice, board))
            except ValueError:  # it cannot be read
                continue
            if after != apply_play(board, plays.play[at]):
                yield "play", f"row {row.line}: {row.played}"


def conclusion(
    own: RuleSet, paired: str, lists: Sequence[ListResult], counts: Mapping[str, int]
) -> tuple[str, str]:
    """By which rules lists count, and what the decisions that differ have in common: the code of a
    finding, and its words."""
    differing = [decision for result in lists for decision in result.differing]
    extra = sum(len(result.unpaired) for result in lists)
    more = f"; rows that repeat a decision or are about none: {extra:,}" if extra else ""
    if not differing:
        code = "candidate-decisions" if extra else "candidate-own-rules"
        return code, f"{'the' if extra else 'all'} {paired} are as under rule set {own.name}{more}"
    ways = Counter(row.way for row in differing)
    words = ", ".join(f"{ways[way]:,} {text}" for way, text in WAYS.items() if ways[way])
    text = f"{len(differing):,} of {paired} differ from rule set {own.name}: {words}"
    common = [
        form.format(f"{row.kind}{'es' if row.kind == 'pass' else 's'}" if name == "kind" else value)
        for row in differing[:1]
        for name, form in SHARED.items()
        for value in [getattr(row, name)]
        if all(getattr(each, name) == value for each in differing)
    ]
    if common and len(differing) >= FEWEST_ALIKE:
        text += f"; all {len(differing):,} are {' '.join(common)}"
    text += more
    nearest = min(counts, key=lambda name: (counts[name], name != own.name))
    if counts[nearest] < len(differing):
        touched = {code for row in differing for code in row.questions}
        codes = [code for code in own.differing(RULE_SETS[nearest]) if code in touched]
        by = f" ({listed(codes)})" if codes else ""
        number = f"{counts[nearest]:,} differ" if counts[nearest] else "none differs"
        text += f"; from rule set {nearest}{by} {number}"
    return "candidate-decisions" if counts[nearest] else "candidate-rules", text


def list_findings(result: ListResult) -> Iterator[Finding]:
    """What is to be said of a list: its fault, the rules by which it counts, its rows."""
    table, own = result.listed, result.listed.left.rules
    if result.fault:
        yield new_finding("candidate-unit", result.fault)
    paired = plural(result.paired, "listed decision")
    yield new_finding(*conclusion(own, paired, [result], result.rule_sets))
    for border in result.borders:
        if border.moved >= FEWEST:
            yield new_finding("candidate-border", border.words(own))
    misnamed = list(_misnamed(table))
    for evidence in (
        result.lost,
        counted_rows((row.text for row in result.unpaired if row.why == "twice"), "given twice"),
        counted_rows(
            (row.address for row in result.differing if row.way == "no-row"),
            "without a row",
            "decision",
        ),
        *(
            counted_rows(
                (text for other, text in misnamed if other == name),
                f"with another {name} than the file has",
            )
            for name in ("kind", "play")
        ),
    ):
        if evidence:
            yield new_finding("candidate-rows", evidence)
    unlisted = f"{plural(result.unlisted, 'decision')} without a row that neither side counts"
    quiet = [unlisted] * bool(result.unlisted)
    quiet += [f"no row of {table.match.players[seat]}" for seat in {0, 1}.difference(table.seats)]
    half = float(table.rows.half.where(table.rows.error != 0, 0.0).max())
    if half >= 0.5 * 10.0**-DIGITS:
        quiet.append(f"errors are rounded, each by up to {half:g}, and so are the sums")
    if quiet:
        yield new_finding("candidate-list", "; ".join(quiet))


def decision_facts(result: ListResult) -> Iterator[tuple[str, str]]:
    """The decisions that differ and the rows that fit none, as address and words."""
    for decision in result.differing[:MOST_FACTS]:
        moved = "" if decision.pr is None else f"; PR {decision.pr:+.4f}"
        ids = "".join(f"; {text}" for text in (decision.xgid, decision.gnubg_id) if text)
        row = "" if decision.row is None else f" (row {decision.row})"
        yield decision.address + row, decision.sentence + moved + ids
    yield from ((f"row {row.row}", row.text) for row in result.unpaired[:MOST_FACTS])
    more = sum(max(len(rows) - MOST_FACTS, 0) for rows in (result.differing, result.unpaired))
    if more:
        yield "more decisions and rows", f"{more:,}"


# -- all lists of a program -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PooledLists(Document):
    """The lists of one program over all matches of a run, compared under one rule set."""

    candidate: Text
    """Name of the file or program."""
    rules: str
    """The rule set."""
    matches: Positive
    """How many lists."""
    rows: Count
    """Rows of all lists."""
    paired: Count
    """Decisions of the references with a row."""
    differing: Count
    """Decisions that differ."""
    rule_sets: Mapping[str, Count]
    """By known rule set, how many decisions differ from the lists, the fewest first."""
    sentences: Annotated[tuple[Text, ...], within(min_length=1)]
    """What the lists show, in words."""


def pooled_lists(candidate: str, rules: str, lists: Sequence[ListResult]) -> PooledLists:
    """The lists of one program, compared under one rule set; first what errors have in common."""
    sums = {name: sum(result.rule_sets[name] for result in lists) for name in RULE_SETS}
    counts = dict(sorted(sums.items(), key=lambda entry: (entry[1], entry[0] != rules)))
    rows, paired = (sum(getattr(result, name) for result in lists) for name in ("rows", "paired"))
    differing = [decision for result in lists for decision in result.differing]
    own, sentences = lists[0].listed.left.rules, []
    over = f" in {plural(len(lists), 'match', 'matches')}" if len(lists) > 1 else ""
    faults = Counter(result.fault_kind for result in lists if result.fault_kind)
    for fault, count in faults.most_common():
        number = "all" if count == len(lists) else count
        sentences.append(
            f"the errors that differ{f' in {number} {len(lists)} lists' if over else ''} {fault}"
        )
    total = f"{plural(paired, 'listed decision')}{over}"
    sentences.append(conclusion(own, total, lists, counts)[1])
    if differing:
        sentences += [border.words(own) for border in shared_borders(lists)]
    number = len(differing)
    return PooledLists(candidate, rules, len(lists), rows, paired, number, counts, tuple(sentences))


def shared_borders(lists: Iterable[ListResult]) -> Iterator[Border]:
    """The lines that all lists that show one agree on, as narrow as they make it."""
    every = [border for result in lists for border in result.borders]
    for question in dict.fromkeys(border.question for border in every):
        first, *more = (border for border in every if border.question == question)
        is_below, counts, not_counts = first.is_below, first.counts, first.not_counts
        inner, outer = (max, min) if is_below else (min, max)
        for border in more:
            counts = inner(counts, border.counts)
            not_counts = outer(not_counts, border.not_counts)
        moved = first.moved + sum(border.moved for border in more)
        pooled = replace(first, counts=counts, not_counts=not_counts, moved=moved)
        if moved >= FEWEST and pooled.is_below == is_below:
            yield pooled
