"""Builds `reconcile/engines/sage.wasm`, the engine Open Sage, from its untouched source archive.

    python engine/build.py           # writes the module
    python engine/build.py --check   # compares it with one that is built again, byte by byte

pip gets the archive and the compiler by the digests of requirements.txt (100 MB; 600 MB unpacked,
two minutes). `--packages FOLDER` names a folder that has both, so nothing is downloaded.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
MODULE = HERE.parent / "reconcile" / "engines" / "sage.wasm"
REQUIREMENTS = HERE / "requirements.txt"
OURS = ("sage.cpp", "without_system.h", "immintrin.h")
SOURCES = (
    *("board", "moves", "strategy", "pubeval", "encoding", "neural_net", "multipy", "cube"),
    *("cube_eval", "match_equity", "bearoff"),
)
COMPILE = (
    *("-target", "wasm32-wasi", "-std=c++17", "-O3", "-msimd128", "-DNDEBUG", "-w"),
    # Not -ffast-math, for the engine computes with infinity; these are its own flags for ARM.
    *("-funsafe-math-optimizations", "-fno-math-errno", "-fno-exceptions"),
    *("-ffunction-sections", "-fdata-sections", "-I.", "-Icpp/include"),
    *("-include", "without_system.h"),
)
WITH_AVX2 = ("-D_M_X64",)
"""Of `neural_net.cpp`: its code for AVX2, by our immintrin.h."""
LINK = (
    *("-target", "wasm32-wasi", "-msimd128", "-mexec-model=reactor"),
    *("-Wl,--gc-sections", "-Wl,--strip-all", "-Wl,-z,stack-size=1048576"),
)


def main() -> int:
    """Build the module; an exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--packages", type=Path, metavar="FOLDER", help="where both are")
    asked = parser.parse_args()
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        try:
            content = built(asked.packages or downloaded(folder / "packages"), folder)
        except subprocess.CalledProcessError as error:
            print(f"engine/build.py: {error.cmd[0]} failed: {error.stderr[-2000:]}")
            return 2
    if not asked.check:
        MODULE.write_bytes(content)
    elif MODULE.read_bytes() != content:
        print(f"{MODULE}: expected what engine/build.py builds, found other bytes; build it again")
        return 1
    print(f"{MODULE.name}: {len(content)} bytes, {'as built again' * asked.check or 'written'}")
    return 0


def downloaded(folder: Path) -> Path:
    """The folder, with the archive and the compiler's wheel."""
    options = ("--no-deps", "--require-hashes", "--no-binary", "bgsage", "-q")
    run(
        sys.executable,
        "-m",
        "pip",
        "download",
        *options,
        "-r",
        str(REQUIREMENTS),
        "-d",
        str(folder),
    )
    return folder


def checked(packages: Path, pattern: str) -> Path:
    """A package that requirements.txt has the digest of."""
    path = next(packages.glob(pattern))
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest not in REQUIREMENTS.read_text("utf-8"):
        sys.exit(f"{path}: expected a SHA-256 of {REQUIREMENTS.name}, found {digest}")
    return path


def built(packages: Path, folder: Path) -> bytes:
    """The module."""
    with zipfile.ZipFile(checked(packages, "ziglang-*.whl")) as wheel:
        wheel.extractall(folder)  # noqa: S202, a package whose digest is known
    zig = folder / "ziglang" / ("zig.exe" if os.name == "nt" else "zig")
    zig.chmod(0o755)
    with tarfile.open(checked(packages, "bgsage-*.tar.gz")) as archive:
        archive.extractall(folder, filter="data")
    shutil.move(next(folder.glob("bgsage-*/cpp")), folder / "cpp")
    for name in OURS:
        shutil.copy(HERE / name, folder)

    def compiled(name: str) -> str:
        stem, more = Path(name).stem, WITH_AVX2 if "neural_net" in name else ()
        run(str(zig), "c++", *COMPILE, *more, "-c", name, "-o", f"{stem}.o", within=folder)
        return f"{stem}.o"

    names = ["sage.cpp", *(f"cpp/src/{name}.cpp" for name in SOURCES)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, names))
    run(str(zig), "c++", *LINK, *objects, "-o", "sage.wasm", within=folder)
    return (folder / "sage.wasm").read_bytes()


def run(*words: str, within: Path | None = None) -> None:
    """Run a program. Raises `CalledProcessError`."""
    subprocess.run(words, cwd=within, check=True, capture_output=True, text=True)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
