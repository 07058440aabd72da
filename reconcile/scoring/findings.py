"""What a user would be told to check, checked for him: findings about one file or about a pair.

Every finding has a code with a page (`reconcile explain CODE`), a severity, the evidence and an advice. The pages stand in
`FINDINGS`; the functions below decide which of them hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from reconcile.columns import Validity
from reconcile.match import Match
from reconcile.rules.catalogue import has_candidates, has_marks
from reconcile.rules.rulesets import QUESTIONS, own_rules
from reconcile.scoring.statistics import Statistics
from reconcile.tools import OWN_RULES

SYNTHETIC: Final = "Synthetic"
"""An event that begins so says that a file was not made by the tool whose format it has."""
SEVERITIES: Final = ("info", "warning", "error")
CUT_AT_LEAST: Final = 5
"""Fewest candidates, and fewest lists that long, that show a list to be cut."""
CUT_TIMES: Final = 3
"""How many times more lists have the greatest length than the next smaller one where lists are cut."""


@dataclass(frozen=True, slots=True)
class FindingPage:
    """What a finding means, whenever it is made."""

    code: str
    severity: str
    title: str
    page: str
    advice: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found in a file or a pair of files."""

    code: str
    severity: str
    title: str
    evidence: str
    advice: str
    side: str | None = None
    """`left` or `right` in a comparison; `None` for the pair or a single file."""
    player: str | None = None

    @property
    def told(self) -> str:
        """What was found, and the code that `reconcile explain` takes: a line of text."""
        return f"{self.title}: {self.evidence} [{self.code}]"


