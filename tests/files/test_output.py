"""A file is the old one or the whole new one, several are written together or not at all, and
devices and pipes stay what they are."""

import os
import sys
from pathlib import Path

import pytest

from reconcile.files.output import CannotWrite, write, write_all

pytestmark = pytest.mark.usefixtures("elsewhere")


def test_file_is_the_old_one_or_the_whole_new_one_and_so_are_several(tmp_path, monkeypatch):
    for content in ("text\n", b"\x00bytes\r\n"):
        write("out", content)
        expected = content.encode() if isinstance(content, str) else content
        assert Path("out").read_bytes() == expected
    with pytest.raises(CannotWrite):
        write_all([("out", "new"), ("new/folder/x", "x"), ("out/under", "x")])

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotWrite, match="no space left on device"):
        write("out", b"half")
    assert Path("out").read_bytes() == b"\x00bytes\r\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_device_is_written_to_and_never_replaced():
    device = Path(os.devnull)
    before = device.stat()
    write_all([(os.devnull, "gone"), (os.devnull, "twice")])
    assert (device.stat().st_ino, device.stat().st_rdev) == (before.st_ino, before.st_rdev)


MODES = {0o600: 0o600, 0o664: 0o664, 0o440: 0o440, 0o4755: 0o755, 0o2755: 0o755}
"""Of a file, and of what replaces it: new content does not run with the rights of the owner."""


@pytest.mark.skipif(sys.platform == "win32", reason="no modes there")
def test_replaced_file_keeps_its_mode_and_a_new_one_has_that_of_any_new_file():
    for mode, expected in MODES.items():
        Path("old").write_text("old")
        Path("old").chmod(mode)
        write("old", "new")
        assert (Path("old").read_text(), Path("old").stat().st_mode & 0o7777) == ("new", expected)
    before = os.umask(0o027)
    try:
        write("made", "new")
    finally:
        os.umask(before)
    assert Path("made").stat().st_mode & 0o7777 == 0o640


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away"
)
def test_replaced_file_keeps_its_owner_and_group(monkeypatch):
    Path("theirs").write_text("old")
    os.chown("theirs", 1234, 4321)
    Path("theirs").chmod(0o640)
    write("theirs", "new")
    status = Path("theirs").stat()
    assert (status.st_uid, status.st_gid, status.st_mode & 0o7777) == (1234, 4321, 0o640)

    def denied(*_arguments):
        raise PermissionError(1, "Operation not permitted")

    # Who cannot give the file away gets no more done with it than the owner allowed to strangers.
    monkeypatch.setattr("os.chown", denied)
    Path("theirs").chmod(0o6671)
    write("theirs", "new")
    assert Path("theirs").stat().st_mode & 0o7777 == 0o601


@pytest.mark.skipif(sys.platform == "win32", reason="no links there")
def test_link_stays_and_what_it_leads_to_is_replaced_unless_that_is_itself():
    Path("under").mkdir()
    Path("under/real").write_text("old")
    for link, target in (("link", "under/real"), ("self", "self"), ("a", "b"), ("b", "a")):
        Path(link).symlink_to(target)
    write("link", "new")
    assert (Path("link").is_symlink(), Path("under/real").read_text()) == (True, "new")
    for link in ("self", "a"):
        with pytest.raises(CannotWrite, match="a link to itself"):
            write(link, "new")
        assert Path(link).is_symlink()


@pytest.mark.parametrize("kind", ["same", "spelled", "symbolic", "hard"])
def test_two_outputs_are_never_one_file(kind):
    Path("old").write_text("old")
    other = {"same": "old", "spelled": f"../{Path.cwd().name}/./old"}.get(kind, "other")
    if kind == "symbolic":
        Path("other").symlink_to("old")
    if kind == "hard":
        os.link("old", "other")
    with pytest.raises(CannotWrite, match="named for two outputs"):
        write_all([("old", "one"), ("new", "two"), (other, "three")])
    with pytest.raises(CannotWrite, match="named for two outputs"):
        write_all([("old", "one"), ("new", "two")], [(other, "three")])
    assert Path("old").read_text("utf-8") == "old"
    assert not Path("new").exists()
