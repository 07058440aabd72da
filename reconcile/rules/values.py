"""The questions whose answer is a value: what is done with a decision, an error or a rate, without
looking at positions and equities."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.match.tools import BGBLITZ, BGSAGE, GAMMONVIEW
from reconcile.rules.catalogue import Effect, Question, Status, has_candidates

Q05: Question[bool] = Question(
    "Q05",
    """What about a decision that the tool did not analyse?

Some decisions have no value. The match was saved before its analysis was complete, or a bot
evaluated the cube only when it considered doubling. All known programs leave such decisions out of
the rate. blunderDB's published text can be read as counting them without error. Then a
half-analysed match would look well played.
""",
)

Q05.constant(
    "left-out",
    False,
    page="""Leave it out of errors and decisions; it is still a move in the denominator of Snowie's
    rate.""",
)
Q05.constant(
    "counts-with-zero-error",
    True,
    page="Count it as a decision without error.",
    status=Status.INFERRED,
    source='a reading of blunderDB\'s first statistics page ("counted as zero error"), which its '
    "releases do not follow",
)

Q06: Question[ErrorSize] = Question(
    "Q06",
    """How large is an error?

XG stores the error of every decision, and differences below 0.0001 as 0. A program that has only
the candidates subtracts the play made from the best one. It must know which candidate is the best.
In both XG and gnuBG it is the first in the list, which was searched deepest. A candidate searched
less deeply may show a higher equity. Taking the maximum instead turns 0.070 into 0.190 for one
player of a reference match.
""",
)


class ErrorSize(Enum):
    """Where the size of an error is taken from."""

    STORED = "stored"
    FIRST_CANDIDATE = "candidate-0"
    FIRST_IF_COUNTED = "counted-plays"
    HIGHEST_CANDIDATE = "max-candidate"
    MILLIPOINT = "millipoint"
    TEN_THOUSANDTH = "ten-thousandth"


ROUNDED = {ErrorSize.MILLIPOINT: 3, ErrorSize.TEN_THOUSANDTH: 4}
"""Decimals of an error that is rounded before it is added up."""

Q06.constant(
    "stored",
    ErrorSize.STORED,
    page="""The error that the tool stored in the file; if a file stores none (any SGF), the first
    candidate minus the play made.""",
)
Q06.constant(
    "candidate-0",
    ErrorSize.FIRST_CANDIDATE,
    page="""Equity of the first candidate minus equity of the play made, which is found by its
    resulting position. A play that no candidate leads to has no error. A lower candidate with a
    higher equity makes an error negative.""",
    applies=has_candidates,
    fallback="stored",
)
Q06.constant(
    "counted-plays",
    ErrorSize.FIRST_IF_COUNTED,
    page="""As `candidate-0`, but a play that does not count as a decision (Q01) has no error,
    however small it is.""",
    applies=has_candidates,
    fallback="stored",
)
Q06.constant(
    "max-candidate",
    ErrorSize.HIGHEST_CANDIDATE,
    page="Highest equity among the candidates of any analysis level, minus that of the play made.",
    status=Status.INFERRED,
    source="a frequent mistake of readers; blunderDB's 2.150 for the 2.147 of XG in one reference "
    "match",
    applies=has_candidates,
    fallback="stored",
)
Q06.constant(
    "millipoint",
    ErrorSize.MILLIPOINT,
    page="""The stored error (or the first candidate's), rounded to the thousandth, as a database of
    whole millipoints keeps it.""",
)
Q06.constant(
    "ten-thousandth",
    ErrorSize.TEN_THOUSANDTH,
    page="""The first candidate's error, rounded to the ten-thousandth before it is added up; that
    of a turn without a double comes from equities that are rounded themselves. A cube error below
    0.001 and the error of a play that is illegal, or whose candidates spread over less than 0.0001,
    are none, since GammonView adds up only decisions that it counts.""",
    applies=has_candidates,
    fallback="stored",
)


class Resigning(Enum):
    """What becomes of a resignation, or of its acceptance, whose error is known."""

    LEFT_OUT = "left out"
    CHARGED = "its error adds to the total"
    COUNTED = "its error adds to the total, and it is a decision"


def _judged_by_gammonview(match: Match) -> bool:
    """Whether the errors of resignations, if there are any, are GammonView's own, that is those of
    its engine."""
    tool, engine = match.source.tool, match.source.tool_version or ""
    return tool == BGSAGE.name or (tool == GAMMONVIEW.name and BGSAGE.key in engine)


def _matters(match: Match) -> bool:
    stored = match.resignations.stored_error
    return bool((stored > 0).any()) or (
        _judged_by_gammonview(match) and bool(np.count_nonzero(stored == stored))
    )


Q07: Question[Resigning] = Question(
    "Q07",
    """Do resignation errors add to the total?

It is an error to resign a game that could still be saved, or a single game when the gammon was
lost. It is also an error to accept too little. XG evaluates both sides. According to BackgammonDB's
manual, XG's "include resign errors" mode adds these errors to the equity lost and adds no decision.
So it may be a setting of XG. This is not verified, because every value in the available files is 0.
XG's statistics summary has no row for them: its total is that of plays, doubles and takes.

GammonView charges the error. It counts one decision for the player who resigned and one for the
player who accepted. It does so only in matches that it analysed itself, with the engine Open Sage,
and that are saved as an OGXM document (`.gva`, `.gvab`). It does not count a resignation that
another program judged, in an `.xg` or in a document.
""",
    matters=_matters,
)

Q07.constant(
    "yes-without-decision",
    Resigning.CHARGED,
    page="The errors of resigning and accepting add to the total, not to the number of decisions.",
)
Q07.constant("no", Resigning.LEFT_OUT, page="Resignations are not counted in any statistic.")
Q07.constant(
    "yes-with-decision",
    Resigning.COUNTED,
    page="""The errors of resigning and accepting add to the total, and each is a decision of its
    own, of no other class, whether it was an error or not. Only those that GammonView judged with
    its own engine; the errors that other programs store are left out.""",
    applies=_judged_by_gammonview,
    fallback="no",
)


Q08: Question[str] = Question(
    "Q08",
    """Which factor and denominator make the rate?

The same errors and decisions give a rate in gnuBG that is twice the rate in XG: XG multiplies the
equity lost per decision by 500, gnuBG by 1000 (milli-EMG). Snowie divides by the moves of both
players, forced ones included. Its rate needs no rule about which decisions count. The factor 500
does not convert equity to millipoints, as is sometimes written. It is XG's convention, chosen so
that PR comes near the rate that players knew from Snowie. Snowie divides by about twice as many
moves, and 1000 / 2 is 500. (Ian Shaw on bgonline.org, post 53424, 23 November 2009, when PR was
introduced: "an effective conversion to Snowie mppm error rate".) Half of a Snowie rate is on no
program's scale except blunderDB's. gnuBG's manual says that its rate is 1.4 times Snowie's. One of
gnuBG's authors found "closer to a factor of 2" (bug-gnubg, 10 November 2007).
""",
    Effect.NAMES,
)

Q08.constant(
    "500/counted",
    "pr",
    page="500 times the equity lost per counted decision: XG's Performance Rating (PR).",
)
Q08.constant(
    "1000/counted",
    "error_rate_memg",
    page="1000 times the equity lost per counted decision: gnuBG's error rate in milli-EMG.",
)
Q08.constant(
    "snowie",
    "snowie_memg",
    page="""1000 times the equity lost per move of both players, including forced moves and dances:
    Snowie's error rate as gnuBG prints it.""",
)

