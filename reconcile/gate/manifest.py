"""The manifests of a pack of reference matches: what a `match.yaml` can contain, and where its
files are: in the pack, in a folder of copies, or in the cache of `reconcile fetch`, into which they
are downloaded.

A pack is a folder with one folder per match, each with a `match.yaml`. Reported figures are
entered by people who read them in the tool, and are never regenerated. Only a file with the right
size and SHA-256 is used; another file of the same name is ignored. What is large and quickly made
of files is not held: many matches need no more memory than few.
"""

from __future__ import annotations

import os
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, partial
from glob import escape
from hashlib import file_digest, sha256
from importlib import import_module
from ipaddress import ip_address
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Generic, Literal, TypeVar, cast
from urllib.parse import urljoin, urlsplit

from pydantic import (
    AfterValidator,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    model_validator,
)

from reconcile.errors import (
    InvalidConfiguration,
    Misplaced,
    MissingPackage,
    ReconcileError,
    UnknownName,
    UnreadableFile,
    reason_of,
)
from reconcile.files.bundled import cache_folder
from reconcile.files.inputs import LARGEST_FILE, open_regular, read_bytes
from reconcile.files.limits import LONGEST_WAIT
from reconcile.files.model import Model
from reconcile.files.output import write
from reconcile.files.yaml_file import place, read_yaml, scalar
from reconcile.formats import read_match
from reconcile.match.names import fold
from reconcile.rules.rulesets import RULE_SETS, is_rule_file, rule_set
from reconcile.scoring.figures import metric
from reconcile.version import __version__
from reconcile.wording import one_line

MANIFEST = "match.yaml"
PACK = "pack.yaml"
LONGEST_NAME = 200
SHORTEST_ORIGIN = 10
"""Fewest characters of a provenance or a source; fewer cannot say who, where and when."""
_DEVICE = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(\..*)?", re.IGNORECASE
)
"""Names that Windows reserves for devices, with any extension."""


def secure_address(url: str) -> str:
    """The address, if it is https, or http on this computer. Raises `ValueError`."""
    parts = urlsplit(url)
    host, schemes = parts.hostname or "", {"https"}
    with suppress(ValueError):  # a name
        if host == "localhost" or ip_address(host).is_loopback:
            schemes.add("http")  # a test's server needs no certificate
    is_plain = url.isprintable() and " " not in url and parts.username is None
    if not (parts.scheme in schemes and host and is_plain and parts.port != 0):
        without = "without user name, blanks and control characters"
        raise ValueError(f"expected an https:// address with a host, {without}")
    return url


def plain_name(name: str) -> str:
    """The name, if it can only be a file beside the manifest. Raises `ValueError`."""
    is_bad = not name.isprintable() or not set(name).isdisjoint('/\\:*?"<>|')
    if is_bad or name[-1] in ". " or _DEVICE.fullmatch(name):
        without = "without path, drive and control characters"
        raise ValueError(f"expected a plain file name inside the pack, {without}")
    return name


def half_a_digit(printed: str) -> float:
    """Half of the last digit of a number as printed: 0.005 for "0.39"; 0 for an exact count."""
    exponent = Decimal(printed).as_tuple().exponent
    is_fraction = isinstance(exponent, int) and exponent < 0
    return 0.5 * 10.0 ** int(exponent) if is_fraction else 0.0


def _filled(expected: str, shortest: int = 1) -> AfterValidator:
    """A text that a person must write; a new manifest has it empty."""

    def check(text: str) -> str:
        if len(text.strip()) < shortest:
            raise ValueError(f"not filled in yet, expected {expected}")
        return text

    return AfterValidator(check)


def _origin(expected: str) -> AfterValidator:
    return _filled(f"{expected}, in {SHORTEST_ORIGIN} characters or more", SHORTEST_ORIGIN)


def _known_metric(key: str) -> str:
    """The name of a figure; totals also have a short one."""
    try:
        return metric(key).name
    except UnknownName as error:
        raise ValueError(str(error)) from None


def _own_name(key: str) -> str:
    """The same where a figure could be given twice under two names."""
    if (name := _known_metric(key)) != key:
        raise ValueError(f"write {name} for {key}")
    return key


def _printed(text: str) -> str:
    with suppress(ValueError):
        if isfinite(float(text)):
            return text
    raise ValueError("expected a number as printed")


