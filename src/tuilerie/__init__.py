"""Tuilerie: an open home for tile-laying games."""

__version__ = "0.1.0"
