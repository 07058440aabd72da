"""Run the commands of docs/walkthrough.md and its second page and write what they print into the
pages again.

    python -m tests.support.walkthrough

Every `sh` block is run, one after the other in one shell; a `text` block that follows it holds what
it prints. The `bash` blocks, which install a program from PyPI, are run apart from them.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.command_line import environment
from tests.support.data import PROJECT

PAGES = (PROJECT / "docs" / "walkthrough.md", PROJECT / "docs" / "walkthrough-more.md")
TURN = "\f"
"""Between two pages that are read as one."""
OURS, PEER = "sh", "bash"
"""Of blocks: those that need reconcile alone, and those that install another program."""
MARK = "== end of block"


def all_pages():
    """The pages one after the other."""
    return TURN.join(page.read_text("utf-8") for page in PAGES)


def blocks_of(kind):
    """Blocks of a kind, each with what it prints."""
    return re.compile(
        rf"^```{kind}\n(?P<commands>.*?)^```\n(?:\n```text\n(?P<printed>.*?)^```\n)?",
        re.DOTALL | re.MULTILINE,
    )


def commands(page, kind=OURS):
    """What a reader types, block by block."""
    return [block["commands"] for block in blocks_of(kind).finditer(page)]


def printed(page, kind):
    """What every block prints, run in a folder that is empty at first. Raises `RuntimeError` where
    a block fails."""
    script = "".join(f'{block}printf "\\n{MARK} %d\\n" $?\n' for block in commands(page, kind))
    with tempfile.TemporaryDirectory() as folder:
        home, tools = Path(folder, "home"), Path(folder, "tools")
        home.mkdir()
        tools.mkdir()
        for name, words in (("python3", ""), ("reconcile", " -m reconcile")):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n', "utf-8")
            (tools / name).chmod(0o755)
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        settings = environment(PATH=path, HOME=str(home))
        bash = ["bash", "-c", f"exec 2>&1\n{script}"]
        done = subprocess.check_output(bash, cwd=home, env=settings, encoding="utf-8", timeout=300)
    *blocks, rest = re.split(rf"\n{MARK} (\d+)\n", done)
    if rest or {*blocks[1::2]} != {"0"}:
        raise RuntimeError(f"a block of the walk-through fails:\n{done}")
    return blocks[::2]


def fresh(page, kind=OURS):
    """The page with what its commands of a kind print now."""
    outputs = iter(printed(page, kind))

    def again(block):
        text = next(outputs)
        if block["printed"] is None:
            assert not text, f"a block prints what the page does not show:\n{text}"
            return block[0]
        ending = "" if not text or text.endswith("\n") else "\n"
        return f"```{kind}\n{block['commands']}```\n\n```text\n{text}{ending}```\n"

    return blocks_of(kind).sub(again, page)


if __name__ == "__main__":
    for page, text in zip(PAGES, fresh(fresh(all_pages()), PEER).split(TURN), strict=True):
        page.write_text(text, "utf-8", newline="\n")
