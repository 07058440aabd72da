"""GNU Backgammon behind the protocol of the conformance suite: one gnuBG, started once, loads every
file and shows its own statistics.

reconcile suite run --harness 'python harnesses/gnubg_harness.py'
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from reconcile.engines.gnubg import find
from reconcile.formats.printed import read_pasted

MADE = ("checker_pr", "cube_pr")
"""Made of a rate that gnuBG prints with other digits."""
DONE = "harness: that is all"
SCRIPT = f"""
import sys
gnubg.command("set threads 1")
print({DONE!r}, flush=True)
while True:
    line = sys.stdin.readline().strip()
    if not line:
        break
    gnubg.command("load match " + line)
    gnubg.command("show statistics match")
    print({DONE!r}, flush=True)
"""


def answer(gnubg: subprocess.Popen[str]) -> str:
    """What gnuBG prints until it has done what it was asked."""
    assert gnubg.stdout is not None
    printed = ""
    for line in gnubg.stdout:
        if line.strip() == DONE:
            return printed
        printed += line
    raise SystemExit(f"gnuBG ended early: {printed[-200:]}")


def main() -> None:
    """Answer line by line."""
    program = find()
    with tempfile.TemporaryDirectory() as home:
        script = Path(home) / "main.py"
        script.write_text(SCRIPT, "utf-8")
        words = [str(program.path), "-t", "-q", "-r", "-p", str(script)]
        gnubg = subprocess.Popen(  # noqa: S603
            words, stdin=-1, stdout=-1, text=True, env={"HOME": home, "LC_ALL": "C"}
        )
        assert gnubg.stdin is not None
        answer(gnubg)
        for line in sys.stdin:
            asked = json.loads(line)
            if asked["cmd"] == "stop":
                break
            if asked["cmd"] == "start":
                about = {
                    "program": "GNU Backgammon",
                    "version": program.version,
                    "formats": ["sgf"],
                    "figures": [],
                    "rules": "gnubg",
                }
                print(json.dumps({"protocol": 1, **about}), flush=True)
                continue
            print(f'"{asked["path"]}"', file=gnubg.stdin, flush=True)
            pasted = read_pasted("gnuBG", answer(gnubg).encode())
            players = {
                name: {
                    figure.metric: figure.text for figure in figures if figure.metric not in MADE
                }
                for name, figures in zip(pasted.players, pasted.columns, strict=True)
            }
            print(json.dumps({"id": asked["id"], "players": players}), flush=True)
        gnubg.kill()


if __name__ == "__main__":
    main()
