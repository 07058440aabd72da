"""The start of a `match.yaml`: everything that can be read from the files of a match.

What only people know is left empty, and the manifest is rejected until they fill it in: where the match comes from, under which licence
it may be shared, what the tools showed and who read that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from reconcile.adapters import STANDARD_INPUT, read_bytes, read_match
from reconcile.errors import InvalidConfiguration
from reconcile.files.names import fold
from reconcile.files.output import Output, legal_stem
from reconcile.files.wording import plural
from reconcile.gap.pairing import pair
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.judged_figures import distinct
from reconcile.gate.manifest import LONGEST_NAME, MANIFEST, plain_name
from reconcile.match import Match
from reconcile.scoring.findings import SYNTHETIC, level_text
from reconcile.tools import GNUBG, analyser

TEMPLATE: Final = Path(__file__).with_name("match.yaml.j2")


@dataclass(frozen=True, slots=True)
class Origin:
    """What a person says of new matches."""

    licence: str = ""
    provenance: str = ""
    ask: bool = False
    """Whether to ask for the figures that a tool's window shows, with an empty line for each."""


def skeleton(files: Sequence[str], home: Path, origin: Origin) -> list[Output]:
    """What to write into the folder of a new match: the manifest, and copies of the files that are not there.

    Raises `UnreadableFile`, `NotTheSameMatch`, and `InvalidConfiguration` where something of that name is there already.
    """
    contents: dict[str, bytes] = {}
    names: Counter[str] = Counter(Path(path).name.casefold() for path in files)
    for path in files:
        if names[Path(path).name.casefold()] > 1:
            raise InvalidConfiguration(f"{path}: two of the files have this name; rename one")
        if path == STANDARD_INPUT:
            raise InvalidConfiguration("expected the names of files, found -; a manifest needs a file name, so save the input first")
        contents[path] = read_bytes(path)
    matches = {path: read_match(path, content) for path, content in contents.items()}
    first, *others = matches.values()
    for other in others:
        pair(first, other)
    outputs = [one for one in outputs_of(home, matches, origin) if Path(one[0]).name == MANIFEST or not _lies_at(one[0], files)]
    there = next((target for target, _ in outputs if Path(target).exists()), None)
    if there is not None:
        raise InvalidConfiguration(f"{there}: exists already and is not overwritten; choose another folder with -o")
    return outputs


def outputs_of(home: Path, matches: Mapping[str, Match], origin: Origin) -> list[Output]:
    """The manifest of a match and copies of its files, by their paths. Raises `InvalidConfiguration` for names that a pack cannot have."""
    name = home.resolve().name
    if not re.fullmatch("[a-z0-9][a-z0-9-]*", name):
        raise InvalidConfiguration(f"{home}: expected a folder named in small letters, digits and -, found {name!r}; choose such a name")
    copies = [(str(home / _checked_name(path)), match.source.content) for path, match in matches.items()]
    return [(str(home / MANIFEST), _manifest(name, matches, origin)), *copies]


def _lies_at(target: str, files: Sequence[str]) -> bool:
    """Whether a file is already where its copy would be written."""
    return Path(target).resolve() in [Path(file).resolve() for file in files]


def _checked_name(path: str) -> str:
    name = Path(path).name
    try:
        if len(name) > LONGEST_NAME:
            raise ValueError(f"expected a name of at most {LONGEST_NAME} characters")
        return plain_name(name)
    except ValueError as error:
        raise InvalidConfiguration(f"{path}: {error}; rename the file") from None


def slug(match: Match) -> str:
    """The name of a match's folder: `nora-lindqvist-tomas-beck-7pt`, in letters that every system allows."""
    return legal_stem(" ".join([*map(fold, match.players), "money" if match.length is None else f"{match.length}pt"]))


def _manifest(name: str, matches: Mapping[str, Match], origin: Origin) -> str:
    """The manifest, from the template `match.yaml.j2` beside this module."""
    from jinja2 import Environment

    first = next(iter(matches.values()))
    length = "money session" if first.length is None else plural(first.length, "point")
    files: list[dict[str, Any]] = [
        {"handle": handle, "name": Path(path).name, "source": match.source, "level": level_text(match), "match": match}
        for handle, (path, match) in zip(_handles(matches.values()), matches.items(), strict=True)
    ]
    environment = Environment(trim_blocks=True, keep_trailing_newline=True)  # noqa: S701  # YAML; every text is quoted
    environment.filters["text"] = _text
    return environment.from_string(TEMPLATE.read_text("utf-8")).render(
        id=name,
        title=f"{first.players[0]} - {first.players[1]}, {length}",
        licence=origin.licence,
        provenance=origin.provenance,
        synthetic=any(match.event.startswith(SYNTHETIC) for match in matches.values()),
        files=files,
        analysed=[file["handle"] for file in files if _is_reported(file["match"])],  # a transcript cannot be compared with an analysis
        reported=[_reported(file["handle"], file["match"]) for file in files if origin.ask and _is_reported(file["match"])],
    )


def _handles(matches: Iterable[Match]) -> Iterator[str]:
    """`xg`, `gnubg`, and `xg-2` for a second file of one tool."""
    seen: Counter[str] = Counter()
    for match in matches:
        tool = analyser(match.source.tool)
        yield distinct(tool.key if tool else match.source.format, seen, "{}-{}")


def _is_reported(match: Match) -> bool:
    return analyser(match.source.tool) is not None and level_text(match) != "not analysed"


def _reported(handle: str, match: Match) -> dict[str, Any]:
    """The figures that a tool's window shows, for every player."""
    rules = (analyser(match.source.tool) or GNUBG).rules
    metrics = [name for name in load_tolerances().table(f"{rules}-reported").entries if "@" not in name]
    by_seat = match.players[0] == match.players[1] or not all(match.players)
    return {
        "handle": handle,
        "rules": rules,
        "by_seat": by_seat,
        "players": ("1", "2") if by_seat else match.players,
        "metrics": [name for name in metrics if not (match.is_money and "mwc" in name)],
    }


def _text(text: str) -> str:
    """A text quoted so that it is valid YAML and JSON."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