_PAGES: Final = (
    FindingPage(
        "analysed-here",
        "info",
        "The analysis was made for this comparison",
        "One side is no file of its own: gnuBG, of the version and at the depth that are told, analysed the other side's transcript. "
        "Settings are gnuBG's own: move filter normal, luck at 0 plies, match equity table Kazaross-XG2.",
        "Keep the file with `reconcile analyse`, if you want to look at it in gnuBG.",
    ),
    FindingPage(
        "engine-changed",
        "warning",
        "The engine did not judge the match as it was played",
        "A play against the dice is replayed, but no list of legal plays holds it, so gnuBG takes it for a move without error. Where a "
        "turn or a result reads otherwise after gnuBG, its figures are about another game from there on.",
        "Correct the transcript in the tool that recorded the match.",
    ),
    FindingPage(
        "not-analysed",
        "error",
        "The match is not analysed",
        "The file holds the moves but no evaluation of any of them, so there is nothing to rate. An unanalysed match has no PR; "
        "a PR of 0 would be the best possible one.",
        "Analyse the match in the tool that wrote it, save it and read it again.",
    ),
    FindingPage(
        "incomplete-analysis",
        "warning",
        "The analysis is incomplete",
        "Some decisions carry no evaluation. Figures are computed on what is analysed, shown with their counts and not judged. A match "
        "that was played against a bot and saved without `analyse match` looks so: the cube is evaluated only where the bot thought of it.",
        "Run the complete analysis (gnuBG: Analyse match; XG: Analyze match) and save the file again.",
    ),
    FindingPage(
        "no-luck",
        "info",
        "Luck is not computed",
        "The analysis was made with luck switched off, or the file holds no finite value of it. Luck and luck-adjusted results are "
        "unknown, not 0.",
        "Switch the analysis of luck on, if you want these figures.",
    ),
    FindingPage(
        "mixed-levels",
        "info",
        "Decisions were analysed at different levels",
        "The tool looked deeper at some decisions than at others. Two analyses at different levels disagree more; the digits of two tools "
        "do not compare either: gnuBG's 2-ply looks as far ahead as XG's 3-ply.",
        "Compare analyses made at one level where the gap matters.",
    ),
    FindingPage(
        "unfinished-match",
        "info",
        "The match is not finished",
        "Nobody has reached the match length in this file. Figures cover what was played.",
        "None, unless you expected the whole match: then look for the missing games.",
    ),
    FindingPage(
        "illegal-play",
        "warning",
        "The transcript holds an illegal play",
        "A play is not possible with its dice, or cannot be made on the board at all: it starts where the player has no checker, or ends "
        "on a point that the opponent has made. XG scores no such play, gnuBG replays it as far as it goes without judging it. Every "
        "tool may follow a different game from there on, and figures of later plays may differ for no other reason.",
        "Correct the transcript in the tool that recorded the match.",
    ),
    FindingPage(
        "unplayed-roll",
        "info",
        "A roll was not played",
        "The dice were thrown and the game ended, usually by resignation, before the play. It is no decision. Exports often drop it.",
        "None.",
    ),
    FindingPage(
        "answer-replaced",
        "warning",
        "A rule could not be applied to this file",
        "The rule set needs something that this format does not hold, so the nearest rule stands in and counts may differ by a few "
        "decisions.",
        "Score the file under its own tool's rules, or use the tool's own file.",
    ),
    FindingPage(
        "file-version",
        "warning",
        "The file version is not one we have verified",
        "Fields are read where the verified versions have them; a newer version may have moved or changed some.",
        "Compare a few figures with the tool's own window, and send the file if they differ.",
    ),
    FindingPage(
        "games-missing",
        "warning",
        "Games are missing",
        "The numbers of the games show that the file does not hold all of them. Figures cover the games that are there.",
        "Save the whole match, not single games.",
    ),
    FindingPage(
        "damaged-value",
        "warning",
        "A node of the transcript could not be read",
        "gnuBG passes such nodes over, and so do we; the game may differ from what was played.",
        "Save the match again in the tool that wrote it.",
    ),
    FindingPage(
        "marks-of-file",
        "info",
        "The file's own marks say what counts",
        "blunderDB's database keeps what every decision cost and whether it counts, and not the equities behind that. Under its own rules "
        "the marks stand for the questions that would need the equities (Q02, Q03): they are what the program itself answered.",
        "None.",
    ),
    FindingPage(
        "migrated-database",
        "info",
        "The database was migrated from an older schema",
        "An earlier release of blunderDB made this database and a later one brought it up to date when it was opened. What the older "
        "schema did not keep is not there: luck before 2.15, and an error for each match where two of them share a position before 2.39, "
        "unless blunderDB could work it out again from its stored analysis.",
        "Keep a copy of the database from before a migration. Where figures of an old match differ, import the match again from its file.",
    ),
    FindingPage(
        "migration-unfinished",
        "warning",
        "The migration of the database has not run to its end",
        "From schema 2.39 on every move has the error of its own decision. Some moves of this match have none although their position "
        "has one from before. Their error is unknown here; blunderDB leaves such decisions out of its statistics.",
        "Open the database in blunderDB and let it finish, or run `blunderdb repair`; then read it again.",
    ),
    FindingPage(
        "shared-positions",
        "warning",
        "Decisions share one stored error with others",
        "blunderDB stores a position once for all matches. Before schema 2.39 the error belongs to the position, so where another play was "
        "made in the same position, in this match or another, both carry the error of the first. A database of many matches has this in "
        "every common opening.",
        "Open the database in blunderDB 2.39 or later, which scores every move by itself, and read it again.",
    ),
    FindingPage(
        "spelling-counts",
        "warning",
        "No-doubles count because of their spelling",
        "blunderDB counts a cube action unless it is spelt `No Double` or `NoDouble`, or close. Importers have written `No double`, "
        "`No Redouble` and others, too (codes 17, 24, 32, 40, 41), which therefore count as decisions however far from a double they are.",
        "Import the match again from its file with a current blunderDB.",
    ),
    FindingPage(
        "cube-rows-missing",
        "warning",
        "Cube decisions have no row in the database",
        "blunderDB writes no row for a no-double that has no analysis, and its import of gnuBG files none for any no-double or answer to a "
        "double. They were made, so the analysis is incomplete; blunderDB's own figures do not know of them.",
        "Compare the file that was imported, not the database, or the figures of the checker plays alone.",
    ),
    FindingPage(
        "log-not-read",
        "warning",
        "A write-ahead log beside the database was not read",
        "blunderDB is running, or did not end properly: its last changes stand in the file that ends in `-wal`. A database is read here "
        "without touching anything, so what is in the log is not seen.",
        "Close blunderDB and read the database again.",
    ),
    FindingPage(
        "synthetic-file",
        "warning",
        "The file is not from the tool whose format it has",
        "The file says so itself in its event. It serves to show or test something; its figures are not those of the tool.",
        "Do not take its figures for the tool's.",
    ),
    FindingPage(
        "one-point-match",
        "info",
        "A one-point match",
        "There is no cube and no gammon counts. XG is said to multiply the PR of such matches by 1.5 (question Q09).",
        "Compare PR with other one-point matches only.",
    ),
    FindingPage(
        "resignation-errors",
        "info",
        "Resignation errors count in one rule set",
        "XG adds what a wrong resignation or acceptance cost to the equity lost, without a decision (question Q07); gnuBG does not.",
        "None; the amount is given.",
    ),
    FindingPage(
        "met-assumed",
        "info",
        "The match equity table is assumed",
        "Neither an .xg nor an SGF names the table it was analysed with. gnuBG keeps match winning chances in the file, so another "
        "table than the one used in the analysis changes equities, too.",
        "If the match was analysed with another table, name it with --met.",
    ),
    FindingPage(
        "players-swapped",
        "info",
        "The files list the players in different order",
        "Players are matched by name, never by seat.",
        "None.",
    ),
    FindingPage(
        "players-by-transcript",
        "warning",
        "Players were matched by their moves",
        "The names in the two files do not match, but the same dice were rolled by the same hands.",
        "Check that it is the same match.",
    ),
    FindingPage(
        "transcript-differs",
        "warning",
        "The files tell different games",
        "A roll, a play or a cube action is not the same on both sides. Decisions are paired again after the difference; those without a "
        "partner add to the gap.",
        "Correct the transcript on one side, or import one file from the other.",
    ),
    FindingPage(
        "transcript-only",
        "info",
        "The format holds moves only",
        "A transcript (.mat, .txt) tells the rolls, the plays and the cube and has no room for evaluations. Scores, names and plays can be "
        "compared; no error can.",
        "Analyse the transcript in XG or gnuBG and compare the file that the tool saves.",
    ),
    FindingPage(
        "cut-candidates",
        "info",
        "The lists of candidates are cut",
        "Many lists end at the same length, so the tool kept its best plays and dropped the others. A rule that asks how many legal plays "
        "there are, or how far their equities spread, sees only what was kept; the error of a dropped play is known only if the "
        "tool stored it.",
        "None; where a count differs by a few decisions, this may be why.",
    ),
    FindingPage(
        "play-not-listed",
        "warning",
        "Plays that were made have no evaluation",
        "The tool evaluated the roll, but no candidate leads to the position after the play, and the file stores no error for it. Its "
        "error is unknown and enters the sums as 0.",
        "Analyse the match again with the play kept in the list, or correct the transcript if it shows an impossible play.",
    ),
    FindingPage(
        "met-differs",
        "warning",
        "The two sides use different match equity tables",
        "A table turns equity into match winning chance and back. With two of them the same mistake costs another share of the match, and "
        "where a file keeps winning chances its equities change as well. The bridge shows this as a step of its own (question Q11).",
        "Use one table for both sides with --met, unless the files were analysed with these two.",
    ),
    FindingPage(
        "tool-versions-differ",
        "info",
        "Two versions of one tool",
        "Nets, rules of counting and defaults change between versions, so the same settings need not give the same numbers.",
        "Analyse both files with one version where the gap matters.",
    ),
    FindingPage(
        "levels-differ",
        "info",
        "One tool at two analysis levels",
        "Both files come from the same tool, which looked deeper in one of them. The gap then tells what the deeper look changed.",
        "Analyse both at one level if you want to compare anything else than the levels.",
    ),
    FindingPage(
        "candidate-own-rules",
        "info",
        "A candidate's totals are those of the reference's rules",
        "A candidate gave figures alone. Counting the reference file's decisions by the rules of its own tool gives the same figures, "
        "within their printed digits.",
        "None.",
    ),
    FindingPage(
        "candidate-rules",
        "info",
        "A candidate's totals are those of another rule set",
        "A candidate gave figures alone. Counting the reference file's decisions by these rules, and not by those of its own tool, gives "
        "the candidate's figures within their printed digits: the gap is made of counting, not of analysis. The bridge shows which.",
        "Decide whether the program under test means to count so; if it does, name the rule set under candidates in the manifest.",
    ),
    FindingPage(
        "candidate-unexplained",
        "warning",
        "No known rules give a candidate's totals",
        "A candidate gave figures alone, and no rule set, nor any of its neighbours that were tried, gives all of them from the reference "
        "file's analysis. Then the candidate rests on another analysis, or its arithmetic differs.",
        "Give the program's decisions (its database, or the file it read) as a candidate, so that every decision is compared.",
    ),
    FindingPage(
        "candidate-unjudged",
        "info",
        "Figures of a candidate have no tolerance",
        "The table that judges the candidate has no entry for these figures. They are shown with their gaps and judged by nobody.",
        "Choose another table with --candidate-table, or add the figures to the table.",
    ),
    FindingPage(
        "candidate-best-differs",
        "warning",
        "The best action of a position has another equity",
        "A position copied from a program was found in the reference match, with another equity of the best play or cube action than "
        "there. It was analysed at another level, with another match equity table, or by another version.",
        "Analyse the position in both at one level.",
    ),
    FindingPage(
        "nothing-gated",
        "warning",
        "No figure has a tolerance",
        "The table of tolerances names no figure that both sides have.",
        "Choose another table with --table, or add the figure to it.",
    ),
    FindingPage(
        "override-expired",
        "warning",
        "An override has run out",
        "The file of tolerances gives one match or player another bound, up to a day that has passed. The table's own bound holds again, "
        "so that an exception made in a hurry does not stay for ever.",
        "Remove the override, or look at the figure again and give a new day with a reason.",
    ),
    FindingPage(
        "known-gap-expired",
        "warning",
        "A known gap has run out",
        "The file of tolerances expects a gap, up to a day that has passed. The gap is no longer taken off before a figure is judged.",
        "Close the gap, or look at it again and give a new day with a reason.",
    ),
    FindingPage(
        "known-gap-gone",
        "warning",
        "A known gap is gone",
        "The file of tolerances expects a gap, but the figure agrees without it. It is judged as if nothing were expected, so that a "
        "repaired program does not fail for being right.",
        "Remove the known gap, so that it cannot hide the next one.",
    ),
    FindingPage(
        "exception-unused",
        "warning",
        "An override or a known gap is about nothing that was judged",
        "It names a match, a player or a table that this pack does not judge, so it changes nothing. A misspelt name looks like that.",
        "Correct the name, or remove the entry.",
    ),
    FindingPage(
        "tolerance-too-wide",
        "warning",
        "A tolerance is far wider than anything measured",
        "At least ten figures were judged by it, and it allows more than ten times the widest gap among them, or than half the last digit "
        "in which they were printed. Such a bound cannot notice when something goes wrong. For the table `documented` this is for "
        "information, since its bounds are published and not ours to tighten.",
        "`reconcile measure` prints what was measured; choose a bound from it, with some room, and say why.",
    ),
    FindingPage(
        "answers-missing",
        "warning",
        "The engine did not answer every question",
        "To some positions of a benchmark file it named no play. What such a choice loses is unknown: the lines are counted and left out "
        "of the averages. An engine that skips the hard positions looks better than it is.",
        "See what the program prints for these positions; every question needs a line 'b KEY D1 D2 ANSWER'.",
    ),
    FindingPage(
        "answers-illegal",
        "warning",
        "The engine named plays that are not legal",
        "The position it named cannot come from the roll. Usually the key is seen by the wrong player: after the play the opponent is on "
        "roll, so the sides change places. The lines are counted and left out of the averages.",
        "Give the key of the position after the play with the opponent on roll, or the play itself, such as 8/4 6/4.",
    ),
    FindingPage(
        "choices-not-listed",
        "info",
        "Some choices were not rolled out",
        "A benchmark file lists the best few plays of a roll. A legal play outside the list is charged the last listed loss, which is too "
        "little, so the average flatters an engine that is often outside.",
        "Compare engines by their number of choices outside the list as well as by the average.",
    ),
    FindingPage(
        "flat-lines",
        "info",
        "Most lines of a benchmark file cannot tell engines apart",
        "In more than half of the lines every listed play was rolled out to the same five probabilities, as in a game that is won whatever "
        "is played. No listed choice loses anything there, which makes the average over all lines small.",
        "Look at the average over interesting lines, or make a file of closer positions.",
    ),
    FindingPage(
        "rollouts-missing",
        "info",
        "Lines of a benchmark file lack rollouts of listed plays",
        "Whether a line is interesting is told by the #R lines before it. Without them it is taken for interesting, as perr.py does.",
        "None, unless you need the average over interesting lines: then use the file as it was made.",
    ),
    FindingPage(
        "lists-unordered",
        "warning",
        "Losses in a benchmark file do not ascend",
        "A choice outside the list is charged the last listed loss, which should be the largest. In some lines it is not.",
        "Find out how the file was changed, or make it again.",
    ),
    FindingPage(
        "lines-without-plays",
        "info",
        "Lines of a benchmark file list no plays",
        "An m line without plays is a command for the program that makes such files, or a roll that cannot be played. It is not scored.",
        "If all lines are so, roll them out first.",
    ),
    FindingPage(
        "other-positions",
        "info",
        "The file is none of the published databases",
        "A published score holds for one database of positions. Elsewhere the average depends on how hard the positions are, so published "
        "figures beside it are for orientation only.",
        "Compare engines on the same file; the published databases are told by their numbers of lines.",
    ),
)
ABOUT_TOLERANCES: Final = frozenset(("override-expired", "known-gap-expired", "known-gap-gone", "exception-unused", "tolerance-too-wide"))
"""Findings about a file of tolerances: what its owner has to look at."""
FINDINGS: Final[Mapping[str, FindingPage]] = MappingProxyType({page.code: page for page in _PAGES})


