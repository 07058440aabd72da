"""Findings, causes, checks and figures: the lists that `reconcile explain` has, as pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import inf

from docs.making.markdown import code, coded, heading, page, prose, table
from reconcile.files.bundled import Page
from reconcile.gap.explanation import ROW_PAGES
from reconcile.gap.walk import CAUSES
from reconcile.infer.program import CODES, OTHER_MATCH, TRANSFORMATIONS
from reconcile.infer.reported import CHECKS, LAST
from reconcile.report.explain import BENCHMARK_FIGURES
from reconcile.scoring.figures import ALIASES, METRICS
from reconcile.scoring.findings import FINDINGS, SEVERITIES
from reconcile.scoring.gnubg_table import RESULTS
from reconcile.scoring.grades import RATINGS, XG_BANDS

OF_FINDINGS = """\
Before two figures are compared, the files are checked. A finding reports something unusual \
about a file or a pair of files: analysis that is missing, a play that the dice do not allow, \
missing games. It includes evidence and advice.

Findings never change a figure. `error`: nothing can be rated. `warning`: a figure may not be \
what you expect. `info`: good to know. Reports and the JSON list them. `reconcile explain CODE` \
prints the page of a finding; the [glossary](glossary.md) has the words."""
OF_CAUSES = """\
Every decision that moves a figure between two programs has a cause. The [bridge](bridge.md) \
shows how much each step moves the figure. The causes say why a single decision moved it. Each \
row of a comparison's ledger names one.

## What makes the gap of a player {#explanation}

The gap of a PR is shown as rows that add up, exactly and as they are printed; each is of one of \
these kinds. `compare --json` lists them under `explanation`, with its change, what either side \
says, and the number of decisions that make it."""
FAMILIES = {
    "rule": (
        "The two programs answer a question differently. The numbers of the decision are "
        "the same on both sides."
    ),
    "engine": "The two analyses of the decision differ.",
    "coverage": "Only one side has the decision or its analysis.",
    "rounding": "Both sides have the same number, one with fewer digits.",
    "conversion": "The two sides convert the same error to different numbers.",
}
OF_CHECKS = """\
A figure that does not fit often has an ordinary reason, such as exchanged players or a wrong \
factor. `reconcile investigate` says first which rules give the figures, or that none do. Then \
it says which of these reasons fit, in the order of this table. A check marked *if nothing else \
fits* is tried only if no known rules give the figures and no check before it holds beyond \
chance.

A check holds if it explains every given figure. One figure proves less if it has few digits, or \
if the check has many alternatives. Where chance alone makes at least one of 100 such numbers \
fit, the sentence says how many. What fits more often by chance than not is left out, but for a \
digit of one figure beside right ones.

The JSON lists the checks that hold under `checks`, each with a sentence and the figures that \
are its evidence. `reconcile explain CODE` prints the page of a check."""
OF_FIGURES = """\
Every figure has one name. It is the same in JSON, in the tables of tolerances, in the manifests \
of reference matches and on the command line. A file or an option may use the short name \
instead; results have the full name. [Statistics](statistics.md) says what each figure means, \
and how XG and gnuBG differ in it; the [glossary](glossary.md) has the words.

