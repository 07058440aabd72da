"""A player's matches in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.corpus.career import Career, Careers, Played, Rated
from reconcile.files.wording import listed, plural
from reconcile.report import numbers
from reconcile.report.text.corpus_words import analysed
from reconcile.report.text.statistics import shown
from reconcile.scoring.figures import emg
from reconcile.scoring.grades import rated as grades
from reconcile.scoring.open_words import words_of_pool


def rate(one: Rated) -> str:
    """`5.43 (4.90 to 6.12)`: the pooled PR with its 95 % interval, or the range that an open rule leaves; a dash where it is unknown."""
    if "pr" in one.pooled.ranges:
        return f"{shown('pr', None, one.pooled.ranges['pr'])}, a rule is open"
    value, ends = shown("pr", one.pooled.figures["pr"]), one.pooled.intervals.get("pr")
    return (
        f"{value} ({' to '.join(shown('pr', end) for end in ends)})"
        if ends and one.pooled.figures["pr"] is not None
        else value
    )


def heading(career: Career) -> str:
    """`PR 5.43 in 12 matches`, by the analysis that most matches have; without a rate the number of matches."""
    matches = plural(len(career.played), "match", "matches")
    known = [one for one in career.rated if one.pooled.figures["pr"] is not None]
    if not known:
        return f"{career.name}: {matches}, none of them analysed"
    first = known[0]
    return f"{career.name}: PR {rate(first)} in {plural(first.pooled.matches, 'match', 'matches')} by {analysed(first.analysis)}"


def sentences(career: Career) -> Iterator[str]:
    """What the page begins with, below its heading."""
    for one in career.rated[:1]:
        figures = one.pooled.figures
        parts = [
            f"{name} {shown(metric, figures[metric])}"
            for metric, name in (("checker_pr", "checker plays"), ("cube_pr", "cube decisions"))
        ]
        memg = figures["error_rate_memg"]
        word, scale = grades(one.pooled.rules, figures["pr"], None if memg is None else emg(memg))
        if figures["pr"] is not None:
            grade = f"{word} on {scale}: " if word else ""
            yield f"{grade}{listed(parts)}, over {plural(int(figures['decisions.counted'] or 0), 'decision')}."
        if one.mean is not None and shown("pr", one.mean) != shown("pr", figures["pr"]):
            yield (
                f"This PR is all that was lost over all decisions. The mean of the PRs of {plural(one.whole, 'match', 'matches')} is "
                f"{shown('pr', one.mean)}, as it gives a short match the weight of a long one."
            )
    if len(career.rated) > 1:
        ways = [
            f"{analysed(one.analysis)} {plural(one.pooled.matches, 'match', 'matches')}"
            for one in career.rated
        ]
        yield f"The matches are analysed in {len(ways)} ways, which are never added up: {listed(ways)}."
    yield from (
        f"{analysed(one.analysis)}: {reason}."
        for one in career.rated
        for _, reason in words_of_pool(one.pooled)
    )
    yield from _results(career)


def _results(career: Career) -> Iterator[str]:
    finished = [one for one in career.played if one.won is not None]
    if finished:
        yield f"Won {sum(bool(one.won) for one in finished)} of {plural(len(finished), 'finished match', 'finished matches')}."
    with_luck = [(one, luck) for one in finished if (luck := net_luck(one)) is not None]
    lucky, unlucky = (
        [one.won for one, luck in with_luck if (luck > 0) == side] for side in (True, False)
    )
    if lucky and unlucky:
        yield (
            f"Luckier than the opponent in {plural(len(lucky), 'match', 'matches')} and won {sum(map(bool, lucky))} of them; unluckier in "
            f"{len(unlucky)} and won {sum(map(bool, unlucky))}."
        )


def net_luck(played: Played) -> float | None:
    """The player's luck less the opponent's, EMG, by the first analysis that knows it."""
    found = (
        played.review.figures_of(side, played.seat)["luck.net_equity"]
        for side in range(len(played.review.analyses))
    )
    return next((luck for luck in found if luck is not None), None)


def course_note(career: Career) -> str:
    """Where the kinds of analysis change from match to match, as that looks like progress; empty where they do not."""
    if len({frozenset(one.analyses) for one in career.played if one.analyses}) < 2:
        return ""
    return "Not every match has the same kinds of analysis. A line ends where one is missing, as a deeper look is no progress."


def index_heading(found: Careers) -> str:
    """`3 players in 12 matches`."""
    return f"{plural(len(found.players), 'player')} in {plural(found.matches, 'match', 'matches')}"


def points(value: float | None) -> str:
    """Luck in points of a normalised game, with its sign."""
    return numbers.signed(value, 2)
