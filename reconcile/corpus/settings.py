"""What the rows of an archive depend on besides its files: rules, program, licence, names."""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from reconcile.errors import UnknownName
from reconcile.match.tools import ANALYSERS, TOOLS
from reconcile.rules.rulesets import RULE_SETS, is_rule_file, rule_set
from reconcile.version import __version__

ROOT: Final = Path(__file__).parents[1]
"""The folder of this program."""
NO_PROGRAM: Final = {"__pycache__", "data"}
"""Folders of the package that hold none of its program."""
RULES: Final = tuple(tool.rules for tool in ANALYSERS.values())
"""Those of every program that analyses."""
OWN_RULES: Final = tuple(dict.fromkeys((*RULES, *(tool.rules for tool in TOOLS.values()))))
"""Those of every program."""
WORK: Final = ".work"
"""The folder of unfinished work and of what is done, below that of the archive."""
LOCK: Final = "lock"
"""The file in it that is there as long as a run writes the archive."""
SECRET: Final = "secret"  # noqa: S105
"""The file in it with the secret by which names are hidden."""


@cache
def program() -> str:
    """The version of this program and a digest of its files: another one may score otherwise.

    `data` has samples and templates that only an installed package keeps there; they score nothing.
    """
    digest = sha256()
    for path in sorted(ROOT.rglob("*")):
        place = path.relative_to(ROOT)
        if path.is_file() and not NO_PROGRAM & {*place.parts}:
            content = path.read_bytes()
            digest.update(f"{place.as_posix()}\0{len(content)}\0".encode() + content)
    return f"{__version__} ({digest.hexdigest()[:32]})"


@dataclass(frozen=True)
class Settings:
    """How the rows of an archive are made."""

    rules: tuple[str, ...] = RULES
    """The rule sets under which every match is scored."""
    licence: str = ""
    """As every file states it; empty if it states none."""
    anonymise: bool = False
    """Whether players have other names, the same for the same player, and events and names of
    files are left out."""
    secret: str = ""
    """What the names are hidden with, from `in_folder`."""
    met: str | None = None
    """The match equity table of files that name none, as in `load_match`."""

    def check(self) -> None:
        """Raise `UnknownName` for rule sets that no archive is made with."""
        for name in self.rules:
            if is_rule_file(name):
                raise UnknownName(
                    f"{name}: a corpus is completed later, when a file may have changed, so it has "
                    "only rule sets that come with the program: expected some of "
                    f"{', '.join(RULE_SETS)}; score single matches with "
                    f"`reconcile stats --rules {name}`"
                )
            rule_set(name)
        if not self.rules or len(set(self.rules)) != len(self.rules):
            names = ", ".join(self.rules) or "none"
            raise UnknownName(f"expected different rule sets, found {names}")

    def in_folder(self, folder: Path) -> Settings:
        """The same with the secret of an archive, which is made once and stays there."""
        if not self.anonymise:
            return self
        path = folder / WORK / SECRET
        fresh = path.with_name(f".{secrets.token_hex(8)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.touch(0o600)
        fresh.write_text(secrets.token_hex(32), "ascii")
        with suppress(FileExistsError):  # of an earlier run, or of a process beside this one
            os.link(fresh, path)
        fresh.unlink()
        return replace(self, secret=path.read_text("ascii"))

    @property
    def digest(self) -> str:
        """The name of everything that a shard depends on besides the content of files; on a machine
        with another program it is another one."""
        parts = [program(), *self.rules, self.licence, self.secret, *filter(None, [self.met])]
        return sha256(json.dumps(parts).encode()).hexdigest()[:16]
