"""gnuBG as a process: found, believed by its output alone, and never left behind."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reconcile.engines import gnubg
from reconcile.engines.gnubg import find, scratch
from reconcile.errors import EngineError
from reconcile.files.processes import stop
from tests.support.command_line import SGF
from tests.support.gnubg import needs_gnubg, program
from tests.support.long import long_but_first
from tests.support.processes import alive, wait_until

linux = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="needs /proc to look for processes"
)


def processes_in(folder):
    """The gnuBGs whose HOME is in a folder, where they put their temporary files."""
    programs = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        number = int(entry.name)
        if f"HOME={folder}/".encode() in environment and number != os.getpid() and alive(number):
            programs.append(number)
    return programs


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder of its own for temporary files."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def script_file(path, text):
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/nowhere/gnubg", r"^/nowhere/gnubg: .*RECONCILE_GNUBG"),
        ("", "apt-get install gnubg"),
        ("gnubg", r"expected gnuBG, .*something else 3\.1"),
    ],
)
def test_what_is_missing_or_another_program_is_told_with_the_remedy(
    path, message, tmp_path, monkeypatch
):
    script_file(tmp_path / "gnubg", "#!/bin/sh\necho something else 3.1\n")
    monkeypatch.setenv("RECONCILE_GNUBG", path and str(tmp_path / path))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(gnubg, "FOLDERS", ("/nowhere",))
    with pytest.raises(EngineError, match=message):
        find()


@needs_gnubg
def test_a_wrapper_of_the_user_s_own_will_do(monkeypatch, tmp_path):
    wrapper = script_file(tmp_path / "my gnubg", f'#!/bin/sh\n"{program().path}" "$@"\n')
    monkeypatch.setenv("RECONCILE_GNUBG", str(wrapper))
    engine = find()
    assert (engine.path, engine.version) == (wrapper, program().version)
    assert "\n42\n" in engine.run("print(6 * 7)", timeout=60)


@needs_gnubg
class TestRunning:
    def test_output_is_that_of_the_script_and_of_gnubg_and_comes_line_by_line(self):
        lines: list[str] = []
        printed = program().run(
            'gnubg.command("set threads 1")\nprint("done here")', timeout=60, on_line=lines.append
        )
        assert "threads has been set to 1" in printed
        assert printed.endswith("done here\n")
        assert "threads has been set to 1" in "\n".join(lines)
        assert lines[-1] == "done here"

    @pytest.mark.parametrize(
        ("script", "message"),
        long_but_first(
            [
                ("1 / 0", "ZeroDivisionError: division by zero"),
                ("this is no Python", "SyntaxError"),
                (
                    "import os; print('half', flush=True); os._exit(0)",
                    "it ended early; the last line it printed: half",
                ),
                ("raise SystemExit(0)", "SystemExit"),
            ],
            2,
        ),
    )
    def test_a_script_that_does_not_end_well_is_an_error_though_the_exit_status_is_0(
        self, script, message
    ):
        with pytest.raises(EngineError, match=message):
            program().run(script, timeout=60)

    def test_time_limit(self):
        with pytest.raises(EngineError, match=r"not finished after 0\.5 seconds"):
            program().run("while True: pass", timeout=0.5)

    def test_what_the_listener_raises_ends_gnubg(self, temporary):
        def angry(line):
            if line == "go":
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            program().run("print('go')\nwhile True: pass", timeout=60, on_line=angry)
        assert list(temporary.iterdir()) == []

    @linux
    def test_nothing_is_left_of_a_run_that_was_stopped_from_another_thread(self, temporary):
        started = threading.Event()
        with ThreadPoolExecutor(1) as pool:
            run = pool.submit(
                program().run,
                "print('go')\nwhile True: pass",
                timeout=60,
                on_line=lambda line: started.set() if line == "go" else None,
            )
            assert started.wait(60)
            assert processes_in(temporary)
            stop()
            with pytest.raises(EngineError, match="it ended early"):
                run.result()
        assert processes_in(temporary) == []
        assert list(temporary.iterdir()) == []

    def test_settings_and_home_of_the_user_are_left_alone(self, tmp_path, monkeypatch):
        (tmp_path / ".gnubg").mkdir()
        (tmp_path / ".gnubg" / "gnubgrc").write_text(
            "set analysis chequerplay evaluation plies 1\n", encoding="utf-8"
        )
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("PYTHONHOME", "/nowhere")
        monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
        printed = program().run('gnubg.command("show analysis")', timeout=60)
        assert "1-ply evaluation" not in printed
        assert sorted(path.name for path in (tmp_path / ".gnubg").iterdir()) == ["gnubgrc"]


@pytest.mark.long
@needs_gnubg
@linux
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_no_gnubg_and_no_folder_outlives_an_end_of_ours(how, tmp_path):
    words = [sys.executable, "-m", "reconcile", "analyse", SGF, "--plies", "3", "-o", "x.sgf"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(words, env=environment, cwd=tmp_path) as ours:
        wait_until(lambda: processes_in(tmp_path))
        ours.send_signal(how)
        assert ours.wait(60) == 128 + how
    assert processes_in(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_no_folder_for_temporary_files_and_no_room_in_one_are_one_line(name, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / name))
    reason = "no space left on device" if name == "." else "no such file or directory"
    message = f"temporary files: {reason}; name another folder in TMPDIR"
    with pytest.raises(EngineError, match=message), scratch():
        raise OSError(errno.ENOSPC, "No space left on device")
    assert list(tmp_path.iterdir()) == []
