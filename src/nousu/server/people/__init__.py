"""Sessions, devices, history and progress of people."""
