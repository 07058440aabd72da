"""The questions whose answer is a value: what is done with a decision or a rate, without looking at
positions and equities."""

from __future__ import annotations

from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.rules.catalogue import Effect, Question, Status

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
