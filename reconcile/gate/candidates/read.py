"""Reads candidates by their content: match files, and figures or decisions in JSON or CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from reconcile.errors import ReconcileError, UnreadableFile
from reconcile.files.inputs import STANDARD_INPUT, first_bytes
from reconcile.formats import load_matches, read_match
from reconcile.formats.interface import BLUNDERDB, HEAD, PROTECTED_MAGIC, Format, format_of
from reconcile.formats.values import utf16
from reconcile.gate.candidates.claims import Candidate, Unsupported, short
from reconcile.gate.candidates.forms import FORMS, CandidateText
from reconcile.wording import one_line

LONGEST_REASON: Final = 200
LARGEST: Final = 16 * 2**20
"""Limit for figures and lists; match files have their own."""
EXPECTED: Final = (
    "expected a match (.xg, .sgf, .bgf, blunderDB database, OGXM document), or figures or "
    "decisions in JSON or CSV (docs/candidates.md has scripts that make these of other texts)"
)


def read_candidates(
    words: Iterable[str], errors: dict[Path, ReconcileError] | None = None
) -> tuple[Candidate, ...]:
    """Everything in files and folders, without repetition.

    `-` is standard input. `FILE#MATCH` names the reference match of a file; `FILE.db#ID` names a
    match inside a database. Raises `UnreadableFile`, `InvalidConfiguration` with one line; with
    `errors`, adds them there instead.
    """
    candidates: dict[tuple[str, str, str, int], Candidate] = {}
    for path, name, about in (file for word in words for file in _files(word)):
        try:
            candidate = _read_file(path, name, about)
        except ReconcileError as error:
            if errors is None:
                raise
            errors[path] = error
        else:
            several = id(candidate) if candidate.matches else 0
            key = candidate.name, candidate.sha256, candidate.about, several
            candidates.setdefault(key, candidate)
    return tuple(candidates.values())


def _files(word: str) -> Iterator[tuple[Path, str, str]]:
    """The files of a word: path, path as written, and the part after `#`."""
    before, mark, about = word.rpartition("#")
    if not (mark and before) or _exists(Path(word)):  # a file has that whole name
        before, about = word, ""
    path = Path(before)
    if not (_exists(path) and path.is_dir()):
        yield path, word, about
        return
    files = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
    yield from ((file, str(file), about) for file in files or [path])


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # the name is too long or has a zero byte
        return False


def _read_file(path: Path, word: str, about: str) -> Candidate:
    is_input = str(path) == STANDARD_INPUT
    name, exists = "standard input" if is_input else path.name, is_input or _exists(path)
    if exists and path.is_dir():
        raise UnreadableFile("expected a folder with candidates, found an empty one", path)
    if exists and not path.is_file():  # a pipe can be read only once
        candidate = read_printed(name, _bytes(path, name))
    else:
        head = first_bytes(path, HEAD)
        form = _match_format(head)
        if form or head.startswith(PROTECTED_MAGIC):
            # For a file of several matches the part after `#` names one of its own.
            selects = form is not None and form.selects
            matches = tuple(load_matches(word if selects else path))
            if not matches:
                raise UnreadableFile("expected a database with matches, found none in it", path)
            digest, about = matches[0].source.sha256, "" if selects else about
            return Candidate(name, digest, matches=matches, about=about)
        candidate = _read_text(str(path), _bytes(path, str(path)))
    if not about:
        return candidate
    claims = tuple(replace(claim, match=about) for claim in candidate.claims)
    return replace(candidate, about=about, claims=claims)


def _match_format(content: bytes) -> Format | None:
    """The format of a match by its first bytes; `None` for what may be a text of figures."""
    form = format_of(content)
    return None if form is None or form.figures else form


def _bytes(path: Path, name: str) -> bytes:
    content = first_bytes(path, LARGEST + 1)
    if len(content) > LARGEST:
        most = f"expected figures, found more than {LARGEST >> 20} MB; is it the right file?"
        raise UnreadableFile(most, name)
    return content


def _decoded(where: str, content: bytes) -> str:
    if not content.strip(b"\0 \t\r\n"):
        raise UnreadableFile(f"{EXPECTED}, found {'only blanks' if content else 'nothing'}", where)
    if codec := utf16(content):
        return content.decode(codec, "replace")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        wrong = f"expected UTF-8, found byte 0x{content[error.start]:02x}"
        raise UnreadableFile(f"{wrong}; save the file in UTF-8", where, line) from None
    if "\0" in text:
        raise UnreadableFile(f"{EXPECTED}, found binary data", where)
    return text.lstrip("\ufeff")


def read_printed(where: str, content: bytes) -> Candidate:
    """The same from the output of a program; `where` names it in messages."""
    form = _match_format(content)
    if form is BLUNDERDB:
        wrong = "printed a database; make it print figures, or give the database with --candidate"
        raise UnreadableFile(wrong, where)
    if form:
        match = read_match(where, content)
        return Candidate(where, match.source.sha256, matches=(match,))
    return _read_text(where, content)


def _read_text(where: str, content: bytes) -> Candidate:
    """A candidate from text. Raises `InvalidConfiguration`, `UnreadableFile` with one line."""
    source = CandidateText(where, _decoded(where, content))
    if isinstance(source.tree, dict) and list(source.tree) == ["unsupported"]:
        raise Unsupported(one_line(str(source.tree["unsupported"]))[:LONGEST_REASON], where)
    digest, name = sha256(content).hexdigest(), Path(where).name
    for form in FORMS:
        if form.recognises(source):
            claims = tuple(form.claims(source))
            program, *more = {claim.program for claim in claims}
            if len(claims) == 1 and not program:
                claims = (replace(claims[0], is_alone=True),)
            return Candidate((not more and program) or name, digest, claims)
    from reconcile.formats.mat import recognises

    if recognises(content):
        return Candidate(name, digest, matches=(read_match(where, content),))
    raise UnreadableFile(f"{EXPECTED}, found {short(source.text.strip()[:40])}", where)
