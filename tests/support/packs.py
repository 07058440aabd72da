"""Packs of a test: manifests with other values."""

import yaml

from reconcile.gate.manifest import MANIFEST


def respell(folder, change):
    """Change the manifest of a match."""
    path = folder / MANIFEST
    manifest = yaml.safe_load(path.read_text("utf-8"))
    change(manifest)
    path.write_text(yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8")
