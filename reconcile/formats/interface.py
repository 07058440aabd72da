"""The formats: how the bytes of each are recognised, and which part of this folder reads them.

A new format is a folder (or a module) with a function `read`, and a row of `FORMATS`. It is
imported when a file of the format is read, or when its own `recognises` has to be asked, so that no
format pays for another.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, cast

from reconcile.formats.values import in_utf8
from reconcile.match.match import Match
from reconcile.wording import either

if TYPE_CHECKING:
    from reconcile.match.met import AnyMet

HEAD: Final = 4096
"""Bytes in which a mark is looked for."""
DATABASE: Final = ".db"
PLAIN: Final = (".xg", ".sgf", ".bgf", ".mat", ".txt", ".analysis.json", ".ogxm", ".gvab", ".gva")
MATCHES: Final = (*PLAIN, *(f"{ending}.gz" for ending in PLAIN), DATABASE)
"""Extensions of files read from a folder or an archive; a file named on the command line may have
any name."""
ZIP: Final = (".zip",)
TAR: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
PROTECTED_MAGIC: Final = b"BDBX\x01"
"""What a copy of a database with a password begins with."""
NO_TEXT: Final = re.compile(
    rb"(?:(?!\(;)[^\0-\x08\x0e-\x1f]){0,100}[\0-\x08\x0e-\x1f]|(?:\xef\xbb\xbf)?\s*[<{]|%PDF"
)
"""The beginning of what may have a text in it and is none: an archive, a picture, a document."""


class Adapter(Protocol):
    """What a format's module has."""

    def recognises(self, content: bytes) -> bool:
        """Whether the bytes are of this format; only where its row in `FORMATS` says `asked`."""

    def read(self, path: str, content: bytes, selector: str, met: AnyMet | None = None) -> Match:
        """The match in the bytes; `path` only names them in messages, `selector` is one of several
        matches, and `met` is given only where the row in `FORMATS` says `by_table`. Raises
        `UnreadableFile`."""

    def readers(
        self, path: str, content: bytes, met: AnyMet | None = None
    ) -> Sequence[Callable[[], Match]]:
        """What reads each analysis of one match in the bytes; only OGXM has several. Raises
        `UnreadableFile`."""


class Format(NamedTuple):
    """One format; it is recognised if everything that is given holds."""

    name: str
    """Its folder or module."""
    title: str
    """What it is called where another file was given."""
    start: bytes | tuple[bytes, ...] = b""
    """What its bytes begin with, or one of them."""
    marks: tuple[bytes, ...] = ()
    """What its first bytes contain, one at least."""
    asked: bool = False
    """Whether `recognises` has the last word."""
    selects: bool = False
    """Whether a file may have several matches."""
    by_table: bool = False
    """Whether a match equity table may turn its values into equities."""
    figures: bool = False
    """Whether a text of figures may look like it; a candidate is read as figures first."""

    def fits(self, content: bytes) -> bool:
        """Whether the bytes are of this format."""
        if not content.startswith(self.start) or (
            self.marks and not any(mark in content[:HEAD] for mark in self.marks)
        ):
            return False
        return not self.asked or self.adapter.recognises(content)

    @property
    def adapter(self) -> Adapter:
        """What reads it."""
        return cast("Adapter", import_module(f"reconcile.formats.{self.name}"))


XG: Final = Format("xg", "XG (.xg)", start=b"RGMH")
BLUNDERDB: Final = Format("blunderdb", "blunderDB (.db)", start=b"SQLite format 3\0", selects=True)
OGXM: Final = Format(
    "ogxm",
    "OGXM (.ogxm, .gvab, .gva)",
    start=(b"OGXM", b"{"),  # GammonView also writes JSON
    marks=(b"OGXM", b'"match_length"', b'"black_score"', b'"action_id"'),
    selects=True,
    by_table=True,
)
GNUBG_TEXT: Final = Format("gnubg_text", "its text (.txt)", asked=True, by_table=True, figures=True)
FORMATS: Final = (
    XG,
    BLUNDERDB,
    OGXM,
    Format("evaluated", "reconcile (.analysis.json)", start=b'{"analysis_version":'),
    Format("bgblitz", "BGBlitz (.bgf)", start=b"{", asked=True),
    Format("gnubg", "gnuBG (.sgf)", marks=(b"(;", b"GM[")),
    GNUBG_TEXT,
    Format("mat", "a transcript (.mat, .txt)", asked=True, figures=True),
)
"""The first one that fits is taken."""
EXPECTED: Final = f"a match of {either([form.title for form in FORMATS])}"


def seems(content: bytes) -> tuple[str, str]:
    """What bytes of no format seem to be, and what would be right."""
    from reconcile.files.yaml_file import read_tree
    from reconcile.formats.printed import is_printed

    if not content.strip(b"\0 \t\r\n"):
        return "only blanks" if content else "an empty file", "fetch or export it again"
    head = content[:HEAD].removeprefix(BOM_UTF8)
    for remedy, kinds in read_tree(Path(__file__).with_name("foreign.yaml")).items():
        for kind, pattern in kinds.items():
            if re.match(pattern.encode("latin-1"), head, re.DOTALL):
                return kind, remedy
    if is_printed(content[: 16 * HEAD]):
        return "the text of statistics", "choose the match, and paste this text beside it"
    return "a text that is no match", "export the match again from the program that has it"


def format_of(content: bytes) -> Format | None:
    """The format of some bytes, `None` if it is none of these."""
    content = in_utf8(content)
    is_text = not NO_TEXT.match(content)
    return next((form for form in FORMATS if (form.start or is_text) and form.fits(content)), None)