def rules_known(name: str) -> str:
    """The name of a rule set, or of a file of rules. Raises `ValueError`."""
    if name in RULE_SETS or is_rule_file(name):
        return name
    expected = f"expected one of {', '.join(RULE_SETS)}, or a file of rules that ends in .yaml"
    raise ValueError(f"unknown rule set, {expected}")


def _in_pack(name: str) -> str:
    return plain_name(name) if is_rule_file(name) else name


SHOWN = "the number as the tool shows it; delete the line if it shows none"
LICENCE = "the licence under which others may have the files"
Metric = Annotated[str, AfterValidator(_known_metric)]
OwnName = Annotated[str, AfterValidator(_own_name)]
Rules = Annotated[str, AfterValidator(rules_known), AfterValidator(_in_pack)]
"""A rule set by name, or a file of rules beside the manifest or in the folder above."""


Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}\z")]
Size = Annotated[StrictInt, Field(gt=0, le=LARGEST_FILE)]
Member = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]


class Archive(Model):
    """A public archive (.zip, .tar.gz), and the member of it that is the file."""

    url: Annotated[str, AfterValidator(secure_address)]
    sha256: Sha256
    """Of the archive."""
    bytes: Size
    """Of the archive."""
    member: Member
    licence: Member | None = None
    """The member with the text of the licence, stored beside the file."""


class ReferenceFile(Model):
    """One file of a reference match."""

    name: Annotated[
        str, StringConstraints(min_length=1, max_length=LONGEST_NAME), AfterValidator(plain_name)
    ]
    sha256: Sha256
    bytes: Size
    url: Annotated[str, AfterValidator(secure_address)] | None
    bundled: StrictBool
    tool: str
    tool_version: str | None
    level: str | None
    archive: Archive | None = None
    """Where it is from, if it is a member of a public archive."""

    @model_validator(mode="after")
    def _obtainable(self) -> ReferenceFile:
        if not (self.bundled or self.url or self.archive):
            raise Misplaced("expected a url or an archive for a file that is not bundled", "url")
        if self.url and self.archive:
            raise Misplaced("expected one of url and archive, found both", "archive")
        return self


class Reported(Model):
    """Figures that a tool showed for a file, and who read them."""

    file: str
    rules: Rules
    table: str | None
    """A tolerance table, or null for figures that are listed but not judged."""
    source: Annotated[str, _origin("who read the figures, where and when")]
    met: str | None = None
    by_seat: StrictBool = False
    """Whether players are "1" and "2", in the order of the file, for want of their names in it."""
    players: dict[str, dict[OwnName, Annotated[str, _filled(SHOWN), AfterValidator(_printed)]]] = (
        Field(min_length=1)
    )
    """Player -> metric -> figure exactly as printed."""

    def seat(self, name: str, players: Sequence[str]) -> int | None:
        """The seat of one of its players among those of the file; `None` if the file has none."""
        if self.by_seat and name in ("1", "2"):
            return int(name) - 1
        folded = [fold(player) for player in players]
        return folded.index(fold(name)) if fold(name) in folded else None

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of any player, in order; the page of a match asks for them."""
        return tuple(dict.fromkeys(key for texts in self.players.values() for key in texts))


class Pair(Model):
    """Two files of a reference match to be compared."""

    left: str
    right: str
    judged_by: str | None
    """A tolerance table, or null for a pair that is explained but not judged."""
    note: str = ""


class OfAllMatches(Model):
    """What the figures of a program under test are compared with, in every match of a pack."""

    table: str | None = None
    """A tolerance table; by default `xg-blunderdb` or `gnubg-blunderdb`."""
    rules: Rules | None = None
    """The rule set of the figures on the left; by default that of the file's own tool."""
    figures: tuple[Metric, ...] = ()
    """What the program gives of every player: what is missing fails, others may be absent.
    Without it, what it gives of one player or match it must give of all."""
    digits: dict[Metric, Annotated[StrictInt, Field(ge=0, le=6)]] = Field(default_factory=dict)
    """Decimals that it must give of a figure; one with fewer is judged as if it had them."""
    precision: Literal["single", "double"] | None = None
    """In which it computes; by default single, unless its long figures show double."""


class Candidates(OfAllMatches):
    """The same in one match."""

    file: str | None = None
    """Handle of the file whose analysis the program reads; by default XG's, otherwise gnuBG's."""


