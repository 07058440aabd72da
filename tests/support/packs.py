"""Packs of a test: copies of bundled matches, and manifests with other values."""

import shutil

import yaml

from reconcile.gate.manifest import MANIFEST
from tests.support.command_line import CUBE_RICH, PACK


def pack_of(folder, *names):
    """A pack of copies of these bundled matches."""
    for name in names:
        shutil.copytree(PACK / name, folder / name)
    return folder


def falsified(folder, *more, **printed):
    """A pack of which some figures of Ann are not gnuBG's, and of more bundled matches."""
    home = pack_of(folder, CUBE_RICH.name, *more) / CUBE_RICH.name
    respell(home, lambda manifest: manifest["reported"][0]["players"]["Ann"].update(printed))
    return folder


def respell(folder, change=None, **facts):
    """Change the manifest of a match: some of its facts, and what a function does to it."""
    path = folder / MANIFEST
    manifest = yaml.safe_load(path.read_text("utf-8"))
    manifest.update(facts)
    if change:
        change(manifest)
    path.write_text(yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8")
