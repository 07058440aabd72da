"""Short benchmark files: the published example of a line, lines that are flat, and scores to stand
beside."""

PUBLISHED = (
    "m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA 0.133905 OAHDMJABDAOAHDPAABDA 0.0835662 "
    "OAHDOEABCBOAHDPAABDA 0.111429 "
    "OAHDOBABCEOAHDPAABDA 0.124954 OAHDPAABAJOAHDPAABDA 0.189375"
)
"""The example of source document 003."""
LISTED = PUBLISHED.split()[4::2]
"""The plays that it lists, best first."""
FLAT = """s version 1.92 weights 0.15 moves2plyLimit 20
# race
r 7
#R NHDOCEEAAEOPBNAAAAAA 0 0 0 0 0
#R NHDOIEBAAEOPBNAAAAAA 0 0 0 0 0
m OPBNAAAAHAONEDEAGAAA 3 5 NHDOIEBAAEOPBNAAAAAA 1 NHDOCEEAAEOPBNAAAAAA 0
"""
DATABASES = """schema_version: 1
databases:
  mine: {lines: [2], class: contact, source: me}
  other: {lines: [9], class: contact, source: me}
tables:
  close:
    title: A bot
    source: me
    entries:
      mine: {score: 41.8, abs: 0.05, level: error}
      other: {score: 1, abs: 0.05, level: error}
  far:
    title: Another bot
    source: me
    entries:
      mine: {score: 50, abs: 0.05, level: error}
  hint:
    title: Another bot
    source: me
    entries:
      mine: {score: 50, abs: 0.05, level: warn}
  elsewhere:
    title: Another bot
    source: me
    entries:
      other: {score: 50, abs: 0.05, level: error}
"""
"""Published scores that the published example is held against."""


def written(folder, text):
    path = folder / "a.bm"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)
