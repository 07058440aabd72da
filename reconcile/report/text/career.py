"""A player's matches in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from reconcile.corpus.career import Career, Careers, Played, Rated
from reconcile.report import numbers
from reconcile.report.text.statistics import analysed, shown
from reconcile.scoring.grades import rated as grades
from reconcile.scoring.open_words import words_of_pool
from reconcile.wording import listed, plural


def rate(rated: Rated) -> str:
    """`5.43 (4.90 to 6.12)`: the pooled PR with its 95 % interval, or the range that an open rule
    leaves; a dash where it is unknown."""
    if "pr" in rated.pooled.ranges:
        return f"{shown('pr', None, rated.pooled.ranges['pr'])}, a rule is open"
    value, ends = shown("pr", rated.pooled.figures["pr"]), rated.pooled.intervals.get("pr")
    return (
        f"{value} ({' to '.join(shown('pr', end) for end in ends)})"
        if ends and rated.pooled.figures["pr"] is not None
        else value
    )


def heading(career: Career) -> str:
    """`PR 5.43 in 12 matches`, by the analysis that most matches have; without a rate the number of
    matches."""
    matches = plural(len(career.played), "match", "matches")
    rates = [rated for rated in career.rated if rated.pooled.figures["pr"] is not None]
    if not rates:
        return f"{career.name}: {matches}, none of them analysed"
    first = rates[0]
    number = plural(first.pooled.matches, "match", "matches")
    return f"{career.name}: PR {rate(first)} in {number} by {analysed(first.analysis)}"


def sentences(career: Career) -> Iterator[str]:
    """What the page begins with, below its heading."""
    for rated in career.rated[:1]:
        figures = rated.pooled.figures
        parts = [
            f"{name} {shown(metric, figures[metric])}"
            for metric, name in (("checker_pr", "checker plays"), ("cube_pr", "cube decisions"))
        ]
        word, scale = grades(rated.pooled.rules, figures)
        if figures["pr"] is not None:
            grade = f"{word} on {scale}: " if word else ""
            number = plural(int(figures["decisions.counted"] or 0), "decision")
            yield f"{grade}{listed(parts)}, over {number}."
        if rated.mean is not None and shown("pr", rated.mean) != shown("pr", figures["pr"]):
            number = plural(rated.rated_matches, "match", "matches")
            yield (
                "This PR is all that was lost over all decisions. "
                f"The mean of the PRs of {number} is {shown('pr', rated.mean)}, "
                "as it gives a short match the weight of a long one."
            )
    if len(career.rated) > 1:
        ways = [
            f"{analysed(rated.analysis)} {plural(rated.pooled.matches, 'match', 'matches')}"
            for rated in career.rated
        ]
        many = f"in {len(ways)} ways, which are never added up"
        yield f"The matches are analysed {many}: {listed(ways)}."
    yield from (
        f"{analysed(rated.analysis)}: {reason}."
        for rated in career.rated
        for _, reason in words_of_pool(rated.pooled)
    )
    yield from _results(career)


def _results(career: Career) -> Iterator[str]:
    finished = [match for match in career.played if match.won is not None]
    if finished:
        number = plural(len(finished), "finished match", "finished matches")
        yield f"Won {sum(bool(match.won) for match in finished)} of {number}."
    with_luck = [(match, luck) for match in finished if (luck := net_luck(match)) is not None]
    lucky, unlucky = (
        [match.won for match, luck in with_luck if (luck > 0) == side] for side in (True, False)
    )
    if lucky and unlucky:
        number = plural(len(lucky), "match", "matches")
        yield (
            f"Luckier than the opponent in {number} and won {sum(map(bool, lucky))} of them; "
            f"unluckier in {len(unlucky)} and won {sum(map(bool, unlucky))}."
        )


def net_luck(played: Played) -> float | None:
    """The player's luck less the opponent's, EMG, by the first analysis that knows it."""
    lucks = (
        played.review.figures_of(side, played.seat)["luck.net_equity"]
        for side in range(len(played.review.analyses))
    )
    return next((luck for luck in lucks if luck is not None), None)


def course_note(career: Career) -> str:
    """Where the kinds of analysis change from match to match, as that looks like progress; empty
    where they do not."""
    if len({frozenset(match.analyses) for match in career.played if match.analyses}) < 2:
        return ""
    return (
        "Not every match has the same kinds of analysis. A line ends where an analysis "
        "is missing; a deeper analysis is not progress."
    )


def index_heading(careers: Careers) -> str:
    """`3 players in 12 matches`."""
    return (
        f"{plural(len(careers.players), 'player')} in {plural(careers.matches, 'match', 'matches')}"
    )


def points(value: float | None) -> str:
    """Luck in points of a normalised game, with its sign."""
    return numbers.signed(value, 2)
