"""`reconcile measure`."""

from __future__ import annotations

import click

from reconcile.cli.common import say
from reconcile.cli.outputs import Form, Outputs, writes


@click.command()
@click.argument("pack", required=False)
@click.option("--tolerances", metavar="FILE", help="File of tolerance tables (default: the one bundled with the program).")
@writes(
    Form("json", "Write the measured table as JSON."),
    Form("markdown", "Write it as Markdown."),
    Form("yaml", "Write it as tolerance tables, with the reasons left for you to fill in."),
)
def measure(pack: str | None, tolerances: str | None, outputs: Outputs) -> None:
    """Print how wide the gaps of a pack are, one line per tolerance table and figure.

    PACK is a folder of reference matches (default: the one bundled with the program). Synthetic matches and incomplete figures are left
    out. Pairs without a tolerance table are measured as well, so that bounds for them can be chosen.

    Example: reconcile measure reference_matches --yaml measured.yaml
    """
    from pathlib import Path

    from reconcile.errors import NothingToCompare
    from reconcile.files.bundled import bundled
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.documents import measurement_document
    from reconcile.gate.measure import measured
    from reconcile.gate.validate import match_results, samples
    from reconcile.report.ci.markdown.measurement import measurement_markdown
    from reconcile.report.text.measurement import measurement_text, measurement_yaml
    from reconcile.results.documents import dumps

    folder = Path(pack) if pack else bundled("reference_matches")
    matches = match_results(folder, load_tolerances(tolerances))
    rows = measured(samples(matches, explained=True))
    if not rows:
        raise NothingToCompare(f"{folder}: no figure could be measured; fetch the files, or add figures or pairs to the manifests")
    name = folder.resolve().name
    outputs.write(
        {
            "json": lambda: dumps(measurement_document(name, rows)),
            "markdown": lambda: measurement_markdown(rows),
            "yaml": lambda: measurement_yaml(rows, name),
        },
        lambda: measurement_text(rows),
    )
    for match in matches if not outputs.quiet else ():
        for reason in match.not_compared:
            say(f"not measured: {match.manifest.id}: {reason}")
