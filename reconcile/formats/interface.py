"""The formats: how the bytes of each are recognised, and which part of this folder reads them.

A new format is a folder (or a module) with a function `read`, and a row of `FORMATS`. It is
imported when a file of the format is read, or when its own `recognises` has to be asked, so that no
format pays for another.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from reconcile.errors import UnreadableFile
from reconcile.files.inputs import LARGEST_FILE
from reconcile.files.limits import LARGEST_JSON
from reconcile.formats.common import ONE_MATCH, Damaged, in_utf8
from reconcile.match.match import Match
from reconcile.wording import either

if TYPE_CHECKING:
    from reconcile.match.met import AnyMet

HEAD = 4096
"""Bytes in which a mark is looked for."""
DATABASE = ".db"
PLAIN = (".xg", ".sgf", ".bgf", ".mat", ".txt", ".analysis.json", ".ogxm", ".gvab", ".gva")
MATCHES = (*PLAIN, *(f"{ending}.gz" for ending in PLAIN), DATABASE)
"""Extensions of files read from a folder or an archive; a file named on the command line may have
any name."""
ZIP = (".zip",)
TAR = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
PROTECTED_MAGIC = b"BDBX\x01"
"""What a copy of a database with a password begins with."""
NO_TEXT = re.compile(
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
        `Damaged`, `UnreadableFile`."""

    def readers(
        self, path: str, content: bytes, met: AnyMet | None = None
    ) -> Sequence[Callable[[], Match]]:
        """What reads each analysis of one match in the bytes; only OGXM has several. Raises
        `Damaged`, `UnreadableFile`."""


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
    noun: str = ""
    """What a damaged file is called; empty where the place in it is enough."""
    remedy: str = "export the match again"
    """What to do about it."""
    largest: int = LARGEST_FILE
    """Bytes of a match."""

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

    @contextmanager
    def reading(self, path: str, content: bytes = b"") -> Iterator[None]:
        """What is `Damaged` in here, and too much content, raises `UnreadableFile` with the name of
        the file and what to do."""
        try:
            if len(content) > self.largest:
                most = f"at most {self.largest >> 20} MB"
                raise Damaged(f"expected a match of {most}, found more", ONE_MATCH)
            yield
        except Damaged as error:
            reason = f"{self.noun}: {error}".removeprefix(": ")
            raise UnreadableFile(f"{reason}; {error.remedy or self.remedy}", path) from None


XG = Format(
    "xg",
    "XG (.xg)",
    start=b"RGMH",
    noun="damaged XG file",
    remedy="save the match again in XG or fetch the file again",
)
BLUNDERDB = Format(
    "blunderdb",
    "blunderDB (.db)",
    start=b"SQLite format 3\0",
    selects=True,
    remedy="is it a complete database of blunderDB?",
)
OGXM = Format(
    "ogxm",
    "OGXM (.ogxm, .gvab, .gva)",
    start=(b"OGXM", b"{"),  # GammonView also writes JSON
    marks=(b"OGXM", b'"player_white"', b'"black_score"', b'"action_id"'),
    selects=True,
    by_table=True,
    noun="OGXM document",
    remedy="save the match in another format of the program that has it",
    largest=8 * 2**20,  # five analyses of a match to seven take a tenth
)
GNUBG_TEXT = Format(
    "gnubg_text",
    "its text (.txt)",
    asked=True,
    by_table=True,
    figures=True,
    remedy="export the match again from gnuBG, in English",
    largest=32 * 2**20,  # of all pages of a match; a game takes 100,000 bytes
)
MAT = Format(
    "mat",
    "a transcript (.mat, .txt)",
    asked=True,
    figures=True,
    remedy="correct the line or export the match again",
    largest=2**20,  # a match to 25 takes 16,000 bytes
)
FORMATS = (
    XG,
    BLUNDERDB,
    OGXM,
    Format(
        "evaluated",
        "reconcile (.analysis.json)",
        start=b'{"analysis_version":',
        noun="damaged analysis",
        remedy="make it again with `reconcile analyse`",
        largest=LARGEST_JSON,
    ),
    Format(
        "bgblitz",
        "BGBlitz (.bgf)",
        start=b"{",
        asked=True,
        noun="damaged BGBlitz file",
        remedy="save the match again in BGBlitz or fetch the file again",
    ),
    Format(
        "gnubg",
        "gnuBG (.sgf)",
        marks=(b"(;", b"GM["),
        remedy="save the match again in gnuBG or fetch the file again",
    ),
    GNUBG_TEXT,
    MAT,
)
"""The first one that fits is taken."""
EXPECTED = f"a match of {either([form.title for form in FORMATS])}"


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