def found(code: str, evidence: str, *, side: str | None = None, player: str | None = None, severity: str | None = None) -> Finding:
    """A finding of a known code."""
    page = FINDINGS[code]
    return Finding(code, severity or page.severity, page.title, evidence, page.advice, side, player)


def findings_of(statistics: Statistics, side: str | None = None) -> tuple[Finding, ...]:
    """Everything worth telling about one file and its figures."""
    return tuple(_about(statistics, side))


def _about(statistics: Statistics, side: str | None) -> Iterator[Finding]:
    match = statistics.match
    if match.event.startswith(SYNTHETIC):
        yield found("synthetic-file", match.event, side=side)
    yield from _about_analysis(statistics, side)
    yield from _about_candidates(match, side)
    for note in match.notes:
        yield found(note.code, note.evidence, side=side)
    own_marks = has_marks(match) and statistics.rules.name == own_rules(match).name
    if own_marks:
        marked = match.cubes.flag[match.cubes.flag >= 0]
        yield found("marks-of-file", f"{int((marked == 0).sum())} of {len(marked)} no-doubles count", side=side)
    for code, wanted, used in () if own_marks else statistics.scored.replaced:
        evidence = (
            f"{code} {QUESTIONS[code].title} {used!r} instead of {wanted!r}: a {match.source.format} file does not hold what it needs"
        )
        yield found("answer-replaced", evidence, side=side)
    for code, validity in (("illegal-play", Validity.ILLEGAL), ("unplayed-roll", Validity.UNPLAYED)):
        rows = np.flatnonzero(match.plays.validity == validity)
        if len(rows) and not any(note.code == code for note in match.notes):
            yield found(code, _places(match, rows), side=side)
    if not match.complete:
        yield found("unfinished-match", _state(match), side=side)
    if match.length == 1:
        yield found(
            "one-point-match", f"PR is multiplied by {statistics.rules.value('Q09'):g} under rule set {statistics.rules.name}", side=side
        )
    stored = match.resignations.stored_error
    cost = float(stored[stored == stored].sum())
    if cost and statistics.rules.value("Q07"):
        yield found("resignation-errors", f"{cost:.3f} EMG in resignations", side=side)
    if match.cube_unit == "mwc":
        yield found("met-assumed", f"{statistics.scored.met.name} is assumed", side=side)


