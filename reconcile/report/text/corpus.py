"""An archive's study in a few lines; the arithmetic is done in `reconcile.corpus.study`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reconcile.files.wording import plural
from reconcile.report import numbers
from reconcile.rules.rulesets import QUESTIONS

if TYPE_CHECKING:
    from reconcile.corpus.study import Gaps, Outlier, Study


def corpus_text(study: Study) -> str:
    """The study in a few lines."""
    first, last = study.corpus.compared_rules
    lines = [sentence(study), ""]
    for label, gaps in (
        (f"PR under {last} minus PR under {first}, same file", study.rules_gap),
        *((f"{one.right.short}'s PR minus {one.left.short}'s, same transcript", one.gap) for one in study.tools),
    ):
        if len(gaps.values):
            quantiles = "  ".join(f"{name} {numbers.signed(value, 2)}" for name, value in named_quantiles(gaps))
            lines.append(f"{label}: mean size {numbers.number(gaps.mean_size, 2)}, {quantiles} ({len(gaps.values)} players of matches)")
    lines += ["", "Questions, sorted by how much each alone changes PR:"]
    lines += [
        f"  {one.question}  mean {one.mean:.3f}  95 % {one.high:.2f}  most {one.most:.2f}  changes {one.changed} of {one.players}  "
        f"{QUESTIONS[one.question].title}"
        for one in study.effects
    ]
    lines += ["", "Most decisions:"]
    for person in study.people[:10]:
        rates = "  ".join(
            f"{name} {numbers.number(rate.pr, 2)}" + (f" ({rate.low:.2f} to {rate.high:.2f})" if rate.low is not None else "")
            for name, rate in zip(study.corpus.rules, person.rates, strict=True)
        )
        lines.append(f"  {person.name}  {plural(person.matches, 'match', 'matches')}, {person.rates[0].decisions} decisions  {rates}")
    return numbers.ascii_minus("\n".join(lines)) + "\n"


def sentence(study: Study) -> str:
    """The contents of the archive, in a sentence."""
    corpus = study.corpus
    read = plural(corpus.matches, "match", "matches"), plural(study.persons, "player"), plural(study.decisions, "decision")
    parts = [f"{read[0]}, {read[1]} and {read[2]} from {plural(corpus.files, 'file')}"]
    if corpus.duplicates:
        parts.append(f"{plural(corpus.duplicates, 'match', 'matches')} found twice count once")
    if corpus.without_match:
        parts.append(f"{plural(corpus.without_match, 'file')} without a match")
    if corpus.errors:
        parts.append(f"{plural(corpus.errors, 'file')} could not be read")
    return "; ".join(parts) + "."


def compared(outlier: Outlier, rules: tuple[str, ...]) -> str:
    """The command that explains a gap."""
    if len(outlier.files) > 1:
        return f"reconcile compare {_quoted(outlier.files[0])} {_quoted(outlier.files[1])} --html gap.html"
    both = _quoted(outlier.files[0])
    return f"reconcile compare {both} {both} --left-rules {rules[0]} --right-rules {rules[-1]} --html gap.html"


def _quoted(path: str) -> str:
    from shlex import quote

    return quote(path)


def named_quantiles(gaps: Gaps) -> list[tuple[str, float]]:
    """The quantiles of a distribution with their names."""
    return list(zip(("5 %", "25 %", "median", "75 %", "95 %"), gaps.quantiles, strict=False))
