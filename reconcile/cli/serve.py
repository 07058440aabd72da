"""`reconcile serve`."""

from __future__ import annotations

import click

from reconcile.cli.common import echo, say


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="HOST",
    help="Address; 0.0.0.0 lets other computers of your network in.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port (default: a free one).",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def serve(host: str, port: int, no_browser: bool) -> None:
    """Open a page on this computer to drop match files on.

    Statistics, comparisons, investigations without a command line.

    Nothing leaves the computer. The address has a token, so no other page can use it. Ctrl-C stops
    it.

    Example: reconcile serve
    """
    from importlib.util import find_spec

    from reconcile.errors import MissingPackage

    if not all(map(find_spec, ("starlette", "uvicorn", "python_multipart"))):
        raise MissingPackage(
            "the page needs starlette, uvicorn and python-multipart; pip install "
            "'gammon-reconcile[serve]'"
        )
    from reconcile.serve.server import LOCAL, browser
    from reconcile.serve.server import serve as run

    def ready(address: str) -> None:
        echo(f"serving {address}")
        if host != LOCAL:
            say("everybody who can reach this computer and knows the token can use the page")
        if not no_browser:
            start(address)

    with browser() as start:
        run(host, port, ready)