An unknown figure is `null` in JSON and a dash in a table, never 0. A figure is unknown where \
fewer than nine in ten of the decisions that it rests on are analysed: checker plays, cube \
decisions and luck count each for themselves, and a figure over all decisions needs both plays \
and cube. The counts are shown, and nothing of it is judged, graded or pooled. Comparisons use \
all digits; the column *decimals* is the number of digits shown to people."""
PARTS = {"checker": "checker plays", "cube": "cube decisions", "luck": "luck"}


def findings_page() -> str:
    """Every finding, the graver first in the table."""
    listed = sorted(FINDINGS.values(), key=lambda finding: -SEVERITIES.index(finding.severity))
    rows = ((_link(each.code), each.severity, prose(each.title)) for each in listed)
    entries = (
        _entry(
            2,
            each.code,
            f"{each.title} ({each.severity})",
            f"{each.page} What to do: {each.advice}",
        )
        for each in FINDINGS.values()
    )
    head = ("code", "severity", "what was found")
    return page("Findings", OF_FINDINGS, table(head, rows), *entries)


def causes_page() -> str:
    """Every cause of a gap."""
    parts = [OF_CAUSES, *_entries(3, ROW_PAGES.values())]
    for family, words in FAMILIES.items():
        causes = (each for name, each in CAUSES.items() if name.partition(".")[0] == family)
        parts += [heading(2, code(family), f"family-{family}"), words, *_entries(3, causes)]
    return page("Causes of a gap", *parts)


def checks_page() -> str:
    """Every check of an investigation."""
    rows = (
        (
            _link(each.code),
            prose(each.title),
            "if nothing else fits" if each.code in LAST else "always",
        )
        for each in CHECKS.values()
    )
    head = ("code", "what the figures are", "tried")
    entries = _entries(2, CHECKS.values())
    return page(
        "Checks of an investigation",
        OF_CHECKS,
        table(head, rows),
        *entries,
        heading(2, "Transformations", "transformations"),
        "What the [diagnosis](diagnosis.md) of a program under test tries on its figures.",
        _transformations(),
    )


def _transformations() -> str:
    """Every transformation of figures."""
    ways = {way.code: "figures are " + way.words for way in reversed(TRANSFORMATIONS)}
    ways["game-missing"] = "figures are without the first or the last game"
    ways[OTHER_MATCH] = "figures are of one match, for all matches"
    return table(["code", "what was done"], ((code(name), ways[name]) for name in CODES))


def figures_page() -> str:
    """Every figure under its one name."""
    short = {name: code(alias) for alias, name in ALIASES.items()}
    parts = [OF_FIGURES]
    rows = (
        (
            _link(metric.name),
            short.get(metric.name, ""),
            metric.title,
            metric.unit,
            metric.decimals,
            ", ".join(PARTS.get(part, part) for part in metric.parts) or "the transcript",
        )
        for metric in METRICS.values()
    )
    parts.append(table(["name", "short", "figure", "unit", "decimals", "rests on"], rows, "llllrl"))
    for metric in METRICS.values():
        unit = f", in {metric.unit}" if metric.unit else ""
        parts.append(_entry(2, metric.name, f"{metric.title}{unit}", metric.page))
    parts += [
        heading(2, "Words for a rate", "words"),
        "A PR has XG's word, gnuBG's rate gnuBG's, the same for checker play, cube and all.",
        *_words(),
        heading(2, "Luck and results", "results"),
        "These figures are in gnuBG's table, under the rule sets `gnubg` and `gnubg-manual`.",
        *(_entry(3, name, each.title, each.page) for name, each in RESULTS.items()),
        heading(2, "Benchmarks of engines", "benchmarks"),
        "`reconcile benchmark` computes these figures, see [benchmarks](benchmark.md).",
        *_entries(3, BENCHMARK_FIGURES.values()),
    ]
    return page("Figures", *parts)


def _words() -> tuple[str, str]:
    """XG's words for a PR and gnuBG's for its rate."""
    borders = [(1000 * border, word) for border, word in RATINGS]
    of_gnubg = _bands([*borders, (inf, "Awful!")])
    return (
        table(["PR", "XG's word"], _bands(XG_BANDS)),
        table(["error rate, mEMG per decision", "gnuBG's word"], of_gnubg),
    )


def _bands(borders: Iterable[tuple[float, str]]) -> Iterator[tuple[str, str]]:
    """From where to where each word goes."""
    low = 0.0
    for border, word in borders:
        yield (f"from {low:g}" if border == inf else f"{low:g} to below {border:g}"), word
        low = border


def _link(name: str) -> str:
    return f"[{code(name)}](#{name})"


def _entries(level: int, pages: Iterable[Page]) -> Iterator[str]:
    return (_entry(level, each.code, each.title, each.page) for each in pages)


def _entry(level: int, name: str, title: str, text: str) -> str:
    """A code with what it means; a question that a cause names is a link."""
    point = "" if title.endswith("?") else "."
    differing = r"answer [\1](questions/\1.md) differently"
    linked = re.sub(r"answer (Q\d\d) differently", differing, prose(text))
    return f"{coded(level, name)}\n\n**{prose(title)}{point}** {linked}"