class OfProgram(OfAllMatches):
    """The same in a `pack.yaml`."""

    timeout: Annotated[float, Field(gt=0, le=LONGEST_WAIT)] = 60
    """Seconds that a program has for one match."""


class PackManifest(Model):
    """A `pack.yaml`: what holds for all matches where their manifests say nothing else."""

    schema_version: Literal[1]
    tolerances: Annotated[str, AfterValidator(plain_name)] | None = None
    """A file of tolerances beside it or in the folder above; by default the bundled one."""
    candidates: OfProgram = OfProgram()


class Manifest(Model):
    """A `match.yaml`."""

    schema_version: Literal[1]
    id: str = Field(pattern="^[a-z0-9][a-z0-9-]*$")
    title: str
    synthetic: StrictBool
    licence: Annotated[str, _filled(LICENCE)]
    provenance: Annotated[str, _origin("who made the match, where and when")]
    proves: str = ""
    """What it shows if its figures agree, for people who read about the pack."""
    files: dict[str, ReferenceFile] = Field(min_length=1)
    reported: tuple[Reported, ...]
    pairs: tuple[Pair, ...]
    candidates: Candidates | None = None

    @model_validator(mode="after")
    def _known_files(self) -> Manifest:
        handles: list[tuple[str | None, tuple[str | int, ...]]] = [
            (entry.file, ("reported", at, "file")) for at, entry in enumerate(self.reported)
        ]
        for at, pair in enumerate(self.pairs):
            handles += ((getattr(pair, side), ("pairs", at, side)) for side in ("left", "right"))
        handles.append(((self.candidates or Candidates()).file, ("candidates", "file")))
        for name, keys in handles:
            if name is not None and name not in self.files:
                raise Misplaced(f"no file {name!r}, expected one of {', '.join(self.files)}", *keys)
        names = [file.name.casefold() for file in self.files.values()]
        for key, file in self.files.items():
            if names.count(file.name.casefold()) > 1:
                raise Misplaced(f"{file.name!r} is the name of two files", "files", key, "name")
        return self


def load_pack(pack: Path) -> list[tuple[Path, Manifest]]:
    """The manifests of a pack with their folders, by id. Raises `InvalidConfiguration`."""
    return [(path.parent, load_manifest(path, pack)) for path in manifests_of(pack)]


def manifests_of(pack: Path) -> list[Path]:
    """The paths of the manifests of a pack, or of a single match. Raises `InvalidConfiguration`."""
    if not pack.is_dir():
        wrong = "a file" if pack.exists() else "nothing"
        expected = "expected a folder of reference matches"
        raise InvalidConfiguration(f"{expected}, found {wrong}; check the path", pack)
    if _present(pack / MANIFEST):
        return [pack / MANIFEST]
    paths = sorted(folder / MANIFEST for folder in pack.glob("*") if _present(folder / MANIFEST))
    if not paths:
        raise InvalidConfiguration(
            f"expected folders with a {MANIFEST}, found none; `reconcile new-match` makes one of "
            "match files",
            pack,
        )
    return paths


def load_manifest(path: Path, pack: Path) -> Manifest:
    """One manifest of a pack, with what the pack says of all. Raises `InvalidConfiguration`."""
    _check_inside(path, pack)
    manifest = read_yaml(path, Manifest, regular=True)
    wanted = path.parent.resolve().name
    if manifest.id != wanted:
        raise InvalidConfiguration(
            f"expected {wanted!r} as the folder is named, found {manifest.id!r}; correct the file",
            place(path, "id"),
        )
    above = path.parent.resolve().parent  # the pack, also where a single match was asked for
    reported = []
    for at, entry in enumerate(manifest.reported):
        rules = _rule_file(path, (path.parent, above), entry.rules, "reported", at, "rules")
        reported.append(entry.model_copy(update={"rules": rules}))
    candidates = _candidates(path, above, manifest.candidates)
    return manifest.model_copy(update={"reported": tuple(reported), "candidates": candidates})


def _candidates(path: Path, above: Path, own: Candidates | None) -> Candidates | None:
    """What a manifest says of candidates, and where it says nothing, what its pack does."""
    wide_path, wide = above / PACK, pack_manifest(above).candidates
    own = own or (Candidates() if _present(wide_path) else None)
    if own is None:
        return None
    rules = own.rules and _rule_file(path, (path.parent, above), own.rules, "candidates", "rules")
    if wide.rules:
        wide_rules = _rule_file(wide_path, (above,), wide.rules, "candidates", "rules")
        rules = rules or wide_rules
    update = {
        "rules": rules,
        "table": own.table or wide.table,
        "figures": own.figures or wide.figures,
        "digits": {**wide.digits, **own.digits},
    }
    return own.model_copy(update=update)


