"""The questions whose answer is a value: what is done with a decision or a rate, without looking at positions and equities."""

from __future__ import annotations

from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.rules.catalogue import Effect, Question
from reconcile.rules.evidence import Status

Q05: Question[bool] = Question(
    "Q05",
    """What about a decision that the tool did not analyse?

A match saved before its analysis was complete, or by a bot that evaluated the cube only when it considered doubling,
has decisions without a value. All known programs leave them out of the rate; blunderDB's published text can be read as
counting them without error, which would make a half-analysed match look well played.
""",
)

Q05.constant("left-out", False, page="Leave it out of errors and decisions; it is still a move in the denominator of Snowie's rate.")
Q05.constant(
    "counts-with-zero-error",
    True,
    page="Count it as a decision without error.",
    status=Status.INFERRED,
    source='a reading of blunderDB\'s first statistics page ("counted as zero error"), which its releases do not follow',
)

Q08: Question[str] = Question(
    "Q08",
    """Which factor and denominator make the rate?

The same errors and decisions give a rate in gnuBG that is twice the rate in XG: XG multiplies the equity lost per decision by 500, gnuBG
by 1000 (milli-EMG). Snowie divides by the moves of both players, including forced ones, so its rate needs no rule about which decisions
count. The factor 500 does not convert equity to millipoints, as is sometimes written; it is XG's convention, chosen so that PR comes near
the rate that players knew from Snowie: Snowie divides by the moves of both players, about twice as many, and 1000 / 2 is 500 (Ian Shaw on
bgonline.org, post 53424, 23 November 2009, when PR was introduced: "an effective conversion to Snowie mppm error rate"). Halving a Snowie
rate once more gives a number on no program's scale but blunderDB's. gnuBG's manual says that its rate is 1.4 times Snowie's; one of
gnuBG's authors found "closer to a factor of 2" (bug-gnubg, 10 November 2007).
""",
    Effect.NAMES,
)

Q08.constant("500/counted", "pr", page="500 times the equity lost per counted decision: XG's Performance Rating (PR).")
Q08.constant("1000/counted", "error_rate_memg", page="1000 times the equity lost per counted decision: gnuBG's error rate in milli-EMG.")
Q08.constant(
    "snowie",
    "snowie_memg",
    page="1000 times the equity lost per move of both players, including forced moves and dances: Snowie's error rate as gnuBG prints it.",
)

Q09: Question[float] = Question(
    "Q09",
    """Is the rate of a one-point match scaled?

In a one-point match errors are smaller, since there is no cube and no gammon. According to BackgammonDB, XG multiplies the
PR of such a match by 1.5 to keep ratings comparable. No one-point match with XG's own figures is available.
""",
    Effect.RATE,
    matters=lambda match: match.length == 1,
)

Q09.constant("x1.5", 1.5, page="The rate of a one-point match is multiplied by 1.5.")
Q09.constant("x1", 1.0, page="One-point matches are rated like any other.")

Q10: Question[int] = Question(
    "Q10",
    """At which cube is a take or pass converted to match winning chance?

An error in answering a double can be weighed at the cube before the double or at the cube it would become. At the cube
before the double, the equities of no double, double/take and double/pass are comparable; both XG and gnuBG use it.
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

Neither an `.xg` nor an SGF names its table. XG's figures match after rounding only with Kazaross-XG2; gnuBG uses the selected
table, Kazaross-XG2 by default. A match analysed with another table must be scored with that table (`--met NAME`),
or both its equities and its MWC are wrong.

A `.bgf` shows BGBlitz's own table: every evaluation has an equity and the chance of winning the match that it was made of,
so the table follows at every score that the game played could lead to. At any other score it is unknown: an error made there
has no known cost in MWC, and a sum with such an error is shown as unknown, never with the numbers of another table.
""",
    Effect.TABLE,
)


def _shows_its_table(match: Match) -> bool:
    return match.is_money or match.known_chances is not None


Q11.constant(
    "Kazaross-XG2",
    "Kazaross-XG2",
    page="The table of XG 2 and gnuBG's default. `--met` selects any other table of gnuBG, or a file in its format.",
)
Q11.constant(
    "file",
    None,
    page="The tool's own table, as far as the file shows it; unknown at every other score. A file that shows none is weighed with "
    "Kazaross-XG2.",
    applies=_shows_its_table,
    fallback="Kazaross-XG2",
)

Q13: Question[float | None] = Question(
    "Q13",
    """Is PR capped on display?

XG's window is said to show a PR above 100 as 100.00 (BackgammonDB's manual); no such match has been seen here. The formula has no cap.
blunderDB, BackgammonDB and GammonView show the result of the formula; of BGBlitz it is not known.
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

This matters only in money play. When gnuBG recounts a saved session, its replay assumes that the player who beavered is
on roll. So it counts the doubler's acceptance of the beaver as an ordinary take, scored with the analysis of the
double, and afterwards treats the doubler as the owner of the cube: missed doubles of the real owner then count as if
that player had no access. Its `analyse match` does not have this fault, so a fresh analysis and a reloaded file can differ.
""",
    matters=_has_beavers,
)

Q14.constant("as-played", False, page="The player who beavered owns the cube; the response to a beaver is not a take.")
Q14.constant(
    "gnubg-recount",
    True,
    page="As gnuBG recounts a saved session: the response to a beaver counts as a take, and the doubler is treated as the owner.",
)

Q15: Question[bool] = Question(
    "Q15",
    """Does a double, take or pass that was right count?

Every program counts a cube action that was wrong. Most count one that was right as well: somebody thought about it. BGBlitz does
not, so its denominator has no right doubles, takes or passes, and its rate is higher for a player who handles the cube well.
""",
    matters=lambda match: bool((match.cubes.kind > Kind.NO_DOUBLE).any()),
)

Q15.constant("yes", False, page="Every double, take and pass counts.")
Q15.constant("only-errors", True, page="A double, take or pass counts only if another action was better, by however little.")
