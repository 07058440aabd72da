"""Limits on what one input may cost, in one place, each with what it protects.

Tools write files far below these; whatever exceeds one is refused at once, with a line that says so.
"""

from __future__ import annotations

from typing import Final

LONGEST_WAIT: Final = 30 * 24 * 3600.0
"""Seconds; the longest time limit that may be asked for, since the clocks of some systems overflow at 49 days."""
