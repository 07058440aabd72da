"""The answers of a program in words, and as a file of rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import yaml

from reconcile.files.wording import either, listed, one_line, plural
from reconcile.infer.reported import Reported
from reconcile.rules.evidence import Status
from reconcile.scoring.metrics import METRICS
from reconcile.suite.answers import RATES, Finding, ReadBack, Reading

LONGEST_NAME: Final = 40
LONGEST_TITLE: Final = 200
MOST_SHOWN: Final = 2
"""Figures of a match in a sentence."""
MOST_DIGITS: Final = 4
"""Of a figure in a sentence."""
COUNTED: Final = "decisions.counted"
FEW: Final = 3
"""Figures that a sentence names; of more, only their number."""
COUNTING: Final = ("Q01", "Q02", "Q03", "Q04", "Q05", "Q14", "Q15", "Q16")
"""The questions about what counts."""
PLAIN_NAMES: Final = {
    COUNTED: "decisions",
    "equity_error.total": "equity lost",
    "mwc_loss_percent.total": "MWC lost",
}


def sentence(probed: ReadBack) -> str:
    """Which program counts like this one, and how much of that was seen."""
    differing = probed.differing(probed.nearest)
    near = (
        either(probed.equally_near)
        if len(probed.equally_near) <= FEW
        else f"{probed.nearest.name} and {len(probed.equally_near) - 1} others"
    )
    like = f"{probed.program} counts like {near}"
    if differing:
        like += f" with other answers to {listed([one.question for one in differing])}"
    answered = f"{len(probed.answered)} of {plural(len(probed.findings), 'question')} answered"
    unknown = [one.question for one in probed.open if one.unexplained and not one.unseen]
    unseen = [one.question for one in probed.open if one.question not in unknown]
    parts = [f"no known answer fits {listed(unknown)}"] if unknown else []
    parts += [f"{listed(unseen)} cannot be seen from {_figures(probed)}"] if unseen else []
    return f"{'; '.join((like, ', '.join((answered, *parts))))}."


def _figures(probed: ReadBack) -> str:
    named = [
        PLAIN_NAMES.get(name, METRICS[name].words)
        for name in (*RATES, *PLAIN_NAMES)
        if name in probed.names
    ]
    return f"{listed(named)} alone" if len(named) == len(probed.names) else "its figures"


def evidence(finding: Finding) -> str:
    """How an answer is known, or why there is none."""
    if finding.unseen:
        return finding.unseen
    if finding.unexplained:
        return "no known answer gives " + "; ".join(
            f"{_shown(one)} for {one.file.case.has}" for one in finding.unexplained
        )
    if finding.question == "Q08":
        name = next(name for name, answer in RATES.items() if answer == finding.possible[0])
        return f"it prints {METRICS[name].words}"
    if finding.question == "Q11":
        return "every loss in match winning chance that it prints"
    if len(finding.possible) > 1:
        return f"the same figures in every match: {either(finding.possible)}"
    return "; ".join(outcome(one, finding) for one in _needed(finding))


def _needed(finding: Finding) -> list[Reading]:
    """The fewest cases that exclude the other answers, those about this question alone first; all where they do so only together."""
    left = {name for one in finding.decisive for name in _every(one, finding)} - set(
        finding.possible
    )
    ranked = sorted(finding.decisive, key=lambda one: len(one.file.about))
    needed: list[Reading] = []
    while left:
        best = max(
            ranked, key=lambda one: (len(one.file.about) == 1, len(left & _excluded(one, finding)))
        )
        if not left & _excluded(best, finding):
            best = max(ranked, key=lambda one: len(left & _excluded(one, finding)))
        excluded = left & _excluded(best, finding)
        if not excluded:
            return needed or ranked
        needed.append(best)
        left -= excluded
    return needed


def _place(one: Reading, finding: Finding) -> int:
    return one.file.about.index(finding.question)


def _every(one: Reading, finding: Finding) -> set[str]:
    return {names[_place(one, finding)] for names in one.file.predicted}


def _excluded(one: Reading, finding: Finding) -> set[str]:
    """The answers to a question that cannot give the figures of a case, whatever the other answers."""
    return _every(one, finding) - {names[_place(one, finding)] for names in one.fitting}


def outcome(one: Reading, finding: Finding | None = None) -> str:
    """What a program does with a case: `a no-double that costs 0.161 counts`; of a question, what shows its answer."""
    title = one.file.case.has
    if one.failure:
        return f"{title}: no figures, {one.failure}"
    if finding is None or finding.question in COUNTING:
        counts = {answers: figures.get(COUNTED) for answers, figures in one.file.predicted.items()}
        fitting = {counts[answers] for answers in one.fitting}
        every = {number for number in counts.values() if number is not None}
        if len(fitting) == 1 and len(every) == 2:
            if fitting == {max(every)}:
                return f"{title} {'count' if one.file.case.plural else 'counts'}"
            return f"{title} {'do' if one.file.case.plural else 'does'} not count"
    return f"{title}: {_shown(one)}{_otherwise(one)}"


def _telling(one: Reading) -> list[str]:
    """The figures of a case that depend on the answers, those of all decisions first."""

    def varies(name: str) -> bool:
        return len({figures[name] for figures in one.file.predicted.values()}) > 1

    order = [name for name in (*RATES, *PLAIN_NAMES) if name in one.given]
    order += [name for name in one.given if name not in order]
    return sorted(order, key=lambda name: not varies(name))


def _shown(one: Reading) -> str:
    return (
        listed(
            [
                f"{METRICS[name].words} {_short(one.given[name])}"
                for name in _telling(one)[:MOST_SHOWN]
            ]
        )
        or "no figures"
    )


def _short(given: Reported) -> str:
    """A figure as it was printed, or rounded if it has too many digits to read."""
    return (
        given.text
        if len(given.text.partition(".")[2]) <= MOST_DIGITS
        else f"{given.value:.{MOST_DIGITS}f}"
    )


def _otherwise(one: Reading) -> str:
    """What the first figure would be under another answer, where a case is about one question."""
    if len(one.file.about) > 1 or not one.fitting:
        return ""
    for name in _telling(one):
        given = one.given[name]
        digits = min(len(given.text.partition(".")[2]), MOST_DIGITS)
        for (answer,), figures in one.file.predicted.items():
            value = figures[name]
            if (
                (answer,) not in one.fitting
                and value is not None
                and f"{value:.{digits}f}" != f"{given.value:.{digits}f}"
            ):
                return f" ({METRICS[name].words} {value:.{digits}f} with {answer})"
    return ""


def rules_yaml(found: ReadBack, notes: Sequence[str] = ()) -> str:
    """The answers with their evidence as a file of rules; what was not seen is that of the nearest known rule set."""
    nearest = found.nearest
    source = f"{found.program}, probed with .{found.form} files"
    answers, known, open_ = {}, {}, []
    for code, finding in found.findings.items():
        if finding.answer is not None:
            answers[code] = finding.answer
            known[code] = {
                "status": Status.PROBED.value,
                "source": source,
                "quote": evidence(finding),
            }
        elif finding.possible and nearest.answers[code] not in finding.possible:
            answers[code] = finding.possible[0]
            known[code] = {
                "status": Status.INFERRED.value,
                "source": source,
                "quote": f"one of several: {evidence(finding)}",
            }
        else:
            open_.append(f"# {code}: as {nearest.name}; {one_line(evidence(finding))}\n")
    name = (
        re.sub(r"[^A-Za-z0-9._+-]+", "-", found.program).strip("-.+_")[:LONGEST_NAME] or "program"
    )
    file = {
        "schema_version": 1,
        "name": f"{name}-probed",
        "title": f"{found.program}, probed"[:LONGEST_TITLE],
        "extends": nearest.name,
        "answers": answers,
        "evidence": known,
    }
    said = "".join(f"# {one_line(note)}\n" for note in (sentence(found), *notes))
    return f"{said}{yaml.safe_dump(file, sort_keys=False, allow_unicode=True, width=140)}{''.join(open_)}"
