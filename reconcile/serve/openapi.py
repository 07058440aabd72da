"""What the API takes and gives, as an OpenAPI document made of the published schemas."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from reconcile.match.met import met_names
from reconcile.rules.rulesets import RULE_SETS
from reconcile.serve.offered import FIGURES, LARGEST_UPLOAD, MOST_FILES
from reconcile.version import __version__

SCHEMAS: Final = Path(__file__).parents[1] / "schemas"
NAMES: Final = {
    "rules": "a rule set",
    "left_rules": "the rule set of the first file",
    "right_rules": "the rule set of the second file",
}
_COMMON: Final = {
    "match": "Which match of a database: its number, or player/opponent.",
    "met": f"Match equity table: {', '.join(met_names())}.",
}
_RULES: Final = {
    name: f"The name of {words}: {', '.join(RULE_SETS)}." for name, words in NAMES.items()
}
CALLS: Final[dict[str, tuple[str, tuple[str, ...], tuple[str, ...], dict[str, str]]]] = {
    "stats": (
        "The statistics of one match.",
        ("statistics",),
        ("match.xg",),
        {"rules": _RULES["rules"], "per_game": "`true` for every game too.", **_COMMON},
    ),
    "compare": (
        "Two files of one match, compared; of more than two the outlier and the decisions in dispute.",
        ("comparison", "many"),
        ("match.xg", "match.sgf"),
        {
            "left_rules": _RULES["left_rules"],
            "right_rules": _RULES["right_rules"],
            "table": "The table of tolerances for two files; `documented` by default.",
            "player": "Only this player's figures.",
            **_COMMON,
        },
    ),
    "investigate": (
        "The rules that give figures which somebody saw.",
        ("investigation",),
        ("match.xg",),
        {
            "player": "Whose figures they are; the start of the name is enough. Both, in a list, if a pasted text names them.",
            "reported": "METRIC=FIGURE, a line each, such as `pr=9.23`.",
            **{name: f"The figure {name}, instead of a line in `reported`." for name in FIGURES},
            "paste": "Text of XG's or gnuBG's statistics.",
            "game": "The number of a game, if the figures are not those of the match.",
            **_COMMON,
        },
    ),
}
"""By name: what it does, the schemas of its answers, example files, its fields."""


def openapi(kinds: Iterable[str]) -> dict[str, Any]:
    """The document for these calls."""
    schemas = {
        name: json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
        for kind in kinds
        for name in CALLS[kind][1]
    }
    error = {
        "type": "object",
        "required": ["error"],
        "properties": {"error": {"type": "string", "description": "What is wrong, in a sentence."}},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "reconcile",
            "version": __version__,
            "description": f"Files are sent as a form, at most {LARGEST_UPLOAD >> 20} MB; documents as the commands write them come back.",
        },
        "security": [{"token": []}],
        "paths": {f"/api/{kind}": {"post": _operation(*CALLS[kind])} for kind in kinds},
        "components": {
            "schemas": {**schemas, "error": error},
            "securitySchemes": {
                "token": {
                    "type": "apiKey",
                    "in": "query",
                    "name": "token",
                    "description": "Printed at the start.",
                }
            },
        },
    }


def _operation(
    summary: str, answers: tuple[str, ...], files: tuple[str, ...], fields: dict[str, str]
) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "files": {
            "type": "array",
            "items": {"type": "string", "contentMediaType": "application/octet-stream"},
            "minItems": len(files),
            "maxItems": len(files) if len(answers) == 1 else MOST_FILES,
            "description": "The field `files`, once for every file.",
        },
        **{
            name: {"type": "string", "description": description}
            for name, description in fields.items()
        },
    }
    documents: list[dict[str, Any]] = [{"$ref": f"#/components/schemas/{name}"} for name in answers]
    if "paste" in fields:
        documents.append({"type": "array", "items": documents[0], "minItems": 2, "maxItems": 2})
    form = {
        "type": "object",
        "required": ["files"],
        "properties": properties,
        "additionalProperties": False,
    }
    refusals = {
        "413": "Too large.",
        "422": "A file or field cannot be used; the sentence says why.",
        "503": "Busy; try again.",
    }
    return {
        "summary": summary,
        "x-files": list(files),
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": form}}},
        "responses": {
            "200": {
                "description": "The document.",
                "content": {"application/json": {"schema": {"oneOf": documents}}},
            },
            **{
                status: {
                    "description": text,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/error"}}
                    },
                }
                for status, text in refusals.items()
            },
        },
    }
