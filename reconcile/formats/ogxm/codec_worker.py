"""The process in which the codec of OGXM runs: a document on standard input, its JSON on standard
output.

It imports nothing of this program, so that a fault of the codec's native code ends no more than
this process. Exit code 3 and one line on standard error is the codec's own refusal.
"""

from __future__ import annotations

import json
import sys

REFUSED = 3
MEMORY = 2 * 2**30
"""Bytes that decoding may take."""


def main() -> int:
    """Convert what standard input has."""
    _bound_memory()
    import ogxm

    content = sys.stdin.buffer.read()
    try:
        fault, _ = ogxm.verify(content) if content[4:6] == b"\2\0" else (None, False)
        if fault is not None:
            raise RuntimeError(f"it breaks the rule {fault!r} of the format")
        document = json.dumps(ogxm.binary_to_json(content), allow_nan=False).encode()
    except (RuntimeError, ValueError) as error:
        print(str(error).splitlines()[0], file=sys.stderr)
        return REFUSED
    sys.stdout.buffer.write(document)
    return 0


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    raise SystemExit(main())
