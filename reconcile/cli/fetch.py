"""`reconcile fetch`."""

from __future__ import annotations

import click

from reconcile.cli.common import ERROR, Seconds, progress, say
from reconcile.cli.streams import echo


@click.command()
@click.argument("pack", required=False)
@click.option(
    "--timeout",
    type=Seconds(1),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for a silent server.",
)
@click.option("--allow-private", is_flag=True, help="Also download from this computer and private networks.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
@click.pass_context
def fetch(ctx: click.Context, pack: str | None, timeout: float, allow_private: bool, quiet: bool) -> None:
    """Download the public files of a pack, and check their size and SHA-256.

    PACK is a folder of reference matches (default: the one bundled with the program). Files are saved in the user's cache folder, or
    in the folder named by RECONCILE_CACHE, where `validate` finds them; files already there are not downloaded again.
    """
    from pathlib import Path

    from reconcile.files.bundled import bundled, cache_folder
    from reconcile.gate.fetch import fetch as fetch_pack

    with progress(quiet=quiet, in_bytes=True) as show:
        # Printed once the progress bar is gone, since they would share a line on a terminal.
        folder = Path(pack) if pack else bundled("reference_matches")
        shown = fetch_pack(folder, silence=timeout, private=allow_private, progress=lambda file, size: show(file.name, size, file.bytes))
        every = list(shown)
    for one in every:
        if one.error:
            say(f"reconcile: {one.match}, {one.handle}: {' '.join(one.error.split())}")
        elif not quiet:
            echo(f"{'fetched' if one.new else 'present':<9}{one.match}, {one.handle}: {one.file.name}, {one.file.bytes} bytes")
    new, failed = sum(one.new for one in every), sum(bool(one.error) for one in every)
    if not quiet:
        counts = [f"{new} fetched", f"{len(every) - new - failed} already present"] + ([f"{failed} failed"] if failed else [])
        echo(f"{', '.join(counts)}; cache: {cache_folder()}" if every else "nothing to fetch: the pack includes every file")
    if failed:
        ctx.exit(ERROR)
