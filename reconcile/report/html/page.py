"""The pages of a match with one analysis, two or several, by two sets of rules where figures were
investigated, and of a folder of matches; and the first screen of a match: the answer, a decision
with its board, the list, the curve, and what the numbers mean."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any, Literal, NamedTuple

import numpy as np

from reconcile.gap.aligned import SIZE
from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.folders import FolderResult
from reconcile.gap.review import Review, review, review_notes, review_rows
from reconcile.gap.rows import Rows, place_of
from reconcile.gap.verdict import UNGATED
from reconcile.infer.investigation import Explanation, Investigation
from reconcile.language import LANGUAGES, Number, Said, joined, say, word
from reconcile.match.board.position import PHASES
from reconcile.match.columns import Bools, Kind
from reconcile.match.match import Match
from reconcile.match.tools import GNUBG, short_name
from reconcile.report.blocks import Block, Blocks, Command, Folded, Verdict
from reconcile.report.html.decision_list import (
    Lead,
    MatchDecisions,
    comparison_decisions,
    review_decisions,
)
from reconcile.report.html.look import content, page, render
from reconcile.report.text.comparison import (
    evidence_blocks,
    files_table,
    folder_blocks,
    many_evidence,
    page_names,
)
from reconcile.report.text.investigation import (
    answer,
    investigation_evidence,
    mark_of,
    turning_rows,
    users,
)
from reconcile.report.text.statistics import statistics_evidence
from reconcile.report.words import Verdict as Judgement
from reconcile.report.words import explained, file_name, verdict_of
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.figures import METRICS, short_metric
from reconcile.scoring.findings import SYNTHETIC, level_text, levels_of
from reconcile.scoring.grades import BLUNDER, FEWEST_COUNTED, at_least, rated, worst_first
from reconcile.scoring.pool import match_intervals
from reconcile.scoring.statistics import Statistics, lacking

SCRIPTS = (
    *("words", "page", "notation", "board", "curve", "review", "send"),
    *("keep", "looks", "sheet", "practice"),
)


def match_page(
    decisions: MatchDecisions,
    analyses: Sequence[Statistics],
    rows: Sequence[Rows],
    notes: Sequence[str],
    expert: Iterable[Block],
    tongue: str,
    **own: Any,
) -> str:
    """The first screen of a match, and below it what is behind its rows, in a language."""
    screen = first_screen(decisions, analyses, rows, notes)
    shared = {"expert": content(expert), "scripts": SCRIPTS, "synthetic": synthetic(decisions)}
    return render("review.html.j2", tongue, **screen | shared | own)


def synthetic(decisions: MatchDecisions) -> str:
    """What the files say of themselves where they were made up."""
    events = dict.fromkeys(scored.match.event for scored in decisions.scored)
    return " ".join(event for event in events if event.startswith(SYNTHETIC))


def comparison_page(
    comparison: Comparison,
    tongue: str = LANGUAGES[0],
    *,
    judged: bool = True,
) -> str:
    """The report of a comparison as one HTML file, in a language; without `judged` the gaps are
    explained and no tolerance applies."""
    if not judged:
        figures = tuple(
            replace(figure, tolerance=None, level=None, verdict=UNGATED)
            for figure in comparison.figures
        )
        comparison = replace(comparison, figures=figures, shares=())
    verdict = verdict_of(comparison) if judged else explained(comparison)
    gaps = explanations(comparison)
    moving = sorted((row for gap in gaps for row in gap.rows), key=lambda row: -abs(row.change))
    places = [row.place for row in moving if row.place]
    decisions = comparison_decisions(comparison, places)
    return match_page(
        decisions,
        comparison.statistics,
        [gap.shown() for gap in gaps],
        notes(comparison),
        _expert(comparison, None if comparison.is_alarm else verdict),
        tongue,
        verdict=verdict,
        is_alarm=comparison.is_alarm,
    )


def _expert(comparison: Comparison, verdict: Judgement | None) -> Blocks:
    if verdict:
        yield Verdict(verdict.label, verdict.sentence, verdict.tone)
    yield from evidence_blocks(comparison)


def many_page(many: Review, tongue: str = LANGUAGES[0]) -> str:
    """The report as one HTML file, in a language."""
    evidence = _alone(many) if len(many.analyses) == 1 else many_evidence(many)
    rows, notes = review_rows(many), review_notes(many)
    return match_page(review_decisions(many), many.analyses, rows, notes, evidence, tongue)


def statistics_page(scored: Statistics, tongue: str = LANGUAGES[0]) -> str:
    """The page of one analysis; it says what its file could not be asked."""
    rules = scored.rules
    for code, wanted, _ in scored.scored.replaced:
        rules = rules.switched(code, wanted)
    return many_page(review(scored.match, rules=rules, met=scored.scored.met), tongue)


def _alone(many: Review) -> Blocks:
    """What is behind the rows of one analysis."""
    scored = many.analyses[0]
    yield from statistics_evidence(scored, per_game=True)
    yield Folded("File", [files_table(many.labels, [scored])])
    path = file_name(many.match.source.path)
    yield Command(shlex.join(["reconcile", "stats", path, "--html", "report.html"]))


def folder_pages(result: FolderResult, tongue: str = LANGUAGES[0]) -> dict[str, str]:
    """By name a page for every match that was compared, and `index.html`."""
    names = page_names([match.files[0] for match in result.matches])
    pages = {
        name: many_page(match.review, tongue)
        for match, name in zip(result.matches, names, strict=True)
        if match.review is not None
    }
    return pages | {"index.html": page(folder_blocks(result))}


def _decisions(
    result: Investigation,
    alone: Review,
    first: Explanation | None,
) -> MatchDecisions:
    """The decisions by the file's own rules and by those of an explanation; the list begins with
    those that make the difference."""
    if first is None or not first.own_differences:
        return review_decisions(alone)
    rules = changed = own_rules(result.match)
    leads = [Lead("turning", say("filter.turning"), "", list(map(place_of, first.decisions)))]
    for difference in first.own_differences:
        changed = changed.switched(difference.question, difference.answer_to)
        theirs, ours = (
            users(difference.question, reply)
            for reply in (difference.answer_to, difference.answer_from)
        )
        code, title = difference.question, word("question", difference.question)
        says = say("search.differs", title=title, theirs=theirs, ours=ours)
        places = [place_of(row) for row in first.decisions if code in row["questions"]]
        leads.append(Lead(code, title, says, places))
    match = result.match
    both = review(match, match, rules=[rules, changed], met=result.met, player=result.player)
    variant = say("label.explanation") if result.explanations else say("label.nearest")
    other = variant if first.differences else first.nearest
    labels = short_name(match.source.tool), other
    return replace(review_decisions(both), labels=labels, leads=leads)


def investigation_page(
    result: Investigation,
    tongue: str = LANGUAGES[0],
    *,
    notes: Sequence[str] = (),
    command: str = "",
) -> str:
    """The page of an investigation as HTML; `notes` are remarks on where the figures come from,
    `command` is what reproduces it."""
    match, rules = result.match, own_rules(result.match)
    nearest = result.explanations or result.closest
    alone = review(match, rules=rules, met=result.met, player=result.player)
    decisions = _decisions(result, alone, nearest[0] if nearest else None)
    sentence, *more = answer(result)
    rows = turning_rows(result)
    word, label = mark_of(result)
    game = result.game and say("evidence.game", game=result.game)
    question = say("search.question", player=result.player)
    length = say("mast.money") if match.is_money else say("mast.length", n=match.length)
    own = {
        "title": joined(" ", question, label),
        "won": question,
        "head": joined(", ", " \N{EN DASH} ".join(match.players), length, game),
        "scripts": ("words", "page", "notation", "board", "curve", "review"),
        "verdict": {"word": word, "label": label, "sentence": sentence, "tone": ""},
        "is_alarm": True,
    }
    notes, shown = [*more, *notes], [rows] if rows else []
    evidence = investigation_evidence(result, command or command_of(result))
    return match_page(decisions, alone.analyses, shown, notes, evidence, tongue, **own)


def command_of(
    result: Investigation,
    paste: str | None = None,
    typed: Sequence[str] = (),
    rules: str | None = None,
) -> str:
    """The command that makes the page again: with every figure, or with the pasted text and what
    was typed besides."""
    words = [
        "reconcile",
        "investigate",
        file_name(result.match.source.path),
        "--player",
        result.player,
    ]
    if paste is not None:
        words += ["--paste", file_name(paste)]
    figures = [f"{short_metric(figure.metric)}={figure.text}" for figure in result.reported]
    for text in figures if paste is None else typed:
        words += ["--reported", text]
    if result.game is not None:
        words += ["--game", str(result.game)]
    if rules is not None:
        words += ["--rules", file_name(rules)]
    if result.met is not None:
        words += ["--met", file_name(result.met)]
    return shlex.join([*words, "--html", "report.html"])


# -- the first screen of a match -------------------------------------------------------------------

SIDES = ("left", "right", "third", "fourth", "fifth", "sixth")
"""The styles of analyses, in order; after the last one they begin again."""
PLIES = 0.79
"""How far a PR at 0 plies of gnuBG is from that at its 4 plies, in the median (the study of
plies)."""
ERROR, WORST = Number(f"{SIZE:.3f}"), Number(f"{BLUNDER:.3f}")
"""The borders of errors and blunders."""
MOST_ROWS = 8
"""Rows about a player, unless more of them are decisions."""


def glossary() -> list[tuple[str, str]]:
    """Words of the page, each in a sentence."""
    return [
        ("PR", say("glossary.pr")),
        ("EMG", say("glossary.emg")),
        ("MWC", say("glossary.mwc")),
        (say("glossary.close"), say("glossary.close-is")),
        (say("glossary.dead-cube"), say("glossary.dead-cube-is")),
        (say("glossary.optional"), say("glossary.optional-is")),
        ("Crawford", say("glossary.crawford")),
        ("ply", say("glossary.ply")),
        (say("glossary.error"), say("glossary.error-is", error=ERROR, blunder=WORST)),
    ]


def first_screen(
    decisions: MatchDecisions,
    analyses: Sequence[Statistics],
    rows: Sequence[Rows],
    notes: Sequence[str],
) -> dict[str, Any]:
    """What the template is given of it."""
    match, labels = decisions.match, decisions.labels
    styles = [style for style, _ in zip(cycle(SIDES), labels, strict=False)]
    top = masthead(decisions)
    sentences = [*facts_of(decisions, analyses), *top.pop("other_facts")]
    shown, every = len(decisions.shown), len(decisions.aligned)
    if shown < every:
        sentences.append(say("fact.first-decisions", shown=shown, every=every))
    return {
        **top,
        "title": f"{match.names[0]} – {match.names[1]}: {', '.join(labels)}",
        "match": match,
        "names": match.names,
        "labels": labels,
        "styles": styles,
        "heads": list(zip(styles, labels, strict=True)),
        "answer": [_answer(decisions, player_rows) for player_rows in rows],
        "notes": [_note(note) for note in notes],
        "facts": sentences,
        "glossary": glossary(),
        "verdict": None,
        "is_alarm": False,
        "synthetic": "",
        **(_decision(decisions, styles) if shown else NO_DECISION),
    }


def _note(note: str) -> tuple[str, str]:
    """A note, and what it rests on where that is folded: of a finding its title is shown."""
    slots = note.slots if isinstance(note, Said) else {}
    if "evidence" not in slots:
        return note, ""
    title, label = slots["title"], slots.get("label")
    head = say("figure.part", noun=title, part=label) if label else title
    return head, slots["evidence"]


NO_DECISION: dict[str, object] = {"data": {}, "counts": [], "analyse": ""}


def _decision(decisions: MatchDecisions, styles: Sequence[str]) -> dict[str, object]:
    """The decision that the page opens on, the list, the curve, and what the script needs."""
    counts, steps = _counts(decisions)
    analysed = bool((decisions.error == decisions.error).any())
    command = ["reconcile", "compare", file_name(decisions.match.source.path), "--analyse", "2"]
    data = decisions.data() | {
        "size": round(1000 * SIZE),
        "blunder": round(1000 * BLUNDER),
        "steps": steps,
        "lines": 1 if decisions.leads else len(styles),
    }
    return {
        "filters": decisions.filters,
        "choices": list(_choices(decisions)),
        "border": ERROR,
        "blunder": WORST,
        "rows": [decisions.row(index) for index in decisions.order[: decisions.errors]],
        "chart": _chart(decisions),
        "counts": counts if analysed else [],
        "analyse": "" if analysed else shlex.join(command),
        "data": data,
    }


def _chart(decisions: MatchDecisions) -> dict[str, object]:
    """What is said above the curve, which the script draws."""
    match, is_known = decisions.match, bool((decisions.chances == decisions.chances).any())
    title, player = say("curve.unknown"), match.names[0]
    if is_known and match.is_money:
        title = say("curve.equity", player=player)
    elif is_known:
        title = say("curve.chance", player=player)
    return {
        "title": title,
        "labels": decisions.labels if is_known and not decisions.leads else (),
        "is_known": is_known,
        "luck": bool((decisions.luck == decisions.luck).any()),
    }


class Answer(NamedTuple):
    """The rows about a player: what each begins with, its words with the address that they lead to,
    and what there is to say of it."""

    headline: str
    lines: list[tuple[str, str, str, str]]
    folded: list[tuple[str, str, str, str]]
    """The smallest that are no decisions, where there are many."""


def _answer(decisions: MatchDecisions, rows: Rows) -> Answer:
    keys = [decisions.key_at(line.place) for line in rows.lines]
    lines = [
        (line.lead, line.words, key, line.detail)
        for line, key in zip(rows.lines, keys, strict=True)
    ]
    over = max(len(lines) - MOST_ROWS, 0)
    foldable = [index for index, line in enumerate(rows.lines[:-1]) if line.place is None]
    folded = set(foldable[len(foldable) - over :] if over else [])
    return Answer(
        rows.headline,
        [line for index, line in enumerate(lines) if index not in folded],
        [line for index, line in enumerate(lines) if index in folded],
    )


class Choice(NamedTuple):
    """A list to choose from, for the filters of the list or, but for player and game, for practice
    too."""

    name: str
    title: str
    every: str
    """What the first entry says, which is for all."""
    values: Sequence[tuple[object, str, Bools]]
    """Values with their words, and which of the listed decisions have them."""


def _choices(decisions: MatchDecisions) -> Iterator[Choice]:
    """The filters of the list."""
    order, aligned = decisions.order, decisions.aligned
    rows = decisions.shown[order]
    player, game, play = aligned.player[rows], aligned.game[rows], aligned.kind[rows] == Kind.PLAY
    names = [(seat, decisions.match.names[seat], player == seat) for seat in decisions.seats]
    yield Choice("player", say("choice.player"), say("practice.both"), names)
    games = [
        (number, say("choice.game", game=number), game == number)
        for number in sorted(set(game.tolist()))
    ]
    yield Choice("game", say("choice.games"), say("choice.all-games"), games)
    kinds = [("checker", say("choice.checker"), play), ("cube", say("choice.cube"), ~play)]
    yield Choice("kind", say("choice.kind"), say("choice.all-kinds"), kinds)
    phase = aligned.stated("phase")[rows]
    phases = [(number, word("phase", name), phase == name) for number, name in enumerate(PHASES)]
    yield Choice("phase", say("choice.phase"), say("choice.all-phases"), phases)
    worst = decisions.worst[order]
    sizes = [
        (
            round(1000 * border),
            say("choice.or-more", size=Number(f"{border:.3f}")),
            at_least(worst, border),
        )
        for border in (SIZE, 0.05, BLUNDER)
    ]
    yield Choice("size", say("choice.size"), say("choice.any-size"), sizes)


Button = tuple[str, int | None]


def _counts(
    decisions: MatchDecisions,
) -> tuple[list[tuple[str, list[list[Button]]]], list[list[int]]]:
    """By player and analysis how many errors and blunders there are, each with the number of its
    list, and these lists."""
    counts: list[tuple[str, list[list[Button]]]] = []
    steps: list[list[int]] = []
    for seat in decisions.seats:
        own = decisions.aligned.player[decisions.shown] == seat
        cells: list[list[Button]] = []
        for error in decisions.error:
            cell: list[Button] = []
            for border in (SIZE, BLUNDER):
                wrong = np.flatnonzero(at_least(error, border) & own)
                n, is_blunder = len(wrong), border == BLUNDER
                count = say("count.blunders", n=n) if is_blunder else say("count.errors", n=n)
                cell.append((count, len(steps) if n else None))
                if len(wrong):
                    steps.append(worst_first(error, wrong))
            cells.append(
                cell if (error[own] == error[own]).any() else [(say("count.unknown"), None)]
            )
        counts.append((decisions.match.names[seat], cells))
    return counts, steps


def _figures(label: str, statistics: Statistics, seat: int, name: str) -> Iterator[str]:
    """What a PR is worth: its class, its interval, on how few decisions it rests, and the luck
    beside it."""
    figures, metric = statistics.figures(seat), METRICS["pr"]
    pr, counted = figures["pr"], figures["decisions.counted"]
    if pr is None or lacking(statistics.completeness(seat)) or (counted or 0) < FEWEST_COUNTED:
        return  # a note says so
    word, _ = rated(statistics.rules.known_as, figures)
    own = {"player": name, "label": label, "pr": metric.shown(pr), "n": int(counted or 0)}
    facts = [say("fact.pr-graded", **own, grade=word) if word else say("fact.pr", **own)]
    if ends := match_intervals(statistics, seat).get("pr"):
        low, high = map(metric.shown, ends)
        facts.append(say("fact.interval", low=low, high=high))
    yield joined(" ", *facts)


def facts_of(decisions: MatchDecisions, analyses: Sequence[Statistics]) -> Iterator[str]:
    """What the numbers of the analyses mean, by player, their depths, and what mixed depths are
    worth."""
    labels, seats = decisions.labels, decisions.aligned.seats
    for seat in decisions.seats:
        name = decisions.match.names[seat]
        for label, statistics, own in zip(labels, analyses, seats, strict=False):
            yield from _figures(label, statistics, own[seat], name)
    shallow, depths = say("fact.shallow", far=Number(str(PLIES))), []
    for label, statistics in zip(labels, analyses, strict=False):
        levels = levels_of(statistics.match)
        if levels:
            depths.append(levels[0][0].lookahead)
            at = {"label": label, "levels": level_text(statistics.match)}
            depth = say("fact.depths", **at) if len(levels) > 1 else say("fact.depth", **at)
            yield joined(" ", depth, shallow if depths[-1] == 0 else "")
    if depths and 0 not in depths:
        yield joined(" ", say("fact.deep-enough"), shallow, say("fact.deeper"))


class GameLine(NamedTuple):
    """A game of the strip."""

    number: int
    key: str
    """The address of its first decision."""
    score: str
    """Before it."""
    result: str
    ending: str


def masthead(decisions: MatchDecisions) -> dict[str, Any]:
    """What the template is given of it. Of files that differ, XG's or BGBlitz's say when and where:
    gnuBG's day may be that of an import."""
    matches = [scored.match for scored in decisions.scored]
    first = min(matches, key=lambda match: match.source.tool == GNUBG.name)
    won, against = _outcome(decisions)
    length = say("mast.money") if first.is_money else say("mast.length", n=first.length)
    stated = _facts_of(first, "event", "date")
    facts_of_others = []
    for label, match in zip(decisions.labels, matches, strict=True):
        if facts := [fact for fact in _facts_of(match) if fact not in stated]:
            facts_of_others.append(say("fact.file-says", label=label, facts=joined(", ", *facts)))
            stated += facts
    return {
        "won": won,
        "head": joined(" · ", against, length, *_facts_of(first, "event", "date")),
        "other_facts": facts_of_others,
        "strip": list(_games(decisions)),
    }