def pack_manifest(pack: Path) -> PackManifest:
    """The `pack.yaml` of a pack, or of that of a single match. Raises `InvalidConfiguration`."""
    folder = pack.resolve()
    path = (folder.parent if _present(pack / MANIFEST) else folder) / PACK
    if not _present(path):
        return PackManifest(schema_version=1)
    _check_inside(path, path.parent)
    manifest = read_yaml(path, PackManifest, regular=True)
    if manifest.tolerances is None:
        return manifest
    file = _beside(path, (path.parent, path.parent.parent), manifest.tolerances, "tolerances")
    return manifest.model_copy(update={"tolerances": str(file)})


def _rule_file(path: Path, folders: Sequence[Path], name: str, *keys: str | int) -> str:
    """A rule set's name, or the path of its file, which is sound. Raises `InvalidConfiguration`."""
    if not is_rule_file(name):
        return name
    file = _beside(path, folders, name, *keys)
    rule_set(str(file))
    return str(file)


def _beside(path: Path, folders: Sequence[Path], name: str, *keys: str | int) -> Path:
    """A file in the first of the folders that has it. Raises `InvalidConfiguration`."""
    for file in (folder / name for folder in folders):
        if _present(file):
            _check_inside(file, folders[-1])
            return file
    where = "beside it or in the folder above" if len(folders) > 1 else "beside it"
    wrong = f"expected a file {where}, found no {name!r}; put it there"
    raise InvalidConfiguration(wrong, place(path, *keys))


def _present(path: Path) -> bool:
    try:
        return path.is_symlink() or path.exists()
    except OSError:  # a folder that is not ours to read
        return False


def _check_inside(path: Path, pack: Path, *, strict: bool = True) -> None:
    """Raise `InvalidConfiguration` for a link out of a pack, before anything can be quoted."""
    try:
        stays = path.resolve(strict=strict).is_relative_to(pack.resolve())
    except (OSError, RuntimeError):  # a link to itself or to nothing
        stays = False
    if not stays:
        expected = "expected a file inside the pack, found a link out of it"
        raise InvalidConfiguration(f"{expected}; put the file itself there", path)


def inside(folder: Path, file: ReferenceFile) -> Path:
    """The path of a file of a match in the pack. Raises `InvalidConfiguration` for a link out."""
    _check_inside(folder / file.name, folder, strict=False)
    return folder / file.name


def refresh(pack: Path) -> list[str]:
    """Update size and SHA-256 of bundled files that changed; returns the changes, a line each.

    A changed file must still be a match. Comments, order and the reported figures stay as people
    wrote them. Raises `InvalidConfiguration`, `UnreadableFile`, `CannotWrite`.
    """
    changed = []
    texts: dict[Path, str] = {}
    for folder, manifest in load_pack(pack):
        path = folder / MANIFEST
        for key, file in manifest.files.items():
            content = read_bytes(str(inside(folder, file))) if file.bundled else b""
            digest = sha256(content).hexdigest()
            if not file.bundled or (len(content), digest) == (file.bytes, file.sha256):
                continue
            read_match(str(folder / file.name), content)
            text = texts.get(path) or path.read_bytes().decode("utf-8")
            for name, value in (("bytes", str(len(content))), ("sha256", f'"{digest}"')):
                start, end = scalar(text, "files", key, name)
                if text[start:end] != value:
                    changed.append(f"{path}: files.{key}.{name}: {text[start:end]} -> {value}")
                    text = text[:start] + value + text[end:]
            texts[path] = text
    for path, text in texts.items():
        write(str(path), text.encode("utf-8"))
    return changed


# -- files -----------------------------------------------------------------------------------------

DATA_VARIABLE = "RECONCILE_DATA"
"""Environment variable with a folder of copies, found by name and checked by SHA-256."""


def find_file(folder: Path, file: ReferenceFile) -> Path | None:
    """A file of a match: in the pack, a copy under `RECONCILE_DATA`, or a downloaded one.

    `None` if it is not found. Raises `InvalidConfiguration` for a link out of the pack.
    """
    if file.bundled:
        return inside(folder, file)
    return next((path for path in _places(folder, file) if _is(path, file)), None)


