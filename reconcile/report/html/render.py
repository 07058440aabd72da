"""The report as one HTML file that makes no request: style, script and pictures are inside.

Templates are compiled once, since compiling those of a report takes longer than importing NumPy: their bytecode lies where Python keeps
that of a module, and is made again when anything it depends on changes.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, compiler
from jinja2.bccache import Bucket, BytecodeCache

from reconcile import __version__
from reconcile.files.wording import plural
from reconcile.gap.bridge import SHARES, Contribution, share_of
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import UNGATED
from reconcile.report import numbers, words
from reconcile.report.explain import answer_evidence
from reconcile.report.verdict import explained, verdict_of
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.findings import SYNTHETIC
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.skill import colour

SETTINGS: Final = ("autoescape", "trim_blocks", "lstrip_blocks")
"""What the bytecode depends on, of what environments here differ in."""


class Compiled(BytecodeCache):
    """The bytecode of templates, each in a file that begins with a digest of its source, of the settings, and of what compiled it."""

    def __init__(self, environment: Environment) -> None:
        settings = [getattr(environment, name) for name in SETTINGS]
        made_by = Path(compiler.__file__).stat()
        self.stamp = f"{settings} {MAGIC_NUMBER!r} {made_by.st_size} {made_by.st_mtime_ns}\n"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The file that keeps the bytecode of a template."""
        return cache_from_source(filename or name)

    def get_source_checksum(self, source: str) -> str:
        """What must be the same for bytecode to be used."""
        return sha256((self.stamp + source).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the bytecode if it is there and made of the same."""
        digest = bucket.checksum.encode()
        with suppress(OSError, EOFError, ValueError, TypeError):  # not there, or damaged
            kept = Path(bucket.key).read_bytes()
            if kept.startswith(digest):
                bucket.code = marshal.loads(kept[len(digest) :])  # noqa: S302  # as Python does with its own

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the bytecode; as for a module, it does not matter if this is impossible."""
        if not sys.dont_write_bytecode:
            SourceFileLoader("", bucket.key).set_data(bucket.key, bucket.checksum.encode() + marshal.dumps(bucket.code))


TEMPLATES: Final = Path(__file__).parent / "templates"


def comparison_page(
    comparison: Comparison, contributions: Sequence[Contribution] | None = None, *, synthetic: str | None = None, judged: bool = True
) -> str:
    """The report of a comparison with its bridges and single decisions.

    `contributions` are by default the decisions behind PR and behind every figure that has a tolerance. `synthetic` says, in a banner,
    that the files were made up; by default what they say themselves. Without `judged` the gaps are explained and no tolerance applies.
    """
    from reconcile.report.html.page import comparison_values

    if contributions is None:
        from reconcile.gap.contributions import contributions_of
        from reconcile.gap.walk import LEADING

        shown = {LEADING, *(figure.metric for figure in comparison.judged)}
        contributions = contributions_of(comparison.walk, [bridge for bridge in comparison.bridges if bridge.metric in shown])
    if synthetic is None:
        events = dict.fromkeys(statistics.match.event for statistics in comparison.statistics)
        synthetic = " ".join(event for event in events if event.startswith(SYNTHETIC))
    if not judged:
        figures = tuple(replace(one, tolerance=None, level=None, verdict=UNGATED) for one in comparison.figures)
        comparison = replace(comparison, figures=figures, shares=())
    verdict = verdict_of(comparison) if judged else explained(comparison)
    values = comparison_values(comparison, contributions)
    return render("comparison.html.j2", verdict=verdict, synthetic=synthetic, **values)


def render(template: str, **values: object) -> str:
    """A page from its template; values are escaped."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from reconcile.report.html.decisions import BY_FILE, BY_LEVEL
    from reconcile.report.html.figures import incomplete_sides, paragraphs
    from reconcile.report.html.waterfall import PRINTED

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.bytecode_cache = Compiled(environment)
    environment.globals |= {
        "version": __version__,
        "numbers": numbers,
        "words": words,
        "METRICS": METRICS,
        "QUESTIONS": QUESTIONS,
        "answer_evidence": answer_evidence,
        "RULE_SETS": RULE_SETS,
        "SHARES": SHARES,
        "share_of": share_of,
        "incomplete_sides": incomplete_sides,
        "plural": plural,
        "colour": colour,
        "paragraphs": paragraphs,
        "style": (TEMPLATES / "style.css").read_text(encoding="utf-8"),
        "SCRIPTS": {path.stem: path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.js")},
        "PRINTED": PRINTED,
        "BY_LEVEL": BY_LEVEL,
        "BY_FILE": BY_FILE,
    }
    return environment
