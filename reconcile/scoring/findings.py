"""Checks that an expert would ask a user to make: findings about one file or about a pair.

Every finding has a code with a page (`reconcile explain CODE`), a severity, evidence and advice.
The pages are in `findings.md`; the functions below decide which findings apply.

Why a figure is a range, in words: the rules of a program that nobody outside knows, and what a
file does not show.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import compress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, Literal, cast, get_args

import numpy as np

from reconcile.document import Document, within
from reconcile.files.bundled import read_pages
from reconcile.language import Number, joined, say, word
from reconcile.match.columns import Ints, Validity
from reconcile.match.match import Evaluation, Level, Match, Source
from reconcile.match.tools import BGBLITZ, GAMMONVIEW, GNUBG, TOOLS, Side
from reconcile.match.values import once
from reconcile.rules.catalogue import has_candidates, has_marks
from reconcile.rules.rulesets import Q07, Q09, Q13, QUESTIONS, own_rules
from reconcile.rules.values import Resigning
from reconcile.scoring.figures import METRICS, per
from reconcile.scoring.grades import FEWEST_COUNTED
from reconcile.scoring.open_rules import (
    Range,
    dead_cubes_of,
    is_printed,
    known_values,
    open_range,
    undecided,
)
from reconcile.scoring.score import can_matter
from reconcile.scoring.statistics import NOT_THEIRS, PARTS, Coverage, Statistics, roll_gains
from reconcile.scoring.sums import DecisionClass
from reconcile.wording import Turn, either, listed, plural, summary

if TYPE_CHECKING:
    from reconcile.scoring.pool import Pooled

MOST_NAMED = 3
UNKNOWN = {
    "Q03": "which no-doubles of the losing side {} counts",
    "Q07": "whether {} counts the errors of resignations",
    "Q09": "whether {} multiplies the PR of a one-point match",
}
"""What is not known, by question; `{}` stands for the tool."""
DECIDING = (
    "decisions.double",
    "decisions.checker",
    "decisions.take",
    "equity_error.total",
    "pr",
)
"""The figures of a tool's window that could decide an open rule, the easiest to read first."""


def range_words(statistics: Statistics) -> Iterator[tuple[str, int, str]]:
    """Why figures of a match are ranges: the code of the finding, the seat, and the reason."""
    yield from (("open-rule", *finding) for finding in _open_rules(statistics))
    yield from (("dead-cubes", *finding) for finding in _dead_cubes(statistics))


def _open_rules(statistics: Statistics) -> Iterator[tuple[int, str]]:
    """By seat, what is not known of the tool's rules, the PRs that it may give, and the figure of
    its window that decides."""
    undecided, program = open_range(statistics), _program(statistics.rules.name)
    for seat, name in enumerate(statistics.match.names):
        ranges = undecided.figures[seat]
        unknown = [code for code in undecided.by_player[seat] if code in UNKNOWN]
        if not ranges or not unknown:
            continue
        values = {metric: known_values(undecided.possible, seat, metric) for metric in DECIDING}
        shown = METRICS[max(DECIDING, key=lambda metric: len(values[metric]))]
        number = either([shown.shown(value) for value in values[shown.name]])
        amount = f"{shown.title.lower()}: {number}"
        own = own_rules(statistics.match).name == statistics.rules.name
        decides = (
            f"{program}'s window decides it by its {amount}"
            if own
            else f"{program} has no window of this analysis to decide it; {amount}"
        )
        yield seat, f"{_ranged(name, ranges)}: {_unknown(unknown, program)}. {decides}"


def decided_words(statistics: Statistics, answers: Mapping[str, str]) -> str:
    """With which answers figures that a program reported agree, where these are not those of the
    rule set; empty where they are."""
    rules = statistics.scored.rules
    decided = {code: answer for code, answer in answers.items() if rules.answers[code] != answer}
    if not decided:
        return ""
    return (
        f"{_unknown(decided, _program(rules.name))}; the reported figures agree with "
        f"{listed(list(decided.values()))}"
    )


def _unknown(codes: Iterable[str], program: str) -> str:
    """`which no-doubles of the losing side XG counts is not known`."""
    return f"{listed([UNKNOWN[code].format(program) for code in codes])} is not known"


def _program(rules: str) -> str:
    """The program that counts by the rules of this name, as reports print it; else the name."""
    return next(
        (tool.short for tool in TOOLS.values() if tool.rules == rules and tool.counts), rules
    )


