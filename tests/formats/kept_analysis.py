"""A kept analysis of two rolls, as bgsage's are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

DOCUMENT: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
RECORD: str = DOCUMENT["transcript"]
