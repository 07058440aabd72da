"""A command line as one text, split into words as the system's own programs split it. No shell runs.

On Windows these are the rules of the C runtime (`CommandLineToArgvW`): a backslash is a character of a path, except before a quote.
Elsewhere they are those of a POSIX shell.
"""

from __future__ import annotations

import shlex
import sys


def words_of(line: str, *, windows: bool = sys.platform == "win32") -> list[str]:
    """The words of a command line. Raises `ValueError` for a quote that is not closed."""
    return _windows_words(line) if windows else shlex.split(line)


def _windows_words(line: str) -> list[str]:
    """Source: Microsoft, "Parsing C command-line arguments". Unlike there, an open quote is an error, since it is one of the person."""
    line = line.strip(" \t")
    words: list[str] = []
    if line:  # the program: a quote encloses it or a part of it, and a backslash is never special, since it is a path
        end, quoted = 0, False
        while end < len(line) and (quoted or line[end] not in " \t"):
            quoted ^= line[end] == '"'
            end += 1
        if quoted:
            raise ValueError("No closing quotation")
        words.append(line[:end].replace('"', ""))
        line = line[end:].lstrip(" \t")
    while line:
        word, line = _windows_word(line)
        words.append(word)
        line = line.lstrip(" \t")
    return words


def _windows_word(line: str) -> tuple[str, str]:
    """The first argument, and what follows it: 2n backslashes before a quote are n and the quote, 2n+1 are n and a quote as a character."""
    word, at, quoted = "", 0, False
    while at < len(line) and (quoted or line[at] not in " \t"):
        slashes = len(line[at:]) - len(line[at:].lstrip("\\"))
        if slashes:
            at += slashes
            before_quote = line[at : at + 1] == '"'
            word += "\\" * (slashes // 2 if before_quote else slashes)
            if before_quote and slashes % 2:
                word += '"'
                at += 1
        elif line[at] == '"':
            if quoted and line[at + 1 : at + 2] == '"':  # two quotes inside quotes are one as a character
                word += '"'
                at += 1
            else:
                quoted = not quoted
            at += 1
        else:
            word += line[at]
            at += 1
    if quoted:
        raise ValueError("No closing quotation")
    return word, line[at:]