Q09: Question[float] = Question(
    "Q09",
    """Is the rate of a one-point match scaled?

In a one-point match errors are smaller, because there is no cube and no gammon. According to
BackgammonDB, XG multiplies the PR of such a match by 1.5 to keep ratings comparable. No one-point
match with XG's own figures is available.
""",
    Effect.RATE,
    matters=lambda match: match.length == 1,
)

Q09.constant("x1.5", 1.5, page="The rate of a one-point match is multiplied by 1.5.")
Q09.constant("x1", 1.0, page="One-point matches are rated like any other.")

Q10: Question[int] = Question(
    "Q10",
    """At which cube is a take or pass converted to match winning chance?

An error in answering a double can be weighed at the cube before the double or at the doubled cube.
At the cube before the double, the equities of no double, double/take and double/pass are
comparable. Both XG and gnuBG use that cube.
""",
)

Q10.constant("before-double", 0, page="At the cube before the double.")
Q10.constant(
    "after-double",
    1,
    page="At the doubled cube.",
    status=Status.ASSUMED,
    source="a frequent reading of the formula; no known program does this",
)

Q11: Question[str | None] = Question(
    "Q11",
    """Which match equity table converts equity to match winning chance?

No `.xg` or SGF file names its table. XG's figures match after rounding only with Kazaross-XG2.
gnuBG uses the selected table, by default Kazaross-XG2. Score a match that was analysed with another
table with that table (`--met NAME`). Otherwise both its equities and its MWC are wrong.

A `.bgf` shows BGBlitz's own table. Every evaluation has an equity and the chance of winning the
match behind it. So the table follows at every score that the game could lead to. At any other score
it is unknown. An error made there has no known cost in MWC, and a sum with such an error is shown
as unknown. No other table is used in its place.
""",
    Effect.TABLE,
)


