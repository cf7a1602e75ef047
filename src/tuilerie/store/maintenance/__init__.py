"""Maintenance: backup and restore, portable dump, verification, erasure of names."""
