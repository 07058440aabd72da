"""gnuBG's own statistics at the end of its text export, held against the figures computed from the
turns above them."""

import re
import tarfile
from functools import cache

import numpy as np

from reconcile.formats.printed import read_pasted
from reconcile.match.columns import Kind
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import statistics
from tests.support import data as real

ARCHIVE = "gnubg-text-archive/llabba.tar.xz"
DIGIT = 0.0005
"""Half of the last digit of an equity, of a turn as of a sum."""
ROUNDED = 1e-9
TITLE = "\nMatch statistics\n"
ACTIONS = {"Doubles": Kind.DOUBLE, "Takes": Kind.TAKE, "Passes": Kind.PASS}
KINDS = {
    "checker": [Kind.PLAY],
    "missed_double": [Kind.NO_DOUBLE],
    "wrong_double": [Kind.DOUBLE],
    "wrong_take": [Kind.TAKE],
    "wrong_pass": [Kind.PASS],
    "total": [*Kind],
}
PAGE = re.compile(r"_(\d{3})$")


@cache
def archived():
    """The pages of every match of the archive, joined, by plies and name: read once, since the
    archive is packed as one."""
    pages: dict[str, dict[str, bytes]] = {}
    path = real.FOLDER / ARCHIVE
    if path.is_file():
        with tarfile.open(path) as tar:
            for member in tar:
                file = tar.extractfile(member) if "/analyzed/" in member.name else None
                if file is not None:
                    plies, name = member.name.removesuffix(".txt").split("/")[-2:]
                    pages.setdefault(f"{plies} {PAGE.sub('', name)}", {})[name] = file.read()
    return {
        key: b"".join(content for _, content in sorted(rows.items()))
        for key, rows in sorted(pages.items())
    }


def counts(text):
    """The counts of both players below the last title, by their labels."""
    rows = re.findall(r"(?m)^(\S.*?) {3,}(\d+)\b.*? {3,}(\d+)\b", text[text.rindex(TITLE) :])
    return {label.partition(" (")[0]: [int(first), int(second)] for label, first, second in rows}


def disagreements(match, text):
    """Every figure of gnuBG's that the match does not give under gnuBG's rules, in words."""
    computed, cubes = statistics(match, "gnubg"), match.cubes
    printed = read_pasted("statistics", text[text.rindex(TITLE) :].encode())
    for seat, name in enumerate(match.players):
        figures, own = computed.figures(seat), cubes.player == seat
        rows = {label: row[seat] for label, row in counts(text).items()}
        worst, bad, doubtful = (
            rows[f"Moves marked {grade}"] for grade in ("very bad", "bad", "doubtful")
        )
        pairs = {
            "moves": (rows["Total moves"], figures["moves.total"]),
            "cube decisions": (rows["Total cube decisions"], (own & cubes.analysed).sum()),
            "blunders": (worst, figures["blunders.checker"]),
            "errors": (worst + bad, figures["errors.checker"]),
            "doubtful": (worst + bad + doubtful, figures["doubtful.checker"]),
        } | {
            label: (rows[label], (own & cubes.analysed & (cubes.kind == kind.value)).sum())
            for label, kind in ACTIONS.items()
        }
        for label, (count, number) in pairs.items():
            if count != number:
                yield f"{name}: {label} {count}, computed {number}"
        for figure in printed.columns[seat]:
            group, _, part = figure.metric.partition(".")
            if part in KINDS or group == "decisions":
                low, high = _range(computed, seat, figure.metric)
                if not low <= figure.value <= high:
                    yield f"{name}: {figure.metric} {figure.text}, computed {low} to {high}"


def _range(computed, seat, metric):
    """What gnuBG may print of a figure, whose turns have digits that the text has not."""
    figure, scored = computed.figures(seat)[metric], computed.scored
    low, high = open_range(computed).figures[seat].get(metric, (figure, figure))
    assert low is not None
    assert high is not None
    group, _, part = metric.partition(".")
    if group == "decisions":
        return low, high
    kinds = [kind.value for kind in KINDS[part]]
    wrong = (scored.player == seat) & (scored.error != 0) & np.isin(scored.kind, kinds)
    lines = 2 if part.endswith("double") else 1
    digits = DIGIT * (wrong.sum() + lines)
    if group == "mwc_loss_percent":
        at_stake = float(np.abs(scored.win - scored.lose)[wrong].sum()) / 2
        digits = DIGIT * (100 * at_stake + lines)
    return low - digits - ROUNDED, high + digits + ROUNDED
