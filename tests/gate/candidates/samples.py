"""Reference packs, and candidates of the kinds that a program gives: figures and decisions."""

import json
from functools import cache
from hashlib import sha256

import yaml

from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.scoring.statistics import statistics

PACK = bundled("reference_matches")
ZERO_PLY = PACK / "gnubg-7pt-0ply"
RICH = PACK / "gnubg-11pt-cube-rich"
DEMONSTRATION = PACK / "demonstration"
ALICE, BOB = "Alice m04", "Bob m04"


@cache
def loaded(path):
    return load_match(path)


def file_of(folder, ending=".sgf"):
    (path,) = folder.glob(f"*{ending}")
    return path


def make_pack(folder, files, **more):
    """A pack of real files by match and handle, without reported figures."""
    for name, handles in files.items():
        (folder / name).mkdir(parents=True)
        manifest = {
            "schema_version": 1,
            "id": name,
            "title": name,
            "synthetic": False,
            "licence": "as where it comes from",
            "provenance": "copied for a test",
            "files": {},
            "reported": [],
            "pairs": [],
            **more,
        }
        for handle, path in handles.items():
            content = path.read_bytes()
            (folder / name / path.name).write_bytes(content)
            manifest["files"][handle] = {
                "name": path.name,
                "sha256": sha256(content).hexdigest(),
                "bytes": len(content),
                "url": None,
                "bundled": True,
                "tool": loaded(path).source.tool,
                "tool_version": None,
                "level": None,
            }
        (folder / name / "match.yaml").write_text(
            yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8"
        )
    return folder


def written(path, content):
    """A candidate file: text or bytes as they are, anything else as JSON."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


def plain(*matches, **facts):
    """Figures of matches as a program prints them."""
    return {"schema_version": 1, **facts, "matches": list(matches)}


def of_matches(figures, **facts):
    """The same from figures by match and player."""
    listed = ({"match": match, "players": players} for match, players in figures.items())
    return plain(*listed, **facts)


def own(
    path,
    seat,
    rules=None,
    metrics=("pr", "snowie_er", "decisions.counted"),
):
    figures = statistics(loaded(path), rules).figures(seat)
    return {metric: figures[metric] for metric in metrics}
