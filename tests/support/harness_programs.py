"""Programs behind the protocol of the suite, for tests of what is made of their answers."""

import shlex
import sys

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


def program(folder, answer, about=ABOUT):
    """The command of a program that answers so."""
    path = folder / "program.py"
    path.write_text(LOOP.replace("{about}", about).replace("{answer}", answer), "utf-8")
    return shlex.join([sys.executable, str(path)])
