"""Tests of the page without installation."""
