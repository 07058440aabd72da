"""The manifests of a pack of reference matches: what a `match.yaml` can contain.

A pack is a folder with one folder per match, each with a `match.yaml`. Reported figures are entered by people who read them in
the tool, and are never regenerated.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Annotated, Final, Literal
from urllib.parse import SplitResult, urlsplit

from pydantic import (
    AfterValidator,
    Field,
    StrictBool,
    StrictInt,
    StringConstraints,
    model_validator,
)

from reconcile.errors import InvalidConfiguration
from reconcile.files.inputs import forget
from reconcile.files.model import Model
from reconcile.files.output import write
from reconcile.files.wording import meant
from reconcile.files.yaml_file import Misplaced, place, read_yaml, scalar
from reconcile.formats import LARGEST_FILE, read_bytes, read_match
from reconcile.rules.rulesets import RULE_SETS, is_rule_file, rule_set
from reconcile.scoring.metrics import ALIASES, METRICS, named

MANIFEST: Final = "match.yaml"
PACK: Final = "pack.yaml"
LONGEST_NAME: Final = 200
SHORTEST_ORIGIN: Final = 10
"""Fewest characters of a provenance or a source; fewer cannot say who, where and when."""
_DEVICE: Final = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(\..*)?", re.IGNORECASE
)
"""Names that Windows reserves for devices, with any extension."""


def is_loopback(address: SplitResult) -> bool:
    """Whether an address is on this computer, where a test's server needs no certificate."""
    try:
        return address.hostname == "localhost" or ip_address(address.hostname or "").is_loopback
    except ValueError:
        return False


def secure_address(url: str) -> str:
    """The address, if a public file may be fetched from it: https, or http on this computer. Raises `ValueError`."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts)):
        raise ValueError("expected an https:// address")
    if not parts.hostname or parts.username is not None or not url.isprintable() or " " in url:
        raise ValueError(
            "expected an https:// address with a host, without user name, blanks and control characters"
        )
    if parts.port == 0:
        raise ValueError("expected a port from 1 to 65535")
    return url


def plain_name(name: str) -> str:
    """The name, if on every system it can only be a file beside the manifest. Raises `ValueError`."""
    escapes = (
        name != PurePosixPath(name).name
        or name != PureWindowsPath(name).name
        or name in (".", "..")
    )
    if (
        escapes
        or not name.isprintable()
        or any(c in name for c in ':*?"<>|')
        or name[-1] in ". "
        or _DEVICE.fullmatch(name)
    ):
        raise ValueError(
            "expected a plain file name inside the pack, without path, drive and control characters"
        )
    return name


def _said(what: str) -> AfterValidator:
    """A text that a person must write; a new manifest has it empty."""

    def check(text: str) -> str:
        if len(text.strip()) < SHORTEST_ORIGIN:
            raise ValueError(
                f"not filled in yet, expected {what}, in {SHORTEST_ORIGIN} characters or more"
            )
        return text

    return AfterValidator(check)


def _licensed(text: str) -> str:
    if not text.strip():
        raise ValueError(
            "not filled in yet, expected the licence under which others may have the files"
        )
    return text


def _known_metric(key: str) -> str:
    if key in ALIASES:
        raise ValueError(f"write {ALIASES[key]} for {key}")
    if key not in METRICS:
        raise ValueError(
            f"no metric {key!r}{meant(key, METRICS)}, expected one of {named(METRICS)}"
        )
    return key


def _printed(text: str) -> str:
    if not text.strip():
        raise ValueError(
            "not filled in yet, expected the number as the tool shows it; delete the line if it shows none"
        )
    try:
        # float() as well: a number that overflows is not a figure
        if not Decimal(text).is_finite() or abs(float(text)) == float("inf"):
            raise InvalidOperation
    except (InvalidOperation, ValueError):
        raise ValueError("expected a number as printed") from None
    return text


def _known_rules(name: str) -> str:
    if is_rule_file(name):
        return plain_name(name)
    if name not in RULE_SETS:
        raise ValueError(
            f"unknown rule set, expected one of {', '.join(RULE_SETS)}, or a file of rules that ends in .yaml"
        )
    return name


Rules = Annotated[str, AfterValidator(_known_rules)]
"""A rule set by name, or a file of rules beside the manifest or in the folder above; of a pack that was read, its path."""


class Package(Model):
    """A source distribution on a package index, and the member of it that is the file."""

    name: str = Field(pattern=r"^[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?\z")
    version: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9.!+_]{0,98}\z")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}\z")
    """Of the archive."""
    bytes: StrictInt = Field(gt=0, le=LARGEST_FILE)
    """Of the archive."""
    member: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
    licence: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
    """The member with the text of the licence, kept beside the file."""

    @property
    def archive(self) -> str:
        """The name of the archive."""
        return f"{self.name}-{self.version}.tar.gz"


class ReferenceFile(Model):
    """One file of a reference match."""

    name: Annotated[
        str, StringConstraints(min_length=1, max_length=LONGEST_NAME), AfterValidator(plain_name)
    ]
    sha256: str = Field(pattern=r"^[0-9a-f]{64}\z")
    bytes: StrictInt = Field(gt=0, le=LARGEST_FILE)
    url: Annotated[str, AfterValidator(secure_address)] | None
    bundled: StrictBool
    tool: str
    tool_version: str | None
    level: str | None
    package: Package | None = None
    """Where it is taken from, if it is a member of a source distribution."""

    @model_validator(mode="after")
    def _obtainable(self) -> ReferenceFile:
        if not self.bundled and self.url is None and self.package is None:
            raise Misplaced("expected a url or a package for a file that is not bundled", "url")
        if self.url is not None and self.package is not None:
            raise Misplaced("expected a url or a package, found both", "package")
        return self


class Reported(Model):
    """Figures that a tool showed for a file, and who read them."""

    file: str
    rules: Rules
    table: str | None
    """A tolerance table, or null for figures that are listed but not judged."""
    source: Annotated[str, _said("who read the figures, where and when")]
    met: str | None = None
    by_seat: StrictBool = False
    """Whether players are given as "1" and "2", in the order of the file, because their names in it are not known."""
    players: dict[
        str,
        dict[
            Annotated[str, AfterValidator(_known_metric)], Annotated[str, AfterValidator(_printed)]
        ],
    ] = Field(min_length=1)
    """Player -> metric -> figure exactly as printed."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics of any player, in order."""
        return tuple(
            dict.fromkeys(metric for printed in self.players.values() for metric in printed)
        )


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
    figures: tuple[Annotated[str, AfterValidator(_known_metric)], ...] = ()
    """What the program gives of every player: what of it is missing fails, and others may be absent. Without it, what it gives of one
    player or match it must give of all."""
    digits: dict[
        Annotated[str, AfterValidator(_known_metric)], Annotated[StrictInt, Field(ge=0, le=6)]
    ] = Field(default_factory=dict)
    """Decimals that it must give of a figure; one with fewer is judged as if it had them."""