def checked_bytes(path: Path, file: ReferenceFile) -> bytes:
    """The bytes of a file of a match. Raises `UnreadableFile` unless they match the manifest."""
    try:
        with open_regular(path) as opened:
            content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UnreadableFile(f"cannot be read: {reason_of(error)}; check the pack", path) from None
    digest, wrong = sha256(content).hexdigest(), ""
    if digest != file.sha256:
        wrong = (
            f"expected SHA-256 {file.sha256}, found {digest}; the file was changed, restore it or"
        )
    elif len(content) != file.bytes:
        wrong = f"expected {file.bytes} bytes, found {len(content)};"
    if wrong:
        remedy = "correct the manifest with `reconcile validate --update`"
        raise UnreadableFile(f"{wrong} {remedy}", path)
    return content


def cached(file: ReferenceFile, cache: Path) -> Path:
    """The path of a file in the cache: under its SHA-256, so that two of one name do not clash."""
    return cache / file.sha256 / file.name


def _places(folder: Path, file: ReferenceFile) -> Iterator[Path]:
    yield folder / file.name
    copies = os.environ.get(DATA_VARIABLE)
    if copies:
        yield from sorted(Path(copies).glob(f"**/{escape(file.name)}"))
    yield cached(file, cache_folder())


def _is(path: Path, file: ReferenceFile) -> bool:
    try:
        with open_regular(path) as opened:
            return (
                os.fstat(opened.fileno()).st_size == file.bytes
                and file_digest(opened, "sha256").hexdigest() == file.sha256
            )
    except OSError:
        return False


T = TypeVar("T")
REMEMBERED = 6
"""Of the last things that were asked for."""


@dataclass(frozen=True, eq=False)
class Again(Generic[T]):
    """Something that is made again when it is asked for."""

    make: Callable[[], T]

    def __call__(self) -> T:
        """An equal object; the last ones that were asked for are remembered."""
        return cast("T", _again(self))


@lru_cache(maxsize=REMEMBERED)
def _again(source: Again[Any]) -> Any:
    return source.make()


# -- downloads: pooch gets a file, or an archive that has it, from its https address ---------------

SILENCE = 30.0
"""Seconds to wait for a server's first answer, and for the next bytes."""
CHUNK = 2**16
STORED_LICENCE = "LICENSE"
"""Name under which an archive's licence is stored beside its file."""
Progress = Callable[[ReferenceFile, int], None]
"""Called for every chunk with the file and the number of bytes received."""


class CannotFetch(ReconcileError):
    """A file could not be downloaded, or is not the one in the manifest."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The result for one file."""

    match: str
    handle: str
    file: ReferenceFile
    path: Path | None
    """Its path in the cache; `None` if it could not be downloaded."""
    new: bool
    """Whether it was not in the cache before."""
    error: str = ""


def fetch(
    pack: Path, *, silence: float = SILENCE, progress: Progress = lambda file, size: None
) -> Iterator[Fetched]:
    """Download every public file that is not yet in the cache; a failure stops no other.

    Raises `InvalidConfiguration` for a bad manifest, `MissingPackage` without pooch.
    """
    manifests = load_pack(pack)
    _pooch()
    with TemporaryDirectory() as archives:
        fetcher = Fetcher(Path(archives), silence)
        for folder, manifest in manifests:
            for handle, file in manifest.files.items():
                if file.bundled:
                    continue
                path, is_new, trouble = find_file(folder, file), False, ""
                if path is None:
                    path = cached(file, cache_folder())
                    try:
                        fetcher.obtain(file, path, partial(progress, file))
                        is_new = True
                    except ReconcileError as error:
                        path, trouble = None, str(error)
                yield Fetched(manifest.id, handle, file, path, is_new, trouble)


@dataclass
class _Counter:
    """What pooch shows of chunks: no more are taken than the file has bytes."""

    most: int
    progress: Callable[[int], None]
    total: int = 0
    received: int = 0

    def update(self, count: int) -> None:
        if self.received > self.most:
            raise CannotFetch(f"expected {self.most} bytes, found more")
        self.received += count
        self.progress(min(self.received, self.most))

    def reset(self) -> None:
        self.received = 0

    def close(self) -> None:
        pass


