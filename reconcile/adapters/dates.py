"""The day of a match as the formats write it; what is no day is unknown, never an error."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

YEARS: Final = range(1900, 2101)
"""A day outside is a mark for none (XG's 0 is in 1899) or damage."""
DAY_ZERO: Final = date(1899, 12, 30)
"""From which XG counts, like Delphi, in which it is written."""
_WRITTEN: Final = re.compile(r"\s*(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d)", re.ASCII)
LAST_DAY: Final = (date(YEARS.stop - 1, 12, 31) - DAY_ZERO).days


def written_day(text: str) -> date | None:
    """The day that a text begins with, year first: `2025-11-08`, `2025.11.08`, with or without a time after it."""
    found = _WRITTEN.match(text[:100])
    if not found or int(found[1]) not in YEARS:
        return None
    try:
        return date(int(found[1]), int(found[3]), int(found[4]))
    except ValueError:
        return None


def counted_day(days: float) -> date | None:
    """The day of a number of days since `DAY_ZERO`, whose fraction is the time."""
    if not 0 <= days <= LAST_DAY + 1:
        return None
    day = DAY_ZERO + timedelta(int(days))
    return day if day.year in YEARS else None