def _ranged(name: str, ranges: Mapping[str, Range]) -> str:
    """`PR of Ann is 6.51 to 6.75`: the first figure that is a range."""
    moved = next(iter(ranges))
    low, high = (METRICS[moved].shown(value) for value in ranges[moved])
    return f"{METRICS[moved].title} of {name} is {low} to {high}"


def _dead_cubes(statistics: Statistics) -> Iterator[tuple[int, str]]:
    """By seat, the dead cubes of which the file does not show whether they count, and the figures
    between none of them and all."""
    undecided = open_range(statistics)
    for seat, number in enumerate(dead_cubes_of(statistics.scored)):
        ranges, name = undecided.figures[seat], statistics.match.names[seat]
        if number and ranges:
            where = f"{plural(number, 'turn')} with an owned, dead cube after the Crawford game"
            yield (
                seat,
                f"{_ranged(name, ranges)}: which of {where} {_program(statistics.rules.name)} "
                "counts is not in this file",
            )


def words_of_pool(pooled: Pooled) -> Iterator[tuple[str, str]]:
    """Why figures of many matches are ranges: the code of the finding that one match has, and the
    reason."""
    if not pooled.ranges:
        return
    ranged, program = _ranged(pooled.name, pooled.ranges), _program(pooled.rules)
    unknown = [code for code in pooled.open_rules if code in UNKNOWN]
    if unknown:
        same = "" if pooled.matches == 1 else ", but it is the same in every match"
        yield "open-rule", f"{ranged}: {_unknown(unknown, program)}{same}"
    if len(unknown) < len(pooled.open_rules):
        yield (
            "dead-cubes",
            f"{ranged}: which turns with a dead cube {program} counts is not in these files",
        )
    if not pooled.open_rules:
        yield "printed-digits", f"{ranged}: equities are known as far as they are printed"


def digits_in_words(statistics: Statistics) -> Iterator[tuple[int, str]]:
    """By seat, how far the figures of a file with printed equities are known; nothing for any other
    file."""
    scored = statistics.scored
    match = scored.match
    if not is_printed(match):
        return
    plays, cubes = match.plays, match.cubes
    size = len(plays) + len(cubes)
    wrong = np.concatenate((plays.analysed & plays.moved, scored.error[len(plays) : size] != 0))
    half = np.where(wrong, np.concatenate((plays.half, cubes.half)), 0.0)
    hangs = undecided(scored)
    for seat, name in enumerate(match.names):
        own = scored.player == seat
        bound, lost, rate = float(half[own[:size]].sum()), "equity_error.total", "pr"
        number = statistics.figures(seat)["decisions.counted"]
        words = f"{name}: {METRICS[lost].title.lower()} within {bound:.3f} EMG"
        if number:
            words += (
                f", {METRICS[rate].title} within "
                f"{float(per(METRICS[rate].factor, bound, number)):.2f} at worst"
            )
        rows = np.flatnonzero(hangs & own)
        if len(rows):
            count = "one decision counts" if len(rows) == 1 else f"{len(rows)} decisions count"
            by = "or not by a digit that is not printed"
            words += f"; {count} {by}: {_first_places(match, rows)}"
        yield seat, words


def _places(match: Match, rows: Ints) -> list[str]:
    """Where these decisions are and whose, in words."""
    numbers, seats = match.games.number[match.over_all("game")], match.over_all("player")
    return [
        f"{Turn(int(numbers[row]), int(match.turns[row]))} ({match.names[seats[row]]})"
        for row in rows.tolist()
    ]


def _of_first(match: Match, rows: Ints, words: str) -> str:
    """What is to be said of the first of these decisions, and how many more there are."""
    more = f", and {len(rows) - 1} more" if len(rows) > 1 else ""
    return f"{_places(match, rows[:1])[0]}: {words}{more}"


def _first_places(match: Match, rows: Ints) -> str:
    return "; ".join(summary(_places(match, rows), MOST_NAMED))


