"""Tables of cases in a YAML file beside their tests: `verdict.yaml` beside `test_verdict.py` has a
list of rows for each test."""

from functools import cache
from pathlib import Path

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""That of libyaml takes a tenth of the time."""


@cache
def beside(file, name=""):
    """What a YAML file beside another file has, by default that of the same name."""
    path = Path(file)
    text = path.with_name(name or f"{path.stem.removeprefix('test_')}.yaml").read_text("utf-8")
    return yaml.load(text, LOADER)  # a safe one


def cases_of(test, table):
    """The rows of a table; `test` is the file that asks. A sequence within a row is a tuple; a row
    with a name has it as its `claim`."""
    rows = beside(test)[table]
    if isinstance(rows, dict):
        return [{"claim": claim, **row} for claim, row in rows.items()]
    return [tuple(map(_frozen, row)) if isinstance(row, list) else row for row in rows]


def _frozen(value):
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