def _about_analysis(statistics: Statistics, side: str | None) -> Iterator[Finding]:
    match = statistics.match
    by_seat = [statistics.completeness(seat) for seat in (0, 1)]
    total = {part: (sum(c[part].analysed for c in by_seat), sum(c[part].expected for c in by_seat)) for part in by_seat[0]}
    if not total["checker"][0] and not total["cube"][0]:
        plays, cubes = total["checker"][1], total["cube"][1]
        yield found("not-analysed", f"0 of {plays} checker plays and 0 of {cubes} cube decisions are analysed", side=side)
        return
    words = {"checker": "checker plays", "cube": "cube decisions"}
    for part, noun in words.items():
        analysed, expected = total[part]
        if analysed < expected:
            each = ", ".join(f"{match.players[seat]} {by_seat[seat][part].analysed} of {by_seat[seat][part].expected}" for seat in (0, 1))
            yield found("incomplete-analysis", f"{analysed} of {expected} {noun} are analysed ({each})", side=side)
    analysed, expected = total["luck"]
    if analysed < expected:
        yield found("no-luck", f"luck is known for {analysed} of {expected} rolls", side=side)
    levels = _levels(match)
    if len(levels) > 1:
        counts = ", ".join(f"{label} {number}" for label, number in levels)
        yield found("mixed-levels", f"checker plays with a choice: {counts}", side=side)


