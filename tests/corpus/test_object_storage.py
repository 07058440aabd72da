"""A corpus of matches in object storage is that of the same matches in a folder, and is read
there as here."""

import pytest
from pyarrow import fs

from reconcile.corpus.run import build
from reconcile.files.output import CannotWrite
from reconcile.files.storage import upload
from tests.corpus.corpus_folder import content, make, table
from tests.support.archive import pack
from tests.support.command_line import refused, run
from tests.support.object_storage import CREDENTIALS, object_storage


@pytest.fixture(scope="module")
def server():
    with object_storage() as address:
        yield address


@pytest.fixture
def bucket(server, monkeypatch):
    """An empty bucket, `s3://bucket`."""
    for name, value in {**CREDENTIALS, "AWS_ENDPOINT_URL": server}.items():
        monkeypatch.setenv(name, value)
    host = server.removeprefix("http://")
    allowed = {"allow_bucket_creation": True, "allow_bucket_deletion": True}
    storage = fs.S3FileSystem(
        endpoint_override=host, scheme="http", access_key="somebody", secret_key="secret", **allowed
    )
    storage.create_dir("bucket")
    yield storage
    storage.delete_dir("bucket")


def put(bucket, folder, key):
    for path in folder.rglob("*"):
        if path.is_file():
            with bucket.open_output_stream(
                f"{key}/{path.relative_to(folder).as_posix()}", compression=None
            ) as target:
                target.write(path.read_bytes())


def published(bucket, key):
    entries = bucket.get_file_info(fs.FileSelector(key, recursive=True))
    return {
        entry.path.removeprefix(f"{key}/"): bucket.open_input_file(entry.path).readall()
        for entry in entries
        if entry.is_file
    }


def words(source, folder):
    """The command that makes the tables of the bucket."""
    work = str(folder / "work")
    return ["corpus", source, "-o", "s3://bucket/tables", "--work", work, "--jobs", "1"]


@pytest.mark.long
def test_matches_in_object_storage_are_those_of_the_folder(bucket, archive, tmp_path):
    (archive / "base.db").write_bytes(b"SQLite format 3\0")
    put(bucket, archive, "bucket/deep/matches")
    for jobs in (1, 2):
        build(["s3://bucket/deep/matches"], tmp_path / f"out{jobs}", jobs=jobs)
    assert content(tmp_path / "out1") == content(tmp_path / "out2")
    make(archive, tmp_path / "here")
    for name in ("players", "games", "questions", "decisions"):
        assert table(tmp_path / "out1", name) == table(tmp_path / "here", name)
    for name in ("files", "matches"):
        here, there = table(tmp_path / "here", name), table(tmp_path / "out1", name)
        assert [row["file"].replace(str(archive), "s3://bucket/deep/matches") for row in here] == [
            row["file"] for row in there
        ]
    (database,) = [row for row in table(tmp_path / "out1", "files") if row["file"].endswith(".db")]
    assert "fetch it first" in database["error"]


@pytest.mark.long
def test_archives_in_object_storage_are_opened(bucket, archive, tmp_path):
    packed = tmp_path / "packed"
    packed.mkdir()
    pack(archive, packed)
    put(bucket, packed, "bucket/packed")
    make(archive, tmp_path / "here")
    expected = sorted(row["sha256"] for row in table(tmp_path / "here", "matches"))
    for name in ("all.zip", "all.tar.gz"):
        build([f"s3://bucket/packed/{name}"], tmp_path / name, jobs=2)
        rows = table(tmp_path / name, "matches")
        assert sorted(row["sha256"] for row in rows) == expected
        assert f"s3://bucket/packed/{name}!deep/a.sgf" in [row["file"] for row in rows]


@pytest.mark.long
def test_tables_are_published_completely_and_read_there(bucket, archive, tmp_path):
    put(bucket, archive, "bucket/in")
    assert run(*words("s3://bucket/in", tmp_path)).exit_code == 0
    here = {
        path.relative_to(tmp_path / "work").as_posix(): path.read_bytes()
        for path in (tmp_path / "work").rglob("*")
        if path.is_file() and ".work" not in path.parts
    }
    assert published(bucket, "bucket/tables") == here
    asked = "select player, pr from player_matches order by match, seat"
    assert (
        run("corpus-query", "s3://bucket/tables/", asked).stdout
        == run("corpus-query", str(tmp_path / "work"), asked).stdout
        != ""
    )


@pytest.mark.long
def test_who_reads_during_a_copy_has_the_old_ones(bucket, archive, tmp_path, monkeypatch):
    command = words(str(archive), tmp_path)
    assert run(*command).exit_code == 0
    asked = "select file, player, pr from player_matches order by file, seat"
    before = run("corpus-query", "s3://bucket/tables", asked).stdout

    def broken(path, address):
        if "games" in address:
            raise CannotWrite(f"{address}: cannot be written: no more money")
        upload(path, address)

    monkeypatch.setattr("reconcile.files.storage.upload", broken)
    (archive / "v1.xg").unlink()
    refused(*command)
    assert run("corpus-query", "s3://bucket/tables", asked).stdout == before
    monkeypatch.setattr("reconcile.files.storage.upload", upload)
    assert run(*command).exit_code == 0
    assert run("corpus-query", "s3://bucket/tables", asked).stdout not in (before, "")


@pytest.mark.long
def test_what_is_not_there_is_one_line(bucket, archive, tmp_path):
    for words, message in (
        (("corpus", "s3://bucket/none", "-o", "out"), "found nothing"),
        (("corpus", "s3://nobody/none", "-o", "out"), "no_such_bucket"),
        (
            ("corpus", str(archive), "-o", "s3://nobody/tables", "--work", str(tmp_path / "work")),
            "no_such_bucket",
        ),
        (("corpus-query", "s3://bucket/none", "select 1"), "found no archive.json"),
    ):
        assert message in refused(*words)
    assert not (tmp_path / "work").exists()
