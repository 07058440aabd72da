"""The version of this program, below everything else, so that a module that writes it need not
import the whole package."""

__version__ = "1.0.0"
REPOSITORY = ""
"""Address of the repository, without a slash at the end; a release fills it, and the package's
metadata and description lead there."""
