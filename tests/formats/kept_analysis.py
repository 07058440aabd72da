"""A kept analysis of two rolls, as bgsage's are."""

from typing import Any

from tests.support.tables import beside

DOCUMENT: dict[str, Any] = beside(__file__)
RECORD: str = DOCUMENT["transcript"]
