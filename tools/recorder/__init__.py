"""Tests of recording in a real Bluetooth kernel (tools/guest), and what they need."""