def _shows_its_table(match: Match) -> bool:
    return match.is_money or match.known_chances is not None


Q11.constant(
    "Kazaross-XG2",
    "Kazaross-XG2",
    page="""The table of XG 2 and gnuBG's default. `--met` selects any other table of gnuBG, or a
    file in its format.""",
)
Q11.constant(
    "file",
    None,
    page="""The tool's own table, as far as the file shows it. It is unknown at every other score. A
    file without a table is weighed with Kazaross-XG2.""",
    applies=_shows_its_table,
    fallback="Kazaross-XG2",
)

Q12: Question[Thresholds] = Question(
    "Q12",
    """How large must an error be to be doubtful, an error, a blunder?

Each program has its own words and its own borders (EMG). They grade decisions in lists and make the
figures `errors`, `blunders` and `doubtful`. Every grade includes the worse ones. No rate depends on
them.
""",
    Effect.NAMES,
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Grades of errors by size (EMG); an error at the border or above has the grade."""

    doubtful: float | None
    error: float
    blunder: float
    howler: float | None = None
    exclusive: bool = False
    """Whether an error at the border does not have the grade."""
    words: tuple[str, str, str] = ("errors", "blunders", "doubtful")
    """The program's words for what reaches the border of an error, of a blunder, and of a doubtful
    decision."""


GNUBG_WORDS = ("bad or very bad", "very bad", "doubtful or worse")
BGBLITZ_WORDS = ("errors", "blunders", "questionable or worse")

Q12.constant(
    "xg",
    Thresholds(None, 0.020, 0.080),
    page="""An error from 0.020, a blunder from 0.080. XG's own counts of a match put the first
    border above 0.0178 and at most at 0.0217, the second above 0.0730 and at most at 0.0813;
    whether an error exactly at a border has the grade is not known.""",
)
Q12.constant(
    "gnubg",
    Thresholds(0.03, 0.06, 0.12, exclusive=True, words=GNUBG_WORDS),
    page="Doubtful above 0.03, bad above 0.06, very bad above 0.12.",
)
Q12.constant(
    "gnubg-manual",
    Thresholds(0.04, 0.08, 0.16, exclusive=True, words=GNUBG_WORDS),
    page="""Doubtful above 0.04, bad above 0.08, very bad above 0.16: gnuBG's defaults until 24
    February 2019, which its manual still states.""",
)
Q12.constant(
    "bgblitz",
    Thresholds(0.005, 0.020, 0.050, 0.120, words=BGBLITZ_WORDS),
    page="""Questionable from 0.005, an error from 0.020, a blunder from 0.050, a large blunder from
    0.120.""",
)
Q12.constant(
    "blunderdb", Thresholds(None, 0.050, 0.100), page="An error from 0.050, a blunder from 0.100."
)
Q12.constant(
    "backgammondb",
    Thresholds(None, 0.020, 0.080, howler=0.250),
    page="An error from 0.020, a blunder from 0.080, a howler from 0.250.",
)
Q12.constant(
    "bgdb",
    Thresholds(0.04, 0.08, 0.16, words=("errors", "blunders", "inaccuracies or worse")),
    page="An inaccuracy from 0.04, an error from 0.08, a blunder from 0.16.",
)


Q13: Question[float | None] = Question(
    "Q13",
    """Is PR capped on display?

According to BackgammonDB's manual, XG's window shows a PR above 100 as 100.00. We have not seen
such a match. The formula has no cap. blunderDB, BackgammonDB and GammonView show the result of the
formula. What BGBlitz shows is not known.
""",
    Effect.RATE,
)

Q13.constant("100", 100.0, page="A PR above 100 is shown as 100.")
Q13.constant("none", None, page="No cap.")


def _has_beavers(match: Match) -> bool:
    cubes = match.cubes
    return bool((cubes.answers_beaver | (cubes.access != cubes.recount_access)).any())


Q14: Question[bool] = Question(
    "Q14",
    """Who owns the cube after a beaver, and does answering a beaver count?

This matters only in money play. When gnuBG recounts a saved session, its replay assumes that the
player who beavered is on roll. It counts the doubler's acceptance of the beaver as an ordinary take
and scores it with the analysis of the double. Afterwards it treats the doubler as the owner of the
cube. Missed doubles of the real owner then count as if that player had no access. Its `analyse
match` does not have this fault, so a fresh analysis and a reloaded file can differ.
""",
    matters=_has_beavers,
)

Q14.constant(
    "as-played",
    False,
    page="The player who beavered owns the cube; the response to a beaver is not a take.",
)
Q14.constant(
    "gnubg-recount",
    True,
    page="""As gnuBG recounts a saved session: the response to a beaver counts as a take, and the
    doubler is treated as the owner.""",
)

Q15: Question[bool] = Question(
    "Q15",
    """Does a double, take or pass that was right count?

Every program counts a cube action that was wrong. Most also count one that was right, because the
player made a decision. BGBlitz does not. Its denominator has no right doubles, takes or passes, so
its rate is higher for a player who handles the cube well.
""",
    matters=lambda match: bool((match.cubes.kind > Kind.NO_DOUBLE).any()),
)

Q15.constant("yes", False, page="Every double, take and pass counts.")
Q15.constant(
    "only-errors",
    True,
    page="A double, take or pass counts only if another action was better, by however little.",
)


Q16: Question[bool] = Question(
    "Q16",
    """Does a no-double count where the cube is dead?

The cube is dead for a player who wins the match with its present value: doubling can win nothing
more. XG and gnuBG have no decision there. BGBlitz evaluates some dead cubes: after the Crawford
game, those of a leader who owns the cube. It counts such a turn as a no-double without error if the
play of the same roll counts. A long game at a dead cube then enlarges its denominator and lowers
its rate.
""",
)

Q16.constant("no", False, page="A dead cube is no decision.")
Q16.constant(
    "with-the-play",
    True,
    page="""A turn with a dead cube, owned or in the middle, is a right no-double if the play of its
    roll counts; not on the first roll and not in the Crawford game. A cube that the file evaluates
    although it is dead (BGBlitz does so after the Crawford game for a leader who owns it) is
    counted by its values instead. In a file of another program these cubes have no values: they
    count with the play, and figures are shown as a range, from none of them to all.""",
)


def shows_what_counts(match: Match) -> bool:
    """Whether the file has the values by which BGBlitz counts some dead cubes; only its own files
    do."""
    return match.source.tool == BGBLITZ.name