class Candidates(OfAllMatches):
    """The same in one match."""

    file: str | None = None
    """Handle of the file whose analysis the program reads; by default XG's if there is one, otherwise gnuBG's."""


class PackManifest(Model):
    """A `pack.yaml` beside the folders of the matches: what holds for all of them where their manifests say nothing else."""

    schema_version: Literal[1]
    candidates: OfAllMatches


class Manifest(Model):
    """A `match.yaml`."""

    schema_version: Literal[1]
    id: str = Field(pattern="^[a-z0-9][a-z0-9-]*$")
    title: str
    synthetic: StrictBool
    licence: Annotated[str, AfterValidator(_licensed)]
    provenance: Annotated[str, _said("who made the match, where and when")]
    proves: str = ""
    """What it shows if its figures agree, for people who read about the pack."""
    files: dict[str, ReferenceFile] = Field(min_length=1)
    reported: tuple[Reported, ...]
    pairs: tuple[Pair, ...]
    candidates: Candidates | None = None

    @model_validator(mode="after")
    def _known_files(self) -> Manifest:
        named: list[tuple[str, tuple[str | int, ...]]] = [
            (one.file, ("reported", at, "file")) for at, one in enumerate(self.reported)
        ]
        for at, pair in enumerate(self.pairs):
            named += [(pair.left, ("pairs", at, "left")), (pair.right, ("pairs", at, "right"))]
        if self.candidates and self.candidates.file:
            named.append((self.candidates.file, ("candidates", "file")))
        for name, keys in named:
            if name not in self.files:
                raise Misplaced(f"no file {name!r}, expected one of {', '.join(self.files)}", *keys)
        names = [file.name.casefold() for file in self.files.values()]
        for key, file in self.files.items():
            if names.count(file.name.casefold()) > 1:
                raise Misplaced(f"{file.name!r} is the name of two files", "files", key, "name")
        return self


def load_pack(pack: Path) -> list[tuple[Path, Manifest]]:
    """The manifests of a pack with their folders, by id. Raises `InvalidConfiguration`, also if only one of them is wrong."""
    return [(path.parent, load_manifest(path, pack)) for path in manifests_of(pack)]


def manifests_of(pack: Path) -> list[Path]:
    """The paths of the manifests of a pack, sorted; `pack` may be the folder of a single match. Raises `InvalidConfiguration`."""
    if not pack.is_dir():
        found = "a file" if pack.exists() else "nothing"
        raise InvalidConfiguration(
            f"expected a folder of reference matches, found {found}; check the path", pack
        )
    paths = (
        [pack / MANIFEST]
        if _present(pack / MANIFEST)
        else sorted(folder / MANIFEST for folder in pack.glob("*") if _present(folder / MANIFEST))
    )
    if not paths:
        raise InvalidConfiguration(
            f"expected folders with a {MANIFEST}, found none; `reconcile new-match` makes one of match files",
            pack,
        )
    return paths


