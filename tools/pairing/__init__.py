"""This host and BlueZ's pair, in the guest: tests for tools/tests/guest-pairing."""
