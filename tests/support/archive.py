"""A folder of matches as people keep them: deep, with a match twice, and with files that hold
none."""

import io
import shutil
import tarfile
import zipfile
from typing import Any

from tests.support.data import PROJECT
from tests.support.variants import variant

XG = PROJECT / "reference_matches" / "demonstration" / "nora-lindqvist-tomas-beck.xg"
SGF = XG.with_suffix(".sgf")


def make_archive(folder, variants=4):
    """Make a folder of matches from two tools, one of them twice and one varied, of a broken file
    and of two that hold no match."""
    (folder / "deep" / "er").mkdir(parents=True)
    shutil.copy(XG, folder / "b.xg")
    shutil.copy(SGF, folder / "deep" / "a.sgf")
    shutil.copy(SGF, folder / "deep" / "er" / "again.sgf")
    for seed in range(variants):
        (folder / f"v{seed}.xg").write_bytes(variant(XG.read_bytes(), seed))
    (folder / "broken.xg").write_bytes(XG.read_bytes()[:5000])
    (folder / "notes.txt").write_text("nothing but notes")
    (folder / "picture.png").write_bytes(b"not looked at")
    return folder


def pack(archive, folder):
    """The files of an archive in a zip and a tar file, by their places in it."""
    paths = sorted(path for path in archive.rglob("*") if path.is_file())
    members = {path.relative_to(archive).as_posix(): path.read_bytes() for path in paths}
    packed = folder / "all.zip", folder / "all.tar.gz"
    for path in packed:
        path.write_bytes(archive_of(path.name.removeprefix("all."), members))
    return packed


def archive_of(ending, members):
    """The bytes of a zip or tar file (`zip`, `tar`, `tar.gz`...) with these members."""
    packed = io.BytesIO()
    if ending == "zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return packed.getvalue()
    kind: Any = f"w:{ending[4:]}"
    with tarfile.open(fileobj=packed, mode=kind, encoding="utf-8", errors="surrogateescape") as tar:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return packed.getvalue()
