"""The version of this program, at the bottom, so that whatever writes it down need not import the package's face."""

__version__ = "0.1.0"
