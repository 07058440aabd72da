"""Limits on what one input may cost, in one place, each with what it protects.

Tools write files far below these; whatever exceeds one is refused at once, with a line that says so.
"""

from __future__ import annotations

from typing import Final

LONGEST_WAIT: Final = 30 * 24 * 3600.0
"""Seconds; the longest time limit that may be asked for, since the clocks of some systems overflow at 49 days."""

# -- archives ----------------------------------------------------------------------------------------------------------

UNPACKED_FREE: Final = 64 * 2**20
UNPACKED_TIMES: Final = 50
"""Bytes that an archive may unpack to, at all and for each of its own bytes: matches pack to a tenth, bombs to a thousandth."""
MEMBERS_FREE: Final = 1000
BYTES_PER_MEMBER: Final = 256
"""Members that an archive may have, at all and by its own size: a match takes more than that, a thousand empty files take as long."""
LONGEST_HEADER: Final = 2**16
"""Bytes of all headers before one member of a tar file: names and attributes, which are read into memory whole."""
