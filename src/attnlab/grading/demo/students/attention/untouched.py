"""Handed in as it was handed out."""