Severity = Literal["info", "warning", "error"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
PAGES = Path(__file__).with_name("findings.md")
FINDINGS = read_pages(PAGES)
"""Every page by code, in the order of the file."""


DEEP = 2
"""Plies at which gnuBG is asked to analyse a match that was analysed at none."""
SYNTHETIC = "Synthetic"
"""An event that begins with this word marks a file that was not made by the tool whose format it
has."""
MOST_EQUITY = 6.0
"""From a backgammon lost to a backgammon won, at one cube."""
LEAST_ERROR = -0.02
LEAST_SUM = -0.1
"""EMG. An error below comes from a file, not from rounding."""
UNORDERED = 0.03
"""In four of 15,000 candidates of ten real `.xg` files XG's own chances are out of order by more
than 0.001, at most by 0.0252."""
CUT_AT_LEAST = 5
"""Fewest candidates in a list, and fewest lists of that length, for lists to be considered cut."""
CUT_TIMES = 3
"""Lists are considered cut if the greatest length is this many times as frequent as the next
smaller one."""


NOTES = (
    "not-analysed",
    "transcript-only",
    "transcript-differs",
    "players-by-transcript",
    "incomplete-analysis",
    "few-decisions",
    "capped-rate",
    "open-rule",
    "dead-cubes",
    "shallow-analysis",
    "unfinished-match",
    "file-copied",
    "program-twice",
    "players-swapped",
    "usual-gap",
)
"""What a reader has to know beside the figures, the most important first; outputs print these once,
and not among the others."""


@dataclass(frozen=True, slots=True)
class Finding(Document):
    """A finding about a file or a pair. `reconcile explain CODE` prints its page."""

    code: Annotated[str, within(pattern="^[a-z][a-z0-9-]*$")]
    """The finding's code."""
    severity: Severity
    """How much it matters."""
    title: str
    """What it is, in a few words."""
    evidence: str
    """Where and how much, in this file or pair."""
    advice: str
    """What to do about it."""
    side: Side | None = None
    """The file it is about in a comparison; null for the pair or a single file."""
    player: str | None = None
    """The player it is about; null for both."""

    @property
    def text(self) -> str:
        """The finding as one line of text, with the code for `reconcile explain`."""
        return f"{self.title}: {self.evidence} [{self.code}]"

    def note(self, label: str = "") -> str:
        """The finding as a note; `label` is what the file is called that it is about."""
        note = {"title": word("title", self.code), "evidence": self.evidence}
        return say("note.of-file", **note, label=label) if label else say("note.of-all", **note)


ABOUT_TOLERANCES = frozenset(
    (
        "override-expired",
        "known-gap-expired",
        "known-gap-gone",
        "exception-unused",
        "tolerance-too-wide",
    )
)
"""Findings about a tolerance file, for its owner."""


def new_finding(
    code: str,
    evidence: str = "",
    *,
    side: Side | None = None,
    player: str | None = None,
    severity: Severity | None = None,
) -> Finding:
    """A finding of a known code."""
    page = FINDINGS[code]
    return Finding(
        code=code,
        severity=severity or cast("Severity", page.severity),
        title=page.title,
        evidence=evidence,
        advice=page.advice,
        side=side,
        player=player,
    )


def findings_of(
    statistics: Statistics, side: Side | None = None, beside: Sequence[Match] = ()
) -> tuple[Finding, ...]:
    """All findings about one file and its figures; `beside` are those it is compared with."""
    found_here = (*_of_figures(statistics), *_about_depth(statistics.match, beside))
    return tuple(replace(finding, side=side) for finding in found_here)


@once
def _of_figures(statistics: Statistics) -> tuple[Finding, ...]:
    """Those that no other file changes: notes, tables and documents all show them."""
    return tuple(_about(statistics))


def _about(statistics: Statistics) -> Iterator[Finding]:
    match = statistics.match
    if match.event.startswith(SYNTHETIC):
        yield new_finding("synthetic-file", match.event)
    yield from _about_analysis(statistics)
    yield from _about_candidates(match)
    for note in match.notes:
        yield new_finding(note.code, note.evidence)
    yield from _about_support(statistics)
    yield from _about_results(statistics)
    yield from _about_rates(statistics)
    for code, seat, evidence in range_words(statistics):
        yield new_finding(code, evidence, player=match.names[seat])
    for seat, evidence in digits_in_words(statistics):
        yield new_finding("printed-digits", evidence, player=match.names[seat])
    unweighed = np.isnan(statistics.scored.loss)
    if unweighed.any():
        lost = (
            f"{int(unweighed.sum())} errors at scores that {statistics.scored.met.name} table does "
            "not have"
        )
        yield new_finding("met-incomplete", lost)
    yield from _impossible_values(statistics)
    yield from _negative_errors(statistics)
    yield from _listed(match)
    if match.cube_unit == "mwc":
        yield new_finding("met-assumed", f"{statistics.scored.met.name} is assumed")


def _about_support(statistics: Statistics) -> Iterator[Finding]:
    """Which answers a file supports by its marks or not at all, and plays that cannot be scored."""
    match = statistics.match
    own_marks = has_marks(match) and statistics.rules.known_as == own_rules(match).name
    if own_marks:
        marked = match.cubes.flag[match.cubes.flag >= 0]
        yield new_finding(
            "marks-of-file", f"{int((marked == 0).sum())} of {len(marked)} no-doubles count"
        )
    replaced = [row for row in statistics.scored.replaced if can_matter(row[0], match)]
    for code, wanted, used in () if own_marks else replaced:
        evidence = (
            f"{code} {QUESTIONS[code].title} {used!r} instead of {wanted!r}: a "
            f"{match.source.format} file does not contain what it needs"
        )
        yield new_finding("answer-replaced", evidence)
    for code, validity in (
        ("illegal-play", Validity.ILLEGAL),
        ("unplayed-roll", Validity.UNPLAYED),
    ):
        rows = np.flatnonzero(match.plays.validity == validity)
        if len(rows) and not any(note.code == code for note in match.notes):
            yield new_finding(code, _first_places(match, rows))


def _about_results(statistics: Statistics) -> Iterator[Finding]:
    """A match without its end, one of one point, and what resignations cost."""
    match = statistics.match
    if not match.complete:
        first, second = match.games.score[-1].tolist()
        score = {"score": f"{first}-{second}"}
        where = say("evidence.unfinished", **score)
        if match.length is not None:
            where = say("evidence.unfinished-of", **score, n=match.length)
        yield new_finding("unfinished-match", where)
    if match.length == 1:
        yield new_finding(
            "one-point-match",
            f"PR is multiplied by {statistics.rules.value(Q09):g} under rule set "
            f"{statistics.rules.name}",
        )
    stored = match.resignations.stored_error
    cost = float(stored[stored == stored].sum())
    if cost and statistics.rules.value(Q07) is not Resigning.LEFT_OUT:
        yield new_finding("resignation-errors", f"{cost:.3f} EMG in resignations")


def _impossible_values(statistics: Statistics) -> Iterator[Finding]:
    """Rolls and errors larger than from a lost match to a won one, in money play than from a
    backgammon lost to a backgammon won."""
    match, scored = statistics.match, statistics.scored
    if match.is_money:
        lucks, losses, most = match.plays.luck, scored.error, MOST_EQUITY
    else:
        lucks, losses, most = roll_gains(scored, match.plays.luck), scored.loss, 1.0
    for name, values in (("roll", np.abs(lucks)), ("decision", losses)):
        rows = np.flatnonzero(values > most)
        if len(rows):
            size = float(values[rows[0]])
            amount = f"{size:.2f} equity" if match.is_money else f"{100 * size:.0f}% of the match"
            yield new_finding(
                "impossible-value", _of_first(match, rows, f"the {name} moves {amount}")
            )


def _negative_errors(statistics: Statistics) -> Iterator[Finding]:
    """Decisions, and sums of a class of decisions, that gained by their errors."""
    match, scored = statistics.match, statistics.scored
    rows = np.flatnonzero(scored.counted & (scored.error < LEAST_ERROR))
    if len(rows):
        words = f"the error is {scored.error[rows[0]]:.3f}"
        yield new_finding("negative-error", _of_first(match, rows, words))
    for seat, name in enumerate(match.names):
        for kind in DecisionClass:
            of_class = scored.counted & (scored.player == seat) & (scored.decision_class == kind)
            lost = float(scored.error[of_class].sum())
            if lost < LEAST_SUM:
                sums = f"the errors of {plural(int(of_class.sum()), 'decision')} add up to"
                evidence = f"{kind.name.lower()}: {sums} {lost:.3f}"
                yield new_finding("negative-error", evidence, player=name)


def _listed(match: Match) -> Iterator[Finding]:
    """What lists of candidates cannot be, and the chances of cube decisions: chances outside 0 to
    1, more gammons than games or more backgammons than gammons, a first candidate that is not the
    best of its level."""
    lists = [match.evaluations(row) for row in range(len(match.plays))]
    chances = [chances for listed in lists for _, _, chances in listed if chances]
    of_plays = np.array(chances, np.float64).reshape(-1, 5)
    of_cubes = match.cubes.chances.reshape(-1, 5)
    for noun, values in (("candidate", of_plays), ("chance", of_cubes)):
        win, gammon, backgammon, lose_gammon, lose_backgammon = values.T
        chain = (1 - win, lose_gammon, lose_backgammon, 0 * win), (win, gammon, backgammon, 0 * win)
        wrong = [(np.diff(each, axis=0) > UNORDERED).any(axis=0) for each in chain]
        if number := int(np.count_nonzero(wrong[0] | wrong[1])):
            of = "plays" if noun == "candidate" else "cube decisions"
            yield new_finding("impossible-chances", f"{plural(number, noun)} of {of}")
    valid = (match.plays.validity == Validity.VALID).tolist()
    unordered = sum(map(_is_unordered, compress(lists, valid)))
    if unordered:
        evidence = f"{plural(unordered, 'list')} of which the first candidate is not the best"
        yield new_finding("candidates-disagree", evidence)


def _is_unordered(listed: Sequence[Evaluation]) -> bool:
    if not listed:
        return False
    first, leading, _ = listed[0]
    best = max(equity or 0.0 for equity, level, _ in listed if level == leading)
    return best - (first or 0.0) > -LEAST_ERROR


def _about_rates(statistics: Statistics) -> Iterator[Finding]:
    """On how few decisions a PR rests, and what a cap hides of it."""
    cap = statistics.rules.value(Q13)
    for seat, player in enumerate(statistics.match.names):
        number, rate = statistics.figures(seat)["decisions.counted"], statistics.uncapped_pr(seat)
        if rate is None:
            continue
        if number is not None and number < FEWEST_COUNTED:
            few = say("evidence.few", player=player, n=int(number), enough=FEWEST_COUNTED)
            yield new_finding("few-decisions", few, player=player)
        if cap is not None and rate > cap:
            shown = {"rate": Number(f"{rate:.2f}"), "cap": Number(f"{cap:g}")}
            capped = say("evidence.capped", player=player, **shown)
            yield new_finding("capped-rate", capped, player=player)


def _about_analysis(statistics: Statistics) -> Iterator[Finding]:
    match = statistics.match
    by_seat = [statistics.completeness(seat) for seat in (0, 1)]
    total = {
        part: Coverage(
            sum(covered[part].expected for covered in by_seat),
            sum(covered[part].analysed for covered in by_seat),
        )
        for part in PARTS
    }
    plays, cubes, luck = total.values()
    if not plays.analysed and not cubes.analysed:
        both = {"plays": plays.expected, "cubes": cubes.expected}
        yield new_finding("not-analysed", say("evidence.not-analysed", **both))
        return
    incomplete = []
    for part in ("checker", "cube"):
        if total[part].analysed < total[part].expected:
            covered = zip(match.names, (own[part] for own in by_seat), strict=True)
            each = joined(", ", *(_analysed(name, own) for name, own in covered))
            number = word("lacks", part, **asdict(total[part]))
            incomplete.append(say("evidence.incomplete", number=number, each=each))
    if incomplete:
        yield new_finding("incomplete-analysis", joined("; ", *incomplete))
    if luck.analysed < luck.expected:
        evidence = f"luck is known for {luck.analysed} of {luck.expected} rolls"
        yield new_finding("no-luck", evidence)
    if luck.analysed and (theirs := NOT_THEIRS.get(statistics.rules.known_as)):
        yield new_finding(
            "luck-not-theirs", f"{theirs}; here it is the sum of the rolls that were played"
        )
    if statistics.rules.known_as == GAMMONVIEW.rules and _is_of_bgblitz(match.source):
        yield new_finding("gammonview-bgblitz", "it counts the decisions that BGBlitz marks")
    levels = levels_of(match)
    if len(levels) > 1:
        counts = ", ".join(f"{level.label} {number}" for level, number in levels)
        yield new_finding("mixed-levels", f"checker plays with a choice: {counts}")


def _analysed(player: str, part: Coverage) -> str:
    numbers = {"analysed": part.analysed, "expected": part.expected}
    return say("evidence.incomplete-player", player=player, **numbers)


def _is_of_bgblitz(source: Source) -> bool:
    """Whether BGBlitz evaluated the decisions of a file, its own or one that GammonView made of
    it."""
    return BGBLITZ.name == source.tool or (GAMMONVIEW.name, BGBLITZ.key) == (
        source.tool,
        source.tool_version,
    )


def _about_depth(match: Match, beside: Sequence[Match]) -> Iterator[Finding]:
    levels = levels_of(match)
    plays, flat = (
        sum(number for _, number in levels),
        sum(number for level, number in levels if level.lookahead == 0),
    )
    if 2 * flat > plays:
        words = " and ".join(level.label for level, _ in levels if level.lookahead == 0)
        evidence: str = say("evidence.shallow", flat=flat, plays=plays, levels=words)
        if not any(map(_is_deep, beside)):
            source = next(iter((*beside, match))).source
            name = PurePath((source.transcript or source.path).replace("\\", "/")).name
            command = ["reconcile", "compare", name, "--analyse", str(DEEP)]
            evidence = joined("; ", evidence, f"`{shlex.join(command)}`")
        yield new_finding("shallow-analysis", evidence)


def _is_deep(match: Match) -> bool:
    """Whether gnuBG analysed it at least as deeply as the command for a shallow analysis would."""
    level = main_level(match)
    ahead = None if level is None else level.lookahead
    return match.source.tool == GNUBG.name and (ahead is None or ahead >= DEEP)


def _about_candidates(match: Match) -> Iterator[Finding]:
    if match.source.format == "mat":
        yield new_finding(
            "transcript-only", say("evidence.transcript-only", form=match.source.format)
        )
        return
    plays = match.plays
    lengths = np.bincount(
        plays.legal[plays.analysed & (plays.legal > 0)].astype(np.intp, copy=False), minlength=2
    )
    if (
        has_candidates(match)
        and len(lengths) > CUT_AT_LEAST
        and lengths[-1] >= max(CUT_AT_LEAST, CUT_TIMES * lengths[-2])
    ):
        yield new_finding(
            "cut-candidates",
            f"{lengths[-1]} plays list exactly {len(lengths) - 1} candidates, none more",
        )
    unstored = plays.analysed & (plays.legal > 1) & (plays.stored_error != plays.stored_error)
    if not unstored.any():
        return  # the plays made need not be looked for among the candidates
    rows = np.flatnonzero(unstored & (plays.played != plays.played))
    if len(rows):
        yield new_finding(
            "play-not-listed",
            f"{plural(len(rows), 'play')}: {_first_places(match, rows)}",
        )


def between(left: Statistics, right: Statistics) -> Iterator[Finding]:
    """Findings about differences in how two files were made."""
    mets = left.scored.met.name, right.scored.met.name
    if mets[0] != mets[1]:
        yield new_finding("met-differs", f"left {mets[0]}, right {mets[1]}")
    sources = left.match.source, right.match.source
    tool = sources[0].tool
    if tool != sources[1].tool:
        return
    versions = sources[0].tool_version, sources[1].tool_version
    if None not in versions and versions[0] != versions[1]:
        yield new_finding(
            "tool-versions-differ", f"{tool}: left {versions[0]}, right {versions[1]}"
        )
    levels = [main_level(match) for match in (left.match, right.match)]
    if levels[0] and levels[1] and levels[0].label != levels[1].label:
        yield new_finding(
            "levels-differ",
            f"{tool}, most plays: left {levels[0].label}, right {levels[1].label}",
        )


def levels_of(match: Match) -> list[tuple[Level, int]]:
    """Analysis levels of the plays with a choice and how many plays have each, most frequent
    first."""
    chosen = match.plays.level[(match.plays.level >= 0) & (match.plays.legal > 1)]
    counts = np.bincount(chosen.astype(np.intp, copy=False), minlength=len(match.levels))
    return [
        (match.levels[index], int(counts[index]))
        for index in np.argsort(-counts, kind="stable").tolist()
        if counts[index]
    ]


def main_level(match: Match) -> Level | None:
    """The level at which most plays with a choice were analysed; `None` where none was."""
    return next((level for level, _ in levels_of(match)), None)


def level_text(match: Match) -> str:
    """The analysis levels of a match in its tool's words, most frequent first."""
    return ", ".join(level.label for level, _ in levels_of(match)) or "not analysed"
