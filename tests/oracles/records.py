"""The nodes of a record of gnuBG, read apart from the product's reader: by property, values as they
stand."""

import re

Node = dict[str, list[str]]
PROPERTY = re.compile(r"([A-Z]{1,2})((?:\s*\[(?:\\.|[^\]\\])*\])+)")
VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)


def nodes_of(tree):
    """The nodes of one game."""
    return [
        {name: VALUE.findall(values) for name, values in PROPERTY.findall(node)}
        for node in _split(tree, ";")
    ]


def _split(text, mark):
    """The parts of the text after each mark that stands outside brackets."""
    bare = re.sub(
        r"\[((?:\\.|[^\]\\])*)\]",
        lambda value: "[" + "_" * len(value[1]) + "]",
        text,
        flags=re.DOTALL,
    )
    starts = [index for index, char in enumerate(bare) if char == mark]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield text[start + 1 : end]