def _outcome(decisions: MatchDecisions) -> tuple[str, str]:
    """Who won by how much, and against whom; of a match without an end both names, and why."""
    match = decisions.match
    points = [min(count, match.length or count) for count in match.final_score]
    leader = int(points[1] > points[0])
    winner, loser = match.names[leader], match.names[1 - leader]
    score = f"{points[leader]}–{points[1 - leader]}"
    if points[0] == points[1] or not (match.complete or match.is_money):
        result = f"{winner} – {loser}, {score}"
    else:
        result = say("mast.won", player=winner, score=score)
    if match.complete and points[0] != points[1]:
        return result, say("mast.against", player=loser)
    return result, "" if match.is_money else say("mast.unfinished")


def _facts_of(match: Match, *names: Literal["event", "round", "place", "date"]) -> list[str]:
    """Event, round, place and day, or some of them, as a file has them."""
    stated = {
        "event": match.event,
        "round": match.round,
        "place": match.place,
        "date": match.date and joined("", match.date),
    }
    facts = [stated[name] for name in names or stated]
    return [fact for fact in facts if fact and not fact.startswith(SYNTHETIC)]


def _games(decisions: MatchDecisions) -> Iterator[GameLine]:
    match, games = decisions.match, decisions.match.games
    shown = decisions.aligned.game[decisions.shown]
    open_: Bools = np.asarray(decisions.counted.any(axis=0))
    rows = zip(
        games.number.tolist(),
        games.score.tolist(),
        games.winner.tolist(),
        games.points.tolist(),
        strict=True,
    )
    for row, (number, score, winner, points) in enumerate(rows):
        here = np.flatnonzero(shown == number)
        if len(here):
            first = int(here[int(open_[here].argmax())])
            result = (
                f"{decisions.called[winner]} +{points}" if winner >= 0 else say("mast.unfinished")
            )
            before = "–".join(map(str, score))
            yield GameLine(number, decisions.keys[first], before, result, _ending(match, row))


def _ending(match: Match, row: int) -> str:
    games, plays, cubes = match.games, match.plays, match.cubes
    if games.winner[row] < 0:
        return ""
    if ((cubes.game == row) & (cubes.kind == Kind.PASS.value)).any():
        return say("ending.pass")
    cube = int(plays.cube[plays.game == row].max(initial=1))
    ending = {2: say("ending.gammon"), 3: say("ending.backgammon")}
    resigned = say("ending.resigned") if games.resigned[row] else ""
    return joined(", ", resigned, ending.get(int(games.points[row]) // cube, ""))
