"""The version of this program, at the bottom, so that whatever writes it down need not import the package's face."""

__version__ = "1.0.0"
REPOSITORY = ""
"""Address of the repository, without a slash at the end; a release fills it, and the package's metadata and description lead there."""
