"""`reconcile measure`."""

from __future__ import annotations

import click

from reconcile.cli.common import once_standard, say
from reconcile.cli.streams import echo


@click.command()
@click.argument("pack", required=False)
@click.option("--tolerances", metavar="FILE", help="File of tolerance tables (default: the one bundled with the program).")
@click.option("--json", "json_", metavar="FILE", help="Write the measured table as JSON.")
@click.option("--markdown", metavar="FILE", help="Write it as Markdown.")
@click.option("--yaml", "yaml_", metavar="FILE", help="Write it as tolerance tables, with the reasons left for you to fill in.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
def measure(pack: str | None, tolerances: str | None, json_: str | None, markdown: str | None, yaml_: str | None, quiet: bool) -> None:
    """Print how wide the gaps of a pack are, one line per tolerance table and figure.

    PACK is a folder of reference matches (default: the one bundled with the program). Synthetic matches and incomplete figures are left
    out. Pairs without a tolerance table are measured as well, so that bounds for them can be chosen.

    Example: reconcile measure reference_matches --yaml measured.yaml
    """
    from pathlib import Path

    from reconcile.errors import NothingToCompare
    from reconcile.files.bundled import bundled
    from reconcile.files.output import STANDARD, write_all
    from reconcile.gap.tolerances import load_tolerances
    from reconcile.gate.measure import measured
    from reconcile.gate.validate import match_results, samples
    from reconcile.report.ci.markdown.measurement import measurement_markdown
    from reconcile.report.text.measurement import measurement_text, measurement_yaml

    once_standard("--json, --markdown and --yaml", json_, markdown, yaml_)
    folder = Path(pack) if pack else bundled("reference_matches")
    matches = match_results(folder, load_tolerances(tolerances))
    rows = measured(samples(matches, explained=True))
    if not rows:
        raise NothingToCompare(f"{folder}: no figure could be measured; fetch the files, or add figures or pairs to the manifests")
    name = folder.resolve().name
    outputs = []
    if json_ is not None:
        from reconcile.gate.documents import measurement_document
        from reconcile.results.documents import dumps

        outputs.append((json_, dumps(measurement_document(name, rows))))
    if markdown is not None:
        outputs.append((markdown, measurement_markdown(rows)))
    if yaml_ is not None:
        outputs.append((yaml_, measurement_yaml(rows, name)))
    write_all(outputs)
    if not quiet:
        echo(measurement_text(rows), nl=False, err=STANDARD in (json_, markdown, yaml_))
        for match in matches:
            for reason in match.not_compared:
                say(f"not measured: {match.manifest.id}: {reason}")
        for path, _ in outputs:
            if path != STANDARD:
                say(f"wrote {path}")
