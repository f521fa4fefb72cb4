"""Devices for the other systems."""

GADGETS = {}