class Fetcher:
    """Gets files from where they are; an archive that has several of them is downloaded once."""

    def __init__(self, folder: Path, silence: float) -> None:
        self.folder, self.silence = folder, silence
        self.failed: dict[str, CannotFetch] = {}
        """By address."""

    def obtain(self, file: ReferenceFile, target: Path, progress: Callable[[int], None]) -> None:
        """Write a file. Raises `CannotFetch`, `CannotWrite`."""
        if file.archive is None:
            write(str(target), self._downloaded(file, progress).read_bytes())
            return
        path, member = self._downloaded(file.archive, progress), file.archive.member
        content = _member(path, file.archive, member, file.bytes)
        if sha256(content).hexdigest() != file.sha256:
            wrong = f"expected {member} with SHA-256 {file.sha256}, found another"
            raise CannotFetch(f"{file.archive.url}: {wrong}; correct the manifest")
        if file.archive.licence is not None:
            licence = _member(path, file.archive, file.archive.licence, CHUNK)
            write(str(target.with_name(STORED_LICENCE)), licence)
        write(str(target), content)

    def _downloaded(self, source: ReferenceFile | Archive, progress: Callable[[int], None]) -> Path:
        """The path of what has an address, downloaded once. Raises `CannotFetch`."""
        url, target = str(source.url), self.folder / source.sha256
        if url in self.failed:
            raise self.failed[url]
        pooch, requests = _pooch(), import_module("requests")
        pooch.get_logger().setLevel("ERROR")
        downloader = pooch.HTTPDownloader(
            progressbar=_Counter(source.bytes, progress),
            chunk_size=CHUNK,
            timeout=self.silence,
            auth=lambda request: request,  # no password of `.netrc`
            hooks={"response": _check_redirect},
            headers={"Accept-Encoding": "identity", "User-Agent": f"reconcile/{__version__}"},
        )
        digest, remedy = f"sha256:{source.sha256}", "check the address in the manifest"
        try:
            pooch.retrieve(url, digest, target.name, target.parent, downloader=downloader)
            if target.stat().st_size == source.bytes:
                return target
            why = f"expected {source.bytes} bytes, found another number"
        except CannotFetch as error:
            why = str(error)
        except requests.exceptions.Timeout:
            why, remedy = f"no answer for {self.silence:g} seconds", "try again later"
        except requests.exceptions.RequestException as error:
            status = getattr(error.response, "status_code", "")
            why = f"the server answered {status}" if status else "cannot be reached"
            remedy = "check the network and the address"
        except ValueError as error:
            wrong = f"expected SHA-256 {source.sha256}, found another"
            why = wrong if "SHA256" in str(error) else one_line(str(error))
        except OSError as error:
            why = f"cannot be written to {target}: {reason_of(error)}"
            remedy = "check the folder and the disk"
        self.failed[url] = CannotFetch(f"{url}: {why}; {remedy}")
        raise self.failed[url]


def _check_redirect(response: Any, **_: Any) -> None:
    """Raise `CannotFetch` for an answer that leads from https to anything else."""
    if not response.is_redirect:
        return
    url = urljoin(response.url, response.headers["location"])
    with suppress(ValueError):
        secure_address(url)
        if url.startswith("https:") or not response.url.startswith("https:"):
            return
    raise CannotFetch("the server leads to an address that is not https://")


def _member(path: Path, archive: Archive, member: str, most: int) -> bytes:
    """A member of an archive with at most so many bytes. Raises `CannotFetch`."""
    # pooch's own processors extract every name that begins as the member does, of any size, and
    # before Python 3.12 out of the folder as well.
    with suppress(KeyError, OSError, tarfile.TarError, zipfile.BadZipFile, RuntimeError):
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed, packed.open(member) as stream:
                content = stream.read(most + 1)
        else:
            with tarfile.open(path) as tar:
                opened = tar.extractfile(member)
                content = opened.read(most + 1) if opened else bytes(most + 1)
        if len(content) <= most:
            return content
    expected = f"expected a member {member} of at most {most} bytes, found none"
    raise CannotFetch(f"{archive.url}: {expected}; correct the manifest")


def _pooch() -> Any:
    """The package pooch. Raises `MissingPackage`."""
    try:
        return import_module("pooch")
    except ImportError:
        raise MissingPackage(
            "fetching files needs pooch, which is not installed; install it with "
            "pip install 'gammon-reconcile[fetch]', or save the files yourself and name their "
            f"folder in {DATA_VARIABLE}"
        ) from None
