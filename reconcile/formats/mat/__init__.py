"""Transcripts in Jellyfish style: what gnuBG exports as `.mat`, XG as `.txt`, and playing sites as either. No analysis."""

from __future__ import annotations

from reconcile.formats.mat.lines import recognises
from reconcile.formats.mat.reader import read

__all__ = ["read", "recognises"]
