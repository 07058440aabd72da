"""Limits on what one input may cost, in one place, each with what it protects.

Tools write files far below these; whatever exceeds one is refused at once, with a line that says
so.
"""

from __future__ import annotations

import math

from reconcile.errors import InvalidConfiguration

LONGEST_WAIT = 30 * 24 * 3600.0
"""Seconds; the longest time limit that may be asked for, since the clocks of some systems
overflow at 49 days."""

# -- archives

UNPACKED_FREE = 64 * 2**20
UNPACKED_TIMES = 50
"""Bytes that an archive may unpack to, at all and for each of its own bytes: matches pack to a
tenth, bombs to a thousandth."""
MEMBERS_FREE = 1000
BYTES_PER_MEMBER = 256
"""Members that an archive may have, at all and by its own size: a match takes more than that, a
thousand empty files take as long."""
LONGEST_HEADER = 2**16
"""Bytes of all headers before one member of a tar file: names and attributes, which are read
into memory whole."""

# -- matches

MOST_DECISIONS = 24_000
"""Decisions of a match; the longest known one has some 3,000. Every output that lists them grows
with them."""
MOST_ON_A_PAGE = 4000
"""Decisions that a page holds, the first ones; more would make it slow to open, and it says so."""
MOST_GAMES = 2000
"""Games of a match or session, each of which has its own figures; a match to 25 points has at
most 49."""

# -- text that people or programs write

LARGEST_YAML = 256 * 2**10
"""Bytes of a YAML file; far more than people write."""
LARGEST_YAML_SLOW = 32 * 2**10
"""Bytes of a YAML file that is parsed in Python, which takes a second for 100 KB: for its
messages, or where libyaml is missing."""
DEEPEST = 100
"""Levels of a YAML file, one in the other."""
LONGEST_NUMBER = 40
"""Characters of a number; Python cannot print one of thousands of digits, nor make it in a short
time."""
PRINTED = (
    "^\\s*[+\\-\N{MINUS SIGN}]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+\\-]?[0-9]{1,3})?\\s*%?\\s*$"
)
"""A number as programs print it."""
MOST_CLAIMS = 2000
"""Matches of which one candidate may give figures; each is looked for among the reference
matches."""
MOST_ROWS = 100_000
"""Lines of a table of figures, or items of a list."""
LARGEST_ANSWER = 256 * 2**20
"""Characters of the answer to a query, as an answer is put together in memory."""
MOST_IDLE_LINES = 100_000
"""Lines of a benchmark file without one about a position; the largest one has some 20 lines for
each."""

# -- documents of ours that are read back

LARGEST_JSON = 16 * 2**20
"""Bytes of a kept analysis: the longest match known takes a quarter, and brackets unpack to
twenty times their size."""


def seconds(number: float, name: str) -> float:
    """A time limit. Raises `InvalidConfiguration` for what is no number, zero, negative or
    years."""
    if not (math.isfinite(number) and 0 < number <= LONGEST_WAIT):
        raise InvalidConfiguration(
            f"{name}: expected a number of seconds above 0 and at most {LONGEST_WAIT:g}, found "
            f"{number:g}"
        )
    return number
