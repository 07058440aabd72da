"""Markdown within the limit of a service: whole while it fits, then each part cut at its end, and
said so.
"""

import re

from hypothesis import given
from hypothesis import strategies as st

from reconcile.report.blocks import CUT, fitted
from tests.report.ci.outputs import rendered

TABLE = "| match | verdict |\n| --- | --- |\n" + "".join(
    f"| match {n} | outside |\n" for n in range(500)
)
LIST = "".join(f"- finding {n}\n" for n in range(500))
LONG = f"## 3 of 4 within tolerance\n\n{TABLE}\n{LIST}\nThe end.\n"


def size(text):
    return len(text.encode("utf-8"))


def test_what_fits_is_left_alone():
    assert fitted(LONG, size(LONG)) == LONG


def test_every_part_keeps_its_beginning_and_counts_what_is_left_out():
    text = fitted(LONG, 4000)
    assert size(text) <= 4000
    assert text.startswith(
        "## 3 of 4 within tolerance\n\n| match | verdict |\n| --- | --- |\n| match 0 | outside |\n"
    )
    assert "\n- finding 0\n- finding 1\n" in text
    assert text.endswith(f"The end.\n\n{CUT}\n")
    left = [int(number) for number in re.findall(r"\*(\d+) more lines not shown here\.\*", text)]
    assert left == [500 - text.count("| outside |"), 500 - text.count("- finding")]
    assert rendered(text).count("table_open") == 1


@given(
    st.lists(
        st.lists(st.text("ab|-é🎲 ", min_size=1, max_size=40), min_size=1, max_size=30),
        min_size=1,
        max_size=8,
    ),
    st.integers(-10, 3000),
)
def test_never_longer_than_allowed_and_never_a_broken_letter(blocks, limit):
    markdown = "\n\n".join("\n".join(lines) for lines in blocks) + "\n"
    text = fitted(markdown, limit)
    assert size(text) <= max(limit, 0)
    assert text in ("", markdown) or text.endswith(f"{CUT}\n")