def _about_candidates(match: Match, side: str | None) -> Iterator[Finding]:
    if match.source.tool not in OWN_RULES:
        yield found("transcript-only", f"a {match.source.format} file has no evaluations", side=side)
        return
    plays = match.plays
    lengths = np.bincount(plays.legal[plays.analysed & (plays.legal > 0)], minlength=2)
    if has_candidates(match) and len(lengths) > CUT_AT_LEAST and lengths[-1] >= max(CUT_AT_LEAST, CUT_TIMES * lengths[-2]):
        yield found("cut-candidates", f"{lengths[-1]} plays list exactly {len(lengths) - 1} candidates, none lists more", side=side)
    unknown = plays.analysed & (plays.legal > 1) & (plays.played != plays.played) & (plays.stored_error != plays.stored_error)
    if unknown.any():
        rows = np.flatnonzero(unknown)
        yield found("play-not-listed", f"{len(rows)} {'play' if len(rows) == 1 else 'plays'}: {_places(match, rows)}", side=side)


def between(left: Statistics, right: Statistics) -> Iterator[Finding]:
    """Findings about how two files came to be, beyond what each says of itself."""
    mets = left.scored.met.name, right.scored.met.name
    if mets[0] != mets[1]:
        yield found("met-differs", f"left {mets[0]}, right {mets[1]}")
    one, two = left.match, right.match
    if one.source.tool != two.source.tool:
        return
    versions = one.source.tool_version, two.source.tool_version
    if None not in versions and versions[0] != versions[1]:
        yield found("tool-versions-differ", f"{one.source.tool}: left {versions[0]}, right {versions[1]}")
    levels = [[label for label, _ in _levels(match)][:1] for match in (one, two)]
    if all(levels) and levels[0] != levels[1]:
        yield found("levels-differ", f"{one.source.tool}, most plays: left {levels[0][0]}, right {levels[1][0]}")


def _places(match: Match, rows: np.ndarray) -> str:
    places = [
        f"game {match.games.number[match.plays.game[row]]} turn {match.plays.turn[row]} ({match.players[match.plays.player[row]]})"
        for row in rows[:3].tolist()
    ]
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    return f"{', '.join(places)}{more}"


def _state(match: Match) -> str:
    first, second = match.games.score[-1].tolist()
    return f"the last game starts at {first}-{second}" + ("" if match.length is None else f" of {match.length} points")


def _levels(match: Match) -> list[tuple[str, int]]:
    """Analysis levels of the plays with a choice and how many plays have each, most frequent first."""
    chosen = match.plays.level[(match.plays.level >= 0) & (match.plays.legal > 1)]
    counts = np.bincount(chosen, minlength=len(match.levels))
    return [(match.levels[index].label, int(counts[index])) for index in np.argsort(-counts, kind="stable").tolist() if counts[index]]


def level_text(match: Match) -> str:
    """The analysis levels of a match in its tool's words, most frequent first."""
    return ", ".join(label for label, _ in _levels(match)) or "not analysed"
