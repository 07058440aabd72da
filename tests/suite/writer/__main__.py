"""Writes every file of the suite, and removes what is no longer one."""

from tests.suite.writer.recipe import recipes
from tests.suite.writer.table import table
from tests.support.data import PROJECT


def main():
    """Write the suite."""
    files = {name: content for case in recipes() for name, content in case.files()}
    folder = PROJECT / "conformance" / "cases"
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in files:
            path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder.parent / "cases.json").write_text(table(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
