"""Programs behind the protocol of the suite, for tests of what is made of their answers."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

ABOUT = (
    '{"protocol": 1, "program": "made", "version": "1", "formats": ["xg"], "figures": [], '
    '"rules": "xg"}'
)
LOOP = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["cmd"] == "stop":
        break
    if asked["cmd"] == "start":
        print('{about}', flush=True)
        continue
    {answer}
"""


def program(folder: Path, answer: str, about: str = ABOUT) -> str:
    """The command of a program that answers so."""
    path = folder / "program.py"
    path.write_text(LOOP.replace("{about}", about).replace("{answer}", answer), "utf-8")
    return shlex.join([sys.executable, str(path)])
