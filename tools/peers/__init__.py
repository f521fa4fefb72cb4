"""Independent Bluetooth devices and their clients: the other side of blecap's tests and captures."""
