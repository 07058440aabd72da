"""Transcripts in Jellyfish style: what gnuBG exports as `.mat`, XG as `.txt`, and playing sites as either. No analysis."""

from __future__ import annotations

from reconcile.adapters.mat.lines import looks_like_transcript
from reconcile.adapters.mat.reader import read_mat

__all__ = ["looks_like_transcript", "read_mat"]
