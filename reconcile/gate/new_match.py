"""The start of a `match.yaml`: everything that can be read from the files of a match.

What only people know is left empty, and the manifest is rejected until they fill it in: where the match comes from, under which licence
it may be shared, what the tools showed and who read that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from reconcile.adapters import STANDARD_INPUT, read_bytes, read_match
from reconcile.errors import InvalidConfiguration
from reconcile.files.names import fold
from reconcile.files.output import Output, legal_stem
from reconcile.files.wording import plural
from reconcile.gap.pairing import pair
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.manifest import LONGEST_NAME, MANIFEST, plain_name
from reconcile.match import Match
from reconcile.scoring.findings import SYNTHETIC, level_text
from reconcile.tools import GNUBG, analyser

PACK: Final = "reference_matches"


def skeleton(files: Sequence[str], folder: str | None = None) -> tuple[Path, list[Output]]:
    """The folder of a new match, and what to write into it: copies of the files, and the manifest.

    Without `folder`, a folder in `reference_matches` named after players and length. Raises `UnreadableFile`, `NotTheSameMatch`, and
    `InvalidConfiguration` where something of that name is there already.
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
    home = Path(folder) if folder is not None else Path(PACK) / _slug(first)
    name = home.resolve().name
    if not re.fullmatch("[a-z0-9][a-z0-9-]*", name):
        raise InvalidConfiguration(f"{home}: expected a folder named in small letters, digits and -, found {name!r}; choose such a name")
    outputs: list[Output] = [(str(home / MANIFEST), _manifest(name, matches))]
    for path, content in contents.items():
        if (home / Path(path).name).resolve() != Path(path).resolve():
            outputs.append((str(home / _checked_name(path)), content))
    there = next((target for target, _ in outputs if Path(target).exists()), None)
    if there is not None:
        raise InvalidConfiguration(f"{there}: exists already and is not overwritten; choose another folder with -o")
    return home, outputs


def _checked_name(path: str) -> str:
    name = Path(path).name
    try:
        if len(name) > LONGEST_NAME:
            raise ValueError(f"expected a name of at most {LONGEST_NAME} characters")
        return plain_name(name)
    except ValueError as error:
        raise InvalidConfiguration(f"{path}: {error}; rename the file") from None


def _slug(match: Match) -> str:
    """`nora-lindqvist-tomas-beck-7pt`, in letters that every system allows."""
    return legal_stem(" ".join([*map(fold, match.players), "money" if match.length is None else f"{match.length}pt"]))


def _manifest(name: str, matches: dict[str, Match]) -> str:
    first = next(iter(matches.values()))
    handles = _handles(list(matches.values()))
    length = "money session" if first.length is None else plural(first.length, "point")
    lines = [
        "schema_version: 1",
        f"id: {name}",
        f"title: {_text(f'{first.players[0]} - {first.players[1]}, {length}')}",
        f"synthetic: {'true' if any(match.event.startswith(SYNTHETIC) for match in matches.values()) else 'false'}",
        "# The licence under which the files may be shared.",
        'licence: ""',
        "# Who made the match and its analysis, where and when.",
        'provenance: ""',
        "# For a file that may not be copied here: delete it, fill in its https address and write bundled: false.",
        "files:",
    ]
    for handle, (path, match) in zip(handles, matches.items(), strict=True):
        content = match.source
        lines += [
            f"  {handle}:",
            f"    name: {_text(Path(path).name)}",
            f'    sha256: "{content.sha256}"',
            f"    bytes: {len(content.content)}",
            "    url: null",
            "    bundled: true",
            f"    tool: {_text(content.tool)}",
            f"    tool_version: {'null' if content.tool_version is None else _text(content.tool_version)}",
            f"    level: {_text(level_text(match))}",
        ]
    reported = [
        line
        for handle, match in zip(handles, matches.values(), strict=True)
        if analyser(match.source.tool) and level_text(match) != "not analysed"
        for line in _reported(handle, match)
    ]
    lines += (
        ["# What the tool's own window shows: all digits, in quotes. Delete the lines of figures that it does not show."]
        if reported
        else []
    )
    lines += ["reported:", *reported] if reported else ["reported: []"]
    lines.append("pairs:" if len(handles) > 1 else "pairs: []")
    for handle in handles[1:]:
        lines += [
            f"  - left: {handles[0]}",
            f"    right: {handle}",
            "    # A tolerance table, or null for a pair that is explained but not judged.",
            "    judged_by: null",
        ]
    return "\n".join(lines) + "\n"


def _handles(matches: Sequence[Match]) -> list[str]:
    seen: Counter[str] = Counter()
    handles = []
    for match in matches:
        tool = analyser(match.source.tool)
        name = tool.key if tool else match.source.format
        seen[name] += 1
        handles.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return handles


def _reported(handle: str, match: Match) -> list[str]:
    tool = analyser(match.source.tool) or GNUBG
    rules = tool.rules
    metrics = [name for name in load_tolerances().table(f"{rules}-reported").entries if "@" not in name]
    if match.is_money:
        metrics = [name for name in metrics if "mwc" not in name]
    by_seat = match.players[0] == match.players[1] or not all(match.players)
    lines = [
        f"  - file: {handle}",
        f"    rules: {rules}",
        f"    table: {rules}-reported",
        "    # Who read the figures, where, when and in which version.",
        '    source: ""',
    ]
    lines += ["    by_seat: true"] if by_seat else []
    lines.append("    players:")
    for seat, player in enumerate(match.players, start=1):
        lines += [f"      {_text(str(seat) if by_seat else player)}:", *(f'        {name}: ""' for name in metrics)]
    return lines


def _text(text: str) -> str:
    """A text quoted so that it is valid YAML and JSON."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
