"""`reconcile page`."""

from __future__ import annotations

import subprocess
import sys
import webbrowser
from pathlib import Path

import click

from reconcile.cli.common import output, say
from reconcile.errors import MissingPackage

CHECKOUT = Path(__file__).parents[2]


@click.command()
@output("-o --output FILE.html", "Where to write it (default: reconcile.html).")
def page(output: str | None) -> None:
    """Write the one-file page and open it.

    Drop match files on it: statistics, comparisons, investigations and an engine without a command
    line. It needs no server and no network.

    Example: reconcile page -o reconcile.html
    """
    target = output or "reconcile.html"
    if not target.lower().endswith(".html"):
        raise click.BadParameter(
            f"expected a name ending in .html, found {target!r}", param_hint="-o"
        )
    if not (CHECKOUT / "web" / "build.py").exists():
        raise MissingPackage(
            "the page is not released yet; build it in a checkout of this program: "
            "python -m web.build -o reconcile.html"
        )
    words = [sys.executable, "-m", "web.build", "-o", str(Path(target).absolute())]
    if code := subprocess.run(words, cwd=CHECKOUT, check=False).returncode:  # noqa: S603
        raise SystemExit(code)
    say(f"opening {target}")
    webbrowser.open(Path(target).absolute().as_uri())
