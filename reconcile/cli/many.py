"""What `reconcile compare` does with more than two analyses of one match, and `--settle`: gnuBG rolls out the decisions in dispute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from reconcile.cli.common import ERROR, WITHIN, progress, say
from reconcile.cli.outputs import Outputs

if TYPE_CHECKING:
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.review import Review
    from reconcile.gap.settle import Dispute, Settlement
    from reconcile.match import Match


def settle(comparison: Comparison, most: int, trials: int, seconds: float, *, quiet: bool) -> Comparison:
    """A comparison with rollouts of the decisions in dispute that have most at stake."""
    from dataclasses import replace

    from reconcile.gap.settle import disputes

    walk = comparison.walk
    found = disputes(*walk.statistics, walk.pairing, walk.seats)
    return replace(comparison, settlement=rolled_out(found, most, trials, seconds, quiet=quiet))


def rolled_out(disputes: Sequence[Dispute], most: int, trials: int, seconds: float, *, quiet: bool) -> Settlement:
    """The first `most` disputes, rolled out by gnuBG within a number of seconds. Raises `EngineError`."""
    import os

    from reconcile.engines.gnubg import find
    from reconcile.engines.rollout import Question, can_be_rolled_out, roll_out
    from reconcile.files.bundled import cache_folder
    from reconcile.gap.settle import Settlement, with_rollout

    program = find()
    asked = [(one, Question(one.asked, one.plays)) for one in disputes]
    chosen = [(one, question) for one, question in asked if can_be_rolled_out(question)][:most]
    with progress(quiet=quiet) as show:
        values = roll_out(
            [question for _, question in chosen],
            program,
            trials=trials,
            timeout=seconds,
            jobs=os.cpu_count() or 1,
            cache=cache_folder(),
            progress=lambda done, total: show("rolling out", done, total),
        )
    decisions = [
        with_rollout(one, (value.equities, value.errors) if value else None) for (one, _), value in zip(chosen, values, strict=True)
    ]
    return Settlement(f"gnuBG {program.version}", trials, tuple(decisions))


FOR_TWO: Final = (
    "left_rules",
    "right_rules",
    "tolerances",
    "table",
    "corpus",
    "most",
    "strict",
    "fail_on",
    "github",
    "junit_",
    "sarif_",
    "ledger_",
    "positions_",
)
"""Options of a comparison of two files, as parameters of the command: with more nothing is judged, and nothing is left or right."""


def only_for_many(consensus_rules: str | None) -> None:
    """Raise a usage error where two files are asked for what only more give."""
    if consensus_rules is not None:
        raise click.UsageError("--consensus-rules is for more than two analyses of a match")


def only_for_two(ctx: click.Context) -> None:
    """Raise a usage error where more than two files are asked for what only two give."""
    for name in FOR_TWO:
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = "--" + name.rstrip("_").replace("_", "-")
            raise click.UsageError(f"{option} is for two files: with more nothing is judged; compare two of them, or leave it out")


def compare_several(
    matches: Sequence[Match],
    outputs: Outputs,
    groups: Sequence[Sequence[str]],
    *,
    anonymise: bool,
    settle: tuple[int, int, float] | None,
    **options: Any,
) -> None:
    """Compare them and write every output; `settle` is how many disputes are rolled out, in how many games, and for how many seconds."""
    from reconcile.gap.review import review

    if anonymise:
        from reconcile.gap.naming import PLAYERS, anonymised
        from reconcile.gap.pairing import seat_of

        if (player := options["player"]) is not None:
            options["player"] = PLAYERS[seat_of(matches[0], player)]
        matches = anonymised(*matches, aliases=groups)
    many = review(*matches, aliases=groups, **options)
    if settle is not None:
        from dataclasses import replace

        many = replace(many, settlement=rolled_out(many.to_settle, *settle, quiet=outputs.quiet))
    _write(many, outputs, ogxm_of(matches, groups))


def ogxm_of(matches: Sequence[Match], groups: Sequence[Sequence[str]]) -> Callable[[], bytes]:
    """What makes the OGXM document of these analyses, and says where its transcript differs."""

    def make() -> bytes:
        from reconcile.results.ogxm import ogxm_document

        written = ogxm_document(matches, groups)
        for change in written.changes:
            say(f"--ogxm: {change}")
        return written.content

    return make


def compare_folders_of_several(paths: Sequence[str], outputs: Outputs, groups: Sequence[Sequence[str]], **options: Any) -> int:
    """Compare all analyses of every match in some folders, write every output, and return the exit code: 2 where something hindered."""
    from reconcile.document import dumps
    from reconcile.gap.many_folders import compare_many_folders
    from reconcile.report.ci.markdown.comparison import many_folders_markdown
    from reconcile.report.html.many import many_folder_pages
    from reconcile.report.text.folders import many_folders_text
    from reconcile.results.review import many_folders_document

    with progress(quiet=outputs.quiet) as show:
        result = compare_many_folders(paths, aliases=groups, progress=show, **options)
    outputs.write(
        {
            "html": lambda: many_folder_pages(result, outputs.paths["html"]),
            "json": lambda: dumps(many_folders_document(result)),
            "markdown": lambda: many_folders_markdown(result),
        },
        lambda: many_folders_text(result),
    )
    if result.trouble:
        say(f"reconcile: {result.trouble}")
    return ERROR if result.trouble else WITHIN


def _write(result: Review, outputs: Outputs, ogxm: Callable[[], bytes]) -> None:
    from reconcile.document import dumps
    from reconcile.report.ci.markdown.comparison import many_markdown
    from reconcile.report.html.many import many_page
    from reconcile.report.text.folders import many_text
    from reconcile.results.review import review_document

    outputs.write(
        {
            "html": lambda: many_page(result),
            "json": lambda: dumps(review_document(result)),
            "markdown": lambda: many_markdown(result),
            "ogxm": ogxm,
        },
        lambda: many_text(result),
    )
