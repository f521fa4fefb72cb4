"""What is tested in the guest: `python -m unittest recorder.guest.test_...`."""
