"""Findings, causes, checks and figures: the lists that `reconcile explain` has, as pages."""

from __future__ import annotations

from typing import Final

from docs.making.markdown import code, heading, page, prose, table
from reconcile.files.bundled import Page
from reconcile.gap.explanation import ROW_PAGES
from reconcile.gap.walk import CAUSES
from reconcile.infer.checks import CHECKS, LAST
from reconcile.infer.program import CODES, OTHER_MATCH, TRANSFORMATIONS
from reconcile.report.explain import BENCHMARK_FIGURES
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.figures import ALIASES, METRICS
from reconcile.scoring.findings import FINDINGS, SEVERITIES
from reconcile.scoring.gnubg_table import RESULTS

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
PARTS = {"checker": "checker plays", "cube": "cube decisions", "luck": "luck"}
FIGURES: Final = """\
Every figure has one name. It is the same in JSON, in the tables of tolerances, in the manifests \
of reference matches and on the command line. A file or an option may use the short name instead; \
results have the full name. [Statistics](statistics.md) says what each figure means, and how XG \
and gnuBG differ in it; the [glossary](glossary.md) has the words.

An unknown figure is `null` in JSON and a dash in a table, never 0. A figure is unknown where \
fewer than nine in ten of the decisions that it rests on are analysed: checker plays, cube \
decisions and luck count each for themselves, and a figure over all decisions needs both plays \
and cube. The counts are shown, and nothing of it is judged, graded or pooled. Comparisons use \
all digits; the column *decimals* is the number of digits shown to people."""
"""What holds for all of them."""


def findings_page() -> str:
    """Every finding."""
    by_severity = sorted(FINDINGS.values(), key=lambda finding: -SEVERITIES.index(finding.severity))
    parts = [
        "Before two figures are compared, the files are checked. A finding reports something "
        "unusual about a file or a pair of files: analysis that is missing, a play that the dice "
        "do not allow, missing games. It includes evidence and advice.",
        "Findings never change a figure. `error`: nothing can be rated. `warning`: a figure may "
        "not be what you expect. `info`: good to know. Reports and the JSON list them. `reconcile "
        "explain CODE` prints the page of a finding; the [glossary](glossary.md) has the words.",
        table(
            ["code", "severity", "what was found"],
            (
                (f"[{code(finding.code)}](#{finding.code})", finding.severity, prose(finding.title))
                for finding in by_severity
            ),
        ),
    ]
    for finding in FINDINGS.values():
        parts += [
            heading(2, code(finding.code), finding.code),
            f"**{prose(finding.title)}** ({finding.severity}).",
            prose(finding.page),
            f"What to do: {prose(finding.advice)}",
        ]
    return page("Findings", *parts)


SUMMED = (
    "The gap of a PR is shown as rows that add up, exactly and as they are printed; each is of one "
    "of these kinds. `compare --json` lists them under `explanation`, with its change, what either "
    "side says, and the number of decisions that make it."
)


def causes_page() -> str:
    """Every cause of a gap."""
    parts = [
        "Every decision that moves a figure between two programs has a cause. The "
        "[bridge](bridge.md) shows how much each step moves the figure. The causes say why a "
        "single decision moved it. Each row of a comparison's ledger names one.",
    ]
    parts += [heading(2, "What makes the gap of a player", "explanation"), SUMMED]
    for cause in ROW_PAGES.values():
        parts += [
            heading(3, code(cause.code), cause.code),
            f"**{prose(cause.title)}.** {_linked(cause)}",
        ]
    families: dict[str, list[Page]] = {}
    for cause in CAUSES.values():
        families.setdefault(cause.code.partition(".")[0], []).append(cause)
    for family, causes in families.items():
        parts += [heading(2, code(family), f"family-{family}"), FAMILIES.get(family, "")]
        for cause in causes:
            parts += [
                heading(3, code(cause.code), cause.code),
                f"**{prose(cause.title)}{'' if cause.title.endswith('?') else '.'}** "
                f"{_linked(cause)}",
            ]
    return page("Causes of a gap", *parts)


def checks_page() -> str:
    """Every check of an investigation."""
    parts = [
        "A figure that does not fit often has an ordinary reason, such as exchanged players or a "
        "wrong factor. `reconcile investigate` says first which rules give the figures, or that "
        "none do. Then it says which of these reasons fit, in the order of this table. A check "
        "marked *if nothing else fits* is tried only if no known rules give the figures and no "
        "check before it holds beyond chance.",
        "A check holds if it explains every given figure. One figure proves less if it has few "
        "digits, or if the check has many alternatives. Where chance alone makes at least one of "
        "100 such numbers fit, the sentence says how many. What fits more often by chance than "
        "not is left out, but for a digit of one figure beside right ones.",
        "The JSON lists the checks that hold under `checks`, each with a sentence and the figures "
        "that are its evidence. `reconcile explain CODE` prints the page of a check.",
        table(
            ["code", "what the figures are", "tried"],
            (
                (
                    f"[{code(check.code)}](#{check.code})",
                    prose(check.title),
                    "if nothing else fits" if check.code in LAST else "always",
                )
                for check in CHECKS.values()
            ),
        ),
    ]
    for check in CHECKS.values():
        parts += [
            heading(2, code(check.code), check.code),
            f"**{prose(check.title)}.** {prose(' '.join(check.page.split()))}",
        ]
    return page("Checks of an investigation", *parts)


def transformations() -> str:
    """Every transformation of figures."""
    ways = {way.code: "figures are " + way.words for way in reversed(TRANSFORMATIONS)}
    ways["game-missing"] = "figures are without the first or the last game"
    ways[OTHER_MATCH] = "figures are of one match, for all matches"
    return table(["code", "what was done"], ((code(name), ways[name]) for name in CODES))


def _linked(cause: Page) -> str:
    text = prose(cause.page)
    for question in QUESTIONS:
        text = text.replace(
            f"answer {question} differently",
            f"answer [{question}](questions/{question}.md) differently",
        )
    return text


def figures_page() -> str:
    """Every figure under its one name."""
    short = {name: alias for alias, name in ALIASES.items()}
    parts = [
        FIGURES,
        table(
            ["name", "short", "figure", "unit", "decimals", "rests on"],
            (
                (
                    f"[{code(metric.name)}](#{metric.name})",
                    code(short[metric.name]) if metric.name in short else "",
                    metric.title,
                    metric.unit,
                    metric.decimals,
                    ", ".join(PARTS.get(part, part) for part in metric.parts) or "the transcript",
                )
                for metric in METRICS.values()
            ),
            "llllrl",
        ),
    ]
    for metric in METRICS.values():
        unit = f", in {metric.unit}" if metric.unit else ""
        parts += [
            heading(2, code(metric.name), metric.name),
            f"**{metric.title}**{unit}. {prose(metric.page)}",
        ]
    parts += [
        heading(2, "Luck and results", "results"),
        "These figures are in gnuBG's table, under the rule sets `gnubg` and `gnubg-manual`.",
    ]
    for name, result in RESULTS.items():
        parts += [heading(3, code(name), name), f"**{result.title}**. {prose(result.page)}"]
    parts += [
        heading(2, "Benchmarks of engines", "benchmarks"),
        "`reconcile benchmark` computes these figures, see [benchmarks](benchmark.md).",
    ]
    for name, figure in BENCHMARK_FIGURES.items():
        parts += [heading(3, code(name), name), f"**{figure.title}**. {prose(figure.page)}"]
    return page("Figures", *parts)
