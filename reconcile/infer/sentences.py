"""The sentences of checks, by the templates of `checks.yaml`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reconcile.files.yaml_file import read_tree
from reconcile.wording import either, plural, some

if TYPE_CHECKING:
    from jinja2 import Template

SENTENCES: Final = read_tree(Path(__file__).with_name("checks.yaml"))

BLANKS: Final = re.compile(r"\s*({%.*?%})\s*")
"""Around a statement of a template, where they say nothing."""


def sentence(key: str, **facts: Any) -> str:
    """A sentence about facts, such as `checks.level`."""
    return _template(key).render(facts)


@cache
def _template(key: str) -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined)  # noqa: S701  # plain text
    environment.filters |= {"plural": plural, "some": some, "either": either}
    group, _, name = key.partition(".")
    text = SENTENCES[group][name] if name else SENTENCES[group]
    return environment.from_string(BLANKS.sub(r"\1", text))
