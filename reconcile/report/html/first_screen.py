"""The first screen of a match's page: the answer, a decision with its board, the list, the curve, and what the numbers mean."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Final, NamedTuple

import numpy as np

from reconcile.files.wording import plural
from reconcile.gap.aligned import SIZE
from reconcile.gap.analysis_rows import BLUNDER, at_least
from reconcile.gap.comparison import Comparison
from reconcile.gap.review import Review
from reconcile.gap.rows import Rows
from reconcile.match.columns import Kind
from reconcile.report.html.board import SIDES
from reconcile.report.html.browser import NOTES, as_json
from reconcile.report.html.curve import chart
from reconcile.report.html.decision_list import Seen
from reconcile.report.html.masthead import masthead
from reconcile.report.words import file_name
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.figures import emg
from reconcile.scoring.findings import TOO_FEW, level_text, levels_of
from reconcile.scoring.grades import rated
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.pool import match_intervals
from reconcile.scoring.statistics import Statistics, lacking

PLIES: Final = 0.79
"""How far a PR at 0 plies of gnuBG is from that at its 4 plies, in the median (the study of plies)."""
MOST_ROWS: Final = 8
"""Rows about a player, unless more of them are decisions."""
Pieces = list[tuple[str, str]]
"""A sentence, each piece with the address that it leads to, if any."""


def linked(before: str, words: str, place: str, after: str = ".") -> Pieces:
    """A sentence with words that lead to a place of the page."""
    return [(before, ""), (words, place), (after, "")]


LUCK: Final = linked("Luck, and the result without it: among the ", "figures", "figures")


def first_line(page: str) -> str:
    """The first sentence of a page of a figure or a question."""
    return page.strip().partition("\n\n")[0].partition(". ")[0].rstrip(".") + "."


def glossary() -> list[tuple[str, str]]:
    """Words of the page, each in a sentence."""
    return [
        ("PR", first_line(METRICS["pr"].page)),
        (
            "EMG",
            "Equity in units of the cube at stake: 1 is what a single game is worth at the present cube, without the score.",
        ),
        (
            "MWC",
            "The chance of winning the match, in per cent; what a decision loses of it depends on the score.",
        ),
        ("close", first_line(QUESTIONS["Q02"].page.partition("\n\n")[2])),
        ("dead cube", first_line(QUESTIONS["Q16"].page.partition("\n\n")[2])),
        ("optional double", first_line(QUESTIONS["Q04"].page.partition("\n\n")[2])),
        (
            "Crawford",
            "The game after a player first needs a single point: nobody may double in it.",
        ),
        (
            "error, blunder",
            f"Here a loss of {SIZE:.3f} EMG or more, and of {BLUNDER:.3f} or more, for all analyses alike.",
        ),
    ]


def first_screen(
    seen: Seen,
    rows: Sequence[Rows],
    notes: Sequence[str],
    facts: Iterable[str | Pieces],
    expert: str,
    sections: Mapping[str, str],
) -> dict[str, object]:
    """What the template is given of it; `expert` is the template of the expert part, `sections` what is in that."""
    styles = [style for style, _ in zip(cycle(SIDES), seen.labels, strict=False)]
    every = len(seen.items)
    cut = f"The page has the first {len(seen.kept)} of {every} decisions; with more it would open slowly."
    top = masthead(seen)
    said = [
        [(one, "")] if isinstance(one, str) else one
        for one in [*facts, *top.pop("other_facts"), *[cut] * (len(seen.kept) < every)]
    ]
    values = {
        **top,
        "title": f"{seen.match.names[0]} – {seen.match.names[1]}: {', '.join(seen.labels)}",
        "match": seen.match,
        "names": seen.match.names,
        "labels": seen.labels,
        "styles": styles,
        "heads": list(zip(styles, seen.labels, strict=True)),
        "answer": [_answer(seen, one) for one in rows],
        "notes": notes,
        "facts": said,
        "glossary": glossary(),
        "verdict": None,
        "is_alarm": False,
        "synthetic": "",
        "card": None,
        "counts": [],
        "analyse": "",
        "expert": expert,
        "sections": sections.items(),
        "contents": ", ".join(sections.values()),
    }
    if not len(seen.kept):
        return values
    item, counts, steps = int(seen.kept[seen.start]), *_counts(seen)
    data = seen.data() | {
        "said": NOTES,
        "size": round(1000 * SIZE),
        "steps": steps,
        "marks": np.flatnonzero(seen.wrong.any(axis=0)).tolist(),
    }
    analysed = bool((seen.error == seen.error).any())
    return values | {
        "card": seen.card(seen.start),
        "shown": {
            "index": seen.start,
            "game": int(seen.items.game[item]),
            "turn": int(seen.items.turn[item]),
            "kind": Kind(int(seen.items.kind[item])).label,
            "player": seen.match.names[int(seen.items.player[item])],
            "says": [
                one.says for one in seen.filters if one.says and seen.groups[one.name][seen.start]
            ],
        },
        "filters": seen.filters,
        "choices": list(_choices(seen)),
        "border": f"{SIZE:.3f}",
        "blunder": f"{BLUNDER:.3f}",
        "rows": [seen.row(index) for index in seen.order[: seen.errors]],
        "chart": chart(seen, styles),
        "counts": counts if analysed else [],
        "analyse": ""
        if analysed
        else shlex.join(
            ["reconcile", "compare", file_name(seen.match.source.path), "--analyse", "2"]
        ),
        "data": as_json(data),
    }


class Answer(NamedTuple):
    """The rows about a player: what each begins with, its words with the address that they lead to, and what there is to say of it."""

    headline: str
    lines: list[tuple[str, str, str, str]]
    folded: list[tuple[str, str, str, str]]
    """The smallest that are no decisions, where there are many."""


def _answer(seen: Seen, rows: Rows) -> Answer:
    lines = [
        (one.lead, one.words, seen.key_at(*one.place) if one.place else "", one.detail)
        for one in rows.lines
    ]
    over = max(len(lines) - MOST_ROWS, 0)
    others = [index for index, one in enumerate(rows.lines[:-1]) if one.place is None]
    folded = set(others[len(others) - over :] if over else [])
    return Answer(
        rows.headline,
        [line for index, line in enumerate(lines) if index not in folded],
        [line for index, line in enumerate(lines) if index in folded],
    )


def _choices(seen: Seen) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """The filters that are lists to choose from: name, what it is, and values with their words and counts."""
    order, items = seen.order, seen.items
    item = seen.kept[order]
    player, game, play = items.player[item], items.game[item], items.kind[item] == Kind.PLAY.value
    names = [
        (str(seat), f"{seen.match.names[seat]} ({int((player == seat).sum())})")
        for seat in seen.seats
    ]
    yield "player", "Player", [("", "both players"), *names]
    yield (
        "kind",
        "Checker or cube",
        [
            ("", "all kinds"),
            ("checker", f"checker ({int(play.sum())})"),
            ("cube", f"cube ({int((~play).sum())})"),
        ],
    )
    games = [
        (str(one), f"game {one} ({int((game == one).sum())})") for one in sorted(set(game.tolist()))
    ]
    yield "game", "Game", [("", "all games"), *games]
    worst = seen.worst[order]
    sizes = [
        (str(round(1000 * border)), f"{border:.3f} or more ({int(at_least(worst, border).sum())})")
        for border in (SIZE, 0.05, BLUNDER)
    ]
    yield "size", "Size", [("", "any size"), *sizes]


Button = tuple[str, int | None]


def _counts(seen: Seen) -> tuple[list[tuple[str, list[list[Button]]]], list[list[int]]]:
    """By player and analysis how many errors and blunders there are, each with the number of its list, and these lists."""
    counts: list[tuple[str, list[list[Button]]]] = []
    steps: list[list[int]] = []
    player = seen.items.player[seen.kept]
    for seat in seen.seats:
        cells = []
        for side in range(len(seen.labels)):
            known = (seen.error[side] == seen.error[side]) & (player == seat)
            cell: list[Button] = [] if known.any() else [("not known", None)]
            for noun, border in (("error", SIZE), ("blunder", BLUNDER)) if known.any() else ():
                found = np.flatnonzero(at_least(seen.error[side], border) & (player == seat))
                cell.append((plural(len(found), noun), len(steps) if len(found) else None))
                if len(found):
                    steps.append(
                        found[np.lexsort((found, -np.round(seen.error[side, found], 9)))].tolist()
                    )
            cells.append(cell)
        counts.append((seen.match.names[seat], cells))
    return counts, steps


def _figures(label: str, statistics: Statistics, seat: int, name: str) -> Iterator[str]:
    """What a PR is worth: its class, its interval, on how few decisions it rests, and the luck beside it."""
    figures, metric = statistics.figures(seat), METRICS["pr"]
    pr, counted = figures["pr"], figures["decisions.counted"]
    if pr is None:
        return
    if lacking(statistics.completeness(seat)) or (counted or 0) < TOO_FEW:
        return  # a note says so
    ends = match_intervals(statistics, seat).get("pr")
    between = (
        f"; {metric.shown(ends[0])} to {metric.shown(ends[1])} is the 95 % interval, from resampling the games"
        if ends
        else ""
    )
    memg = figures["error_rate_memg"]
    word, scale = rated(statistics.rules.known_as, pr, None if memg is None else emg(memg))
    said = f", {word} on {scale}" if word else ""
    yield f"{name} by {label}: PR {metric.shown(pr)} on {plural(int(counted or 0), 'decision')}{said}{between}."


def _file(label: str, statistics: Statistics) -> Iterator[str]:
    """What the analysis and the match are worth: depth, mixed depths, an end that is missing."""
    levels = levels_of(statistics.match)
    if levels:
        mixed = ": it used more than one depth" if len(levels) > 1 else ""
        shallow = [level for level, _ in levels[:1] if level.lookahead == 0]
        off = f" A 0-ply PR is typically {PLIES} away from a 4-ply one." if shallow else ""
        yield f"{label} analysed at {level_text(statistics.match)}{mixed}.{off}"


def review_facts(many: Review) -> Iterator[str]:
    """What the numbers of a review mean."""
    for seat in many.seats:
        for side, statistics in enumerate(many.analyses):
            yield from _figures(
                many.labels[side], statistics, many.seat(side, seat), many.names[seat]
            )
    yield from _common(many.labels, many.analyses)


def pair_facts(comparison: Comparison) -> Iterator[str]:
    """What the numbers of two analyses mean."""
    labels, names = comparison.labels, comparison.statistics[0].match.names
    sides = comparison.statistics[: 1 if comparison.totals_alone else 2]
    for seat in comparison.walk.seats:
        for side, statistics in enumerate(sides):
            yield from _figures(
                labels[side], statistics, (seat, comparison.pairing.seats[seat])[side], names[seat]
            )
    yield from _common(labels, sides)


def _common(labels: Sequence[str], sides: Sequence[Statistics]) -> Iterator[str]:
    """What holds for the match: the analyses and their depths, and that it was left."""
    for label, statistics in zip(labels, sides, strict=False):
        yield from _file(label, statistics)
    depths = [level for statistics in sides for level, _ in levels_of(statistics.match)[:1]]
    if depths and all(level.lookahead != 0 for level in depths):
        yield f"Is that deep enough? A 0-ply PR is typically {PLIES} away from a 4-ply one; deeper ones are closer."
