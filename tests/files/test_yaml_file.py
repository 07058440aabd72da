"""YAML as people write it: by version 1.2, and the same with either parser."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from reconcile.files import yaml_file


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1:59:59", "1:59:59"),
        ("1:30", "1:30"),
        ("-12:5", "-12:5"),
        ("190:20:30.15", "190:20:30.15"),
        ("2026-01-01", "2026-01-01"),
        ("off", "off"),
        ("12", 12),
        ("-1.5", -1.5),
        ("~", None),
    ],
)
def test_a_time_is_text_and_a_number_is_one(written: str, value: object, tmp_path: Path) -> None:
    text = f"key: {written}\n"
    assert yaml.load(text, yaml_file._Loader) == {"key": value}
    (tmp_path / "a.yaml").write_text(text)
    assert yaml_file.read_tree(tmp_path / "a.yaml") == {"key": value}