def load_manifest(path: Path, pack: Path) -> Manifest:
    """One manifest of a pack. Raises `InvalidConfiguration`."""
    _stays_inside(path, pack)
    manifest = read_yaml(path, Manifest, regular=True)
    if manifest.id != path.parent.resolve().name:
        wanted = path.parent.resolve().name
        raise InvalidConfiguration(
            f"expected {wanted!r} as the folder is named, found {manifest.id!r}; correct the file",
            place(path, "id"),
        )
    return _with_rules(path, manifest)


def _with_rules(path: Path, manifest: Manifest) -> Manifest:
    """The manifest with the paths of its files of rules, which are sound. Raises `InvalidConfiguration`."""
    above = path.parent.resolve().parent  # the pack, also where a single match of it was asked for

    def found(name: str, *keys: str | int) -> str:
        if not is_rule_file(name):
            return name
        file = next(
            (folder / name for folder in (path.parent, above) if _present(folder / name)), None
        )
        if file is None:
            where = place(path, *keys)
            raise InvalidConfiguration(
                f"expected a file beside the manifest or in the folder above, found no {name!r}; put it there",
                where,
            )
        _stays_inside(file, above)
        rule_set(str(file))
        return str(file)

    reported = [
        one.model_copy(update={"rules": found(one.rules, "reported", at, "rules")})
        for at, one in enumerate(manifest.reported)
    ]
    chosen = manifest.candidates
    if chosen and chosen.rules:
        chosen = chosen.model_copy(update={"rules": found(chosen.rules, "candidates", "rules")})
    if _present(above / PACK):
        _stays_inside(above / PACK, above)
        wide = read_yaml(above / PACK, PackManifest, regular=True).candidates
        if wide.rules and is_rule_file(wide.rules) and not _present(above / wide.rules):
            where = place(above / PACK, "candidates", "rules")
            raise InvalidConfiguration(
                f"expected a file beside it, found no {wide.rules!r}; put it there", where
            )
        own = chosen or Candidates()
        rules = own.rules or (found(wide.rules, "candidates", "rules") if wide.rules else None)
        chosen = own.model_copy(
            update={
                "rules": rules,
                "table": own.table or wide.table,
                "figures": own.figures or wide.figures,
                "digits": {**wide.digits, **own.digits},
            }
        )
    return manifest.model_copy(update={"reported": tuple(reported), "candidates": chosen})


def _present(path: Path) -> bool:
    try:
        return path.is_symlink() or path.exists()
    except OSError:  # a folder that is not ours to read
        return False


def _stays_inside(path: Path, pack: Path) -> None:
    """Raise `InvalidConfiguration` for a manifest that is a link out of its pack, before anything of it can be quoted."""
    try:
        stays = path.resolve(strict=True).is_relative_to(pack.resolve())
    except (OSError, RuntimeError):  # a link to itself or to nothing
        stays = False
    if not stays:
        raise InvalidConfiguration(
            "expected a file inside the pack, found a link out of it; put the file itself there",
            path,
        )


def inside(folder: Path, file: ReferenceFile) -> Path:
    """The path of a file of a match in the pack. Raises `InvalidConfiguration` if a link leads out of the pack."""
    path = folder / file.name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise InvalidConfiguration(
            "expected a file inside the pack, found a link out of it; put the file itself there",
            path,
        )
    return path


def refresh(pack: Path) -> list[str]:
    """Update size and SHA-256 of bundled files that changed, and nothing else; returns the changes, one line each.

    A changed file must still be a match. Comments, order and the reported figures stay as people wrote them. Raises
    `InvalidConfiguration`, `UnreadableFile`, `CannotWrite`.
    """
    changed = []
    texts: dict[Path, str] = {}
    for folder, manifest in load_pack(pack):
        path = folder / MANIFEST
        for key, file in manifest.files.items():
            if not file.bundled:
                continue
            content = read_bytes(str(inside(folder, file)))
            now = {"bytes": str(len(content)), "sha256": f'"{sha256(content).hexdigest()}"'}
            if (int(now["bytes"]), now["sha256"].strip('"')) == (file.bytes, file.sha256):
                continue
            read_match(str(folder / file.name), content)
            text = texts.get(path) or path.read_bytes().decode("utf-8")
            for name, value in now.items():
                start, end = scalar(text, "files", key, name)
                if text[start:end] != value:
                    changed.append(f"{path}: files.{key}.{name}: {text[start:end]} -> {value}")
                    text = text[:start] + value + text[end:]
            texts[path] = text
    for path, text in texts.items():
        forget(path)
        write(str(path), text.encode("utf-8"))
    return changed
