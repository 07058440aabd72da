"""Single values that several formats share: texts, the parts of a JSON document, checked, and days
as they are written.

Anything may be anywhere in a damaged document; what is no day is unknown, never an error.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

from reconcile.errors import UnreadableFile

JsonObject = dict[str, Any]
LARGEST = 1000.0
"""No equity, chance or luck is larger, not even a backgammon at a high cube."""
NEW_PLAYER = 1600.0
"""The Elo that XG gives a player without any."""
LARGEST_RATING = 10_000.0
YEARS = range(1900, 2101)
"""A day outside is a mark for none (XG's 0 is in 1899) or damage."""
DAY_ZERO = date(1899, 12, 30)
"""From which XG counts, like Delphi, in which it is written."""
_WRITTEN = re.compile(r"\s*(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d)", re.ASCII)
_RATED = re.compile(
    r"(\S.*?)\s*(?:,\s*0*([1-9][\d.]*).*|\(\d{1,2}[.,]\d{1,3}\)|\(\d{3,4}(?:[.,]\d{1,3})?\))",
    re.ASCII,
)
ONE_MATCH = "is it one match?"
SEVERAL = "does the file contain several matches?"
TWICE = "does the file hold two matches, or one match twice?"
OWN_FILES = "save each match to its own file"
TABLES_END = "gnuBG's tables end there too"
"""What to do about a file of several matches, or of one that is too long."""
LAST_DAY = (date(YEARS.stop - 1, 12, 31) - DAY_ZERO).days


class Damaged(UnreadableFile):
    """A file has what its format cannot have; the text says what was expected and found.

    `Format.reading` adds the name of the file and what to do, unless `remedy` says it.
    """

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.args, self.remedy = (reason, remedy), remedy


@contextmanager
def within(place: object, remedy: str = "", also: type[Exception] = Damaged) -> Iterator[None]:
    """What is `Damaged` in here, or raises `also`, raises `Damaged` with this place before it, as
    it is then in words, and with this remedy unless it has its own."""
    try:
        yield
    except (Damaged, also) as error:
        raise Damaged(f"{place}: {error}", getattr(error, "remedy", "") or remedy) from None


def integer(
    table: JsonObject, key: str, lowest: int, highest: int, default: int | None = None
) -> int:
    """A whole number of an object; `default` if it is missing. Raises `Damaged` if it has none, is
    something else or out of bounds."""
    value = table.get(key, default)
    if type(value) is not int or not lowest <= value <= highest:
        raise Damaged(f"expected {key} from {lowest} to {highest}, found {shown(value)}")
    return value


def flag(table: JsonObject, key: str, default: bool) -> bool:
    """A yes or no of an object; `default` if it is missing. Raises `Damaged`."""
    value = table.get(key, default)
    if type(value) is not bool:
        raise Damaged(f"expected {key} to be true or false, found {shown(value)}")
    return value


def text(table: JsonObject, key: str) -> str:
    """A text of an object, empty if it is missing or null. Raises `Damaged`."""
    value = table.get(key)
    if value is None:
        return ""
    if type(value) is not str or len(value) > 1000:
        raise Damaged(f"expected {key} to be a text of at most 1000 letters, found {shown(value)}")
    return value


def number(table: JsonObject, key: str, *, optional: bool = False) -> float:
    """A finite number of an object; NaN if it is null and may be. Raises `Damaged`."""
    value: Any = table.get(key)
    if value is None and optional:
        return math.nan
    if type(value) not in (int, float) or not abs(value) <= LARGEST:
        raise Damaged(f"expected {key} to be a number up to {LARGEST:.0f}, found {shown(value)}")
    return float(value)


def parts(table: JsonObject, key: str, most: int, *, optional: bool = False) -> list[JsonObject]:
    """A list of objects; empty if it is missing or null and may be. Raises `Damaged`."""
    value = table.get(key)
    if value is None and optional:
        return []
    if (
        type(value) is not list
        or len(value) > most
        or any(type(part_of_list) is not dict for part_of_list in value)
    ):
        raise Damaged(
            f"expected {key} to be a list of at most {most} objects, found {shown(value)}"
        )
    return value


def part(table: JsonObject, key: str) -> JsonObject | None:
    """An object inside another; `None` if it is missing or null. Raises `Damaged`."""
    value = table.get(key)
    if value is not None and type(value) is not dict:
        raise Damaged(f"expected {key} to be an object, found {shown(value)}")
    return value


def shown(value: object) -> str:
    """A value in a message."""
    if value is None:
        return "none"
    if isinstance(value, (list, dict)):
        return "other parts"
    return f"{type(value).__name__} {str(value)[:30]!r}"


def rating(elo: float, experience: float) -> float | None:
    """An Elo rating; `None` for what programs write of a player they do not rate, 0 or `NEW_PLAYER`
    after no points of play."""
    return elo if 0 < elo < LARGEST_RATING and (elo, experience) != (NEW_PLAYER, 0) else None


def written_day(text: str) -> date | None:
    """The day that a text begins with, year first: `2025-11-08`, `2025.11.08`, with or without a
    time after it."""
    written = _WRITTEN.match(text[:100])
    if not written or int(written[1]) not in YEARS:
        return None
    try:
        return date(int(written[1]), int(written[3]), int(written[4]))
    except ValueError:
        return None


def counted_day(days: float) -> date | None:
    """The day of a number of days since `DAY_ZERO`, whose fraction is the time."""
    if not 0 <= days <= LAST_DAY + 1:
        return None
    day = DAY_ZERO + timedelta(int(days))
    return day if day.year in YEARS else None


def day_of_seconds(seconds: object) -> date | None:
    """The day of a number of seconds since 1970, in Greenwich."""
    if type(seconds) is not int or not 0 < seconds < 86400 * 366 * 130:
        return None
    return date(1970, 1, 1) + timedelta(seconds=seconds)


def utf16(content: bytes) -> str:
    """The codec of text in UTF-16 ("Unicode" on Windows), with a byte order mark or without; empty
    for other text."""
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    zeros = "".join(str(at) for at, byte in enumerate(content[:4]) if not byte)
    return {"13": "utf-16-le", "02": "utf-16-be"}.get(zeros, "")


def in_utf8(content: bytes) -> bytes:
    """A text in UTF-16 in UTF-8; anything else as it is."""
    codec = utf16(content)
    return content.decode(codec, "replace").encode() if codec else content


def decoded(content: bytes) -> str:
    """A text in UTF-8, with a byte order mark or without, or else in code page 1252."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def with_line_feeds(content: bytes) -> str:
    """The same with line feeds at the ends of its lines."""
    return decoded(content).replace("\r\n", "\n").replace("\r", "\n")


def name_in(text: str) -> str:
    """A name without what does not print."""
    return "".join(filter(str.isprintable, text)).strip()


def without_rating(name: str) -> tuple[str, str]:
    """A name, and a rating that was behind its comma: gnuBG cuts it off there. A PR or an Elo in
    parentheses is cut off as well."""
    rated = _RATED.fullmatch(name)
    return (rated[1], rated[2] or "") if rated else (name, "")


def cut_short(text: str, most: int) -> str:
    """A text in a message, of at most so many letters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."
