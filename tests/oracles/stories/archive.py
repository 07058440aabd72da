"""The sentences of `corpus-report`, held against the tables printed below them and against the decisions of the archive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from tests.oracles.stories.around import UNKNOWN
from tests.oracles.stories.forms import Form, Names, Said, shows, value

PHASES = {
    "the opening": "opening",
    "contact positions": "contact",
    "races": "race",
    "bear-offs": "bear-off",
}
ERRORS = {"eXtreme Gammon": "error_xg", "GNU Backgammon": "error_gnubg", "BGBlitz": "error_bgblitz"}
Z = 1.959963984540054
"""Of an interval of 95 %."""


@dataclass
class Archive:
    """A report: its blocks of lines, the first of which are sentences, and the decisions that every analysis has."""

    text: str
    decisions: Sequence[Mapping[str, Any]] = ()
    """Those with an error: `same_as`, `match`, `tool`, `lookahead`, `game`, `turn`, `kind`, `seat` and the errors."""

    @cached_property
    def blocks(self) -> list[list[str]]:
        """The paragraphs."""
        return [block.splitlines() for block in self.text.strip().split("\n\n")]

    @property
    def sentences(self) -> list[str]:
        """What the archive holds, and what it says."""
        said = self.blocks[1] if len(self.blocks) > 1 and self.blocks[1][0].endswith(".") else []
        return [*self.blocks[0], *said]

    def table(self, beginning: str) -> list[str]:
        """The lines of a block with this heading."""
        return next((block[1:] for block in self.blocks if block[0].startswith(beginning)), [])

    @property
    def names(self) -> Names:
        """Nobody is known by name beforehand."""
        return Names((), ())

    def finish(self) -> Iterable[str]:
        """Nothing is said by all sentences together."""
        return ()

    def largest_dispute(self) -> float:
        """At least this much is at stake in the decision that two tools judge most differently, by the deepest analysis of each."""
        by_match: dict[int, dict[str, dict[int, dict[tuple[Any, ...], float]]]] = {}
        depth: dict[tuple[int, str, int], float] = {}
        for one in self.decisions:
            error = one.get(ERRORS.get(one["tool"], ""))
            if error is None:
                continue
            depth[one["same_as"], one["tool"], one["match"]] = (
                1e9 if one["lookahead"] is None else one["lookahead"]
            )
            places = (
                by_match.setdefault(one["same_as"], {})
                .setdefault(one["tool"], {})
                .setdefault(one["match"], {})
            )
            places[one["game"], one["turn"], _class(one["kind"])] = error
        found = 0.0
        for same_as, tools in by_match.items():
            for left, right in product(tools, repeat=2):
                if left < right:
                    pairs = product(
                        self._deepest(tools[left], depth, same_as, left),
                        self._deepest(tools[right], depth, same_as, right),
                    )
                    found = max(found, min(_furthest(one, two) for one, two in pairs))
        return found

    @staticmethod
    def _deepest(
        matches: dict[int, dict[tuple[Any, ...], float]],
        depth: dict[tuple[int, str, int], float],
        same_as: int,
        tool: str,
    ) -> list[dict[tuple[Any, ...], float]]:
        most = max(depth[same_as, tool, match] for match in matches)
        return [places for match, places in matches.items() if depth[same_as, tool, match] == most]


def _class(kind: str) -> str:
    return {
        "play": "play",
        "take": "response",
        "pass": "response",
        "no-double": "double",
        "double": "double",
    }.get(kind, kind)


def _furthest(one: dict[tuple[Any, ...], float], two: dict[tuple[Any, ...], float]) -> float:
    return max((abs(one[place] - two[place]) for place in one.keys() & two.keys()), default=0.0)


def wilson(hits: int, number: int) -> tuple[float, float]:
    """The interval of 95 % of a share, in percent."""
    share, spread = hits / number, Z * Z / number
    middle, half = (
        share + spread / 2,
        Z * (share * (1 - share) / number + spread / number / 4) ** 0.5,
    )
    return 100 * (middle - half) / (1 + spread), 100 * (middle + half) / (1 + spread)


def _share(said: Said, hits: str, number: str, low: str, high: str) -> Iterator[str]:
    ends = wilson(int(said.number(hits)), int(said.number(number)))
    if not shows(said[low], ends[0]) or not shows(said[high], ends[1]):
        yield f"the interval is {ends}"


def contents(facts: Archive, said: Said) -> Iterator[str]:
    """How much there is: nothing of it is printed a second time, so only what is impossible is found."""
    matches, files = said.number("matches"), said.number("files")
    if matches > files or said.number("players") > 2 * matches:
        yield "there cannot be more matches than files, or more than two players a match"
    listed = [
        int(value(number))
        for line in facts.table("Most decisions")
        for number in re.findall(r"([\d,]+) decisions?\b", line)
    ]
    if said.number("decisions") < sum(listed):
        yield f"the players listed have {sum(listed)} decisions"
    for clause in said.clauses:
        clause["words"]


def tools_differ(facts: Archive, said: Said) -> Iterator[str]:
    """How far two tools are apart, beside the table of gaps."""
    label = f"{said['right']}'s PR minus {said['left']}'s, same transcript"
    line = next((line for block in facts.blocks for line in block if line.startswith(label)), "")
    if said["second"] != said["right"] or said["first"] != said["left"]:
        yield "the tools are not the same in both halves"
    found = re.search(
        r"mean size ([\d.]+)(?: \(([\d.]+) to ([\d.]+)\))?, (.*) \(([\d,]+) player-match", line
    )
    if found is None:
        yield f"no such line: {line!r}"
        return
    quantiles = dict(re.findall(r"(least|most|5 %|25 %|median|75 %|95 %) ([+-][\d.]+)", found[4]))
    ends = ("5 %", "95 %") if said.has("nine") else ("least", "most")
    given = (said["low_2"], said["high_2"]) if said.has("nine") else (said["low"], said["high"])
    if said["mean"] != found[1] or given != tuple(quantiles[end] for end in ends):
        yield f"the table has {line!r}"
    if said.number("number") != value(found[5]) or said.number("matches") > said.number("number"):
        yield f"they are {found[5]}"
    if said.has("mean_low") and (said["mean_low"], said["mean_high"]) != (found[2], found[3]):
        yield f"the interval is {found[2]} to {found[3]}"


def most_disputed(facts: Archive, said: Said) -> Iterator[str]:
    """That no decision is judged more differently than this one."""
    errors = [
        float(clause.number("error")) if clause.has("error") else 0.0 for clause in said.clauses
    ]
    stake, room = max(errors) - min(errors), 0.0011
    said["place"]
    rows = [
        line
        for heading in ("Decisions on which", "Decisions that the tools value")
        for line in facts.table(heading)
    ]
    sizes = [
        float(found[1]) for line in rows if (found := re.match(r"\s+(\d+\.\d{3})  XGID", line))
    ]
    first = rows[0] if rows else ""
    action = re.search(r"  \d+\.\d{3}  \S+  (.*?): ", first)
    if action is None or f"'s {action[1]}" not in said["who"]:
        yield f"the first of the table is {first!r}"
    for clause in said.clauses:
        if (
            clause.has("best")
            and f"{clause['tool']} {clause['error']}, better {clause['best']}" not in first
        ):
            yield f"the first of the table is {first!r}"
    if not sizes or abs(sizes[0] - stake) > room:
        yield f"the first of the table is {sizes[:1]}, the errors are {stake:.3f} apart"
    if sizes and max(sizes) > stake + room:
        yield f"the table has one of {max(sizes)}"
    if facts.largest_dispute() > stake + room:
        yield f"the archive has one of {facts.largest_dispute():.3f}"


def open_prs(facts: Archive, said: Said) -> Iterator[str]:
    """How many PRs are a range."""
    if said.number("some") > said.number("all"):
        yield "more than all"
    said["widest"]
    for clause in said.clauses:
        if clause["why"] not in {known.format(said["tool"]) for known in UNKNOWN.values()}:
            yield "no such rule is open"


def phases(facts: Archive, said: Said) -> Iterator[str]:
    """Where most of the equity was lost."""
    rows = {}
    if said.has("analyses") and not any(said["analyses"] in one for one in facts.sentences[1:3]):
        yield "these are not the analyses of the archive"
    for line in facts.table("Where the errors are made"):
        if found := re.match(
            r"\s+(\S+)  ([\d.]+|-) \((?:([\d.]+) to ([\d.]+); )?([\d,]+) decisions?\), (\d+) % of",
            line,
        ):
            rows[found[1]] = found
    here = rows.get(PHASES[said["phase"]])
    if (
        here is None
        or said["share"] != here[6]
        or (said.has("pr") and (said["pr"], said["decisions"]) != (here[2], here[5]))
    ):
        yield f"the table has {here and here[0]!r}"
        return
    if said.has("low") and (said["low"], said["high"]) != (here[3], here[4]):
        yield f"the interval is {here[3]} to {here[4]}"
    if any(int(one[6]) > int(here[6]) for one in rows.values()):
        yield "another phase has more"


def luckier(facts: Archive, said: Said) -> Iterator[str]:
    """How often the luckier player won."""
    rows = [
        re.search(r"([\d,]+) of ([\d,]+)", line)
        for line in facts.table("How often the luckier player won")
    ]
    won, number = (sum(int(value(row[part])) for row in rows if row) for part in (1, 2))
    if said.number("won") != won or said.number("number") != number:
        yield f"the table has {won} of {number}"
    yield from _share(said, "won", "number", "low", "high")


def better(facts: Archive, said: Said) -> Iterator[str]:
    """How often the player with the lower PR won."""
    if said.number("won") > said.number("number"):
        yield "more than all"
    yield from _share(said, "won", "number", "low", "high")
    if said.has("torn"):
        hits = {"none": 0, "both": 2, "all": int(said.number("torn"))}
        count = said["count"]
        ends = wilson(
            hits[count] if count in hits else int(said.number("count")), int(said.number("torn"))
        )
        if not shows(said["torn_low"], ends[0]) or not shows(said["torn_high"], ends[1]):
            yield f"the interval is {ends}"


def _no_claim(_: Archive, __: Said) -> None:
    """Judged by the sentence around it."""


def mixture(facts: Archive, said: Said) -> Iterator[str]:
    """What is mixed in the rates: a single analysis has no number of matches, several are listed and cannot be more than all matches."""
    several = [
        int(value(number)) for number in re.findall(r"([\d,]+) match(?:es)?\b", said["analyses"])
    ]
    all_matches = int(value(re.match(r"([\d,]+)", facts.sentences[0])[1]))  # type: ignore[index]
    if (len(several) > 1) != (said["what"] == "Analyses are mixed:") or sum(several) > all_matches:
        yield f"{all_matches} matches, {several} of single analyses"
    if said.has("year") and not 1900 < int(said["year"]) < 2100:
        yield "no such year"
    if said.has("last") and said.number("first") >= said.number("last"):
        yield "the years are not in order"


LEFT_OUT = "[[; <left_out:text> left out]]"
ARCHIVE = (
    Form(
        "<matches:count> match<es:es|> in <files:count> file(s), with <players:count> player(s) and <decisions:count> decision(s)"
        "[[; <clauses:rest>]].",
        contents,
        (
            Form("<words:count> match<es:es|> <has:has|have> no analysis", _no_claim),
            Form(
                "<words:count> match<es:es|> left out of the rates, since <whose:text> incomplete",
                _no_claim,
            ),
            Form("<words:count> file(s) without a match", _no_claim),
            Form("<words:count> file(s) could not be read", _no_claim),
        ),
    ),
    Form(
        "<what:All rates are of|Analyses are mixed:> <analyses:text>[[; played in <year:number>]]"
        "[[; played from <first:number> to <last:number>]][[; <twins:count> near twin(s) of other matches left out of the rates]].",
        mixture,
    ),
    Form(
        "<left:text> and <right:text> differ by <mean:number> PR on average[[ (95 % interval <mean_low:number> to <mean_high:number>)]]: "
        "<second:text>'s minus <first:text>'s is [[from <low:any> to <high:any>]]"
        "[[between <low_2:any> and <high_2:any> <nine:for nine of ten>]] "
        "(<number:count> player-match<es:es|> of <matches:count> match<es_2:es|>).",
        tools_differ,
    ),
    Form(
        "The tools disagree most on <who:text> (<place:place>): <clauses:rest>.",
        most_disputed,
        (
            Form(
                "<tool:XG|gnuBG|BGBlitz|blunderDB> says <error:number>[[, better <best:text>]][[, <near:nearly the best>]]",
                _no_claim,
            ),
            Form("<tool:XG|gnuBG|BGBlitz|blunderDB> says no error", _no_claim),
        ),
    ),
    Form(
        "No verdicts of the tools differ; they value most differently <who:text> (<place:place>): <clauses:rest>.",
        most_disputed,
        (Form("<error:number> by <tool:XG|gnuBG|BGBlitz|blunderDB>", _no_claim),),
    ),
    Form(
        "The PR of <some:count> of <all:count> player-match<es:es|> under <tool:text>'s rules is a range, up to <widest:number> wide: "
        "<clauses:text> is not known.",
        open_prs,
        (Form("<why:text>", _no_claim),),
    ),
    Form(
        "<share:count> % of the equity that players lost was lost in <phase:"
        + "|".join(PHASES)
        + ">"
        "[[, with PR <pr:number> in <decisions:count> decision(s)]][[ (<analyses:text>)]].",
        phases,
    ),
    Form(
        "<share:count> % of the equity that players lost was lost in <phase:"
        + "|".join(PHASES)
        + ">"
        ", with PR <pr:number> (<low:number> to <high:number>) in <decisions:count> decision(s)[[ (<analyses:text>)]].",
        phases,
    ),
    Form(
        f"The luckier player won <won:count> of <number:count> match<es:es|> (<low:number> to <high:number> %){LEFT_OUT}.",
        luckier,
    ),
    Form(
        "The player with the lower PR won <won:count> of <number:count> match<es:es|> (<low:number> to <high:number> %)"
        "[[; in the match where the other player was luckier, the luckier one <one:won|lost>]]"
        "[[; in the <torn:count> matches where the other player was luckier, the luckier one won <count:text> "
        f"(<torn_low:number> to <torn_high:number> %)]]{LEFT_OUT}.",
        better,
    ),
)
