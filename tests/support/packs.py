"""Packs of a test: copies of bundled matches, and manifests with other values."""

import shutil

import yaml

from reconcile.gate.manifest import MANIFEST
from tests.support.command_line import CUBE_RICH, PACK

SMALL = "gnubg-3pt-2ply"


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


def from_elsewhere(folder, url, *more):
    """A pack of a small match whose file is at an address; `more` are names and addresses of
    further files of the same content."""
    home = pack_of(folder / "pack", SMALL) / SMALL
    (file,) = home.glob("*.sgf")
    file.unlink()

    def change(manifest):
        own = manifest["files"]["gnubg"]
        own.update(url=url, bundled=False)
        for number, (name, address) in enumerate(more):
            manifest["files"][f"more{number}"] = own | {"name": name, "url": address}

    respell(home, change)
    return home.parent


def respell(folder, change=None, **facts):
    """Change the manifest of a match: some of its facts, and what a function does to it."""
    path = folder / MANIFEST
    manifest = yaml.safe_load(path.read_text("utf-8"))
    manifest.update(facts)
    if change:
        change(manifest)
    path.write_text(yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8")
