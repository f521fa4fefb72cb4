"""python -m peers.bluez_keys FOLDER: the keys that bluetoothd has stored, as blecap --keys takes them.

FOLDER is a copy of its state. For recordings with test keys only: the output says that it is one.
"""

import configparser
import json
import pathlib
import sys


def most_significant_first(text: str) -> str:
    """bluetoothd writes keys with their least significant octet first."""
    return bytes.fromhex(text)[::-1].hex()


def peer(path: pathlib.Path) -> dict:
    """The keys of one bond; `path` is its "info", in a folder named by the device's identity."""
    info = configparser.ConfigParser()
    info.optionxform = str
    info.read(path)
    keys = {"address": path.parent.name, "addressType": info["General"]["AddressType"]}
    for section in ("PeripheralLongTermKey", "LongTermKey"):
        if section in info:
            keys["ltk"] = most_significant_first(info[section]["Key"])
            break
    if "IdentityResolvingKey" in info:
        keys["irk"] = most_significant_first(info["IdentityResolvingKey"]["Key"])
    return keys


def main() -> None:
    peers = [peer(path) for path in sorted(pathlib.Path(sys.argv[1]).glob("*/*/info"))]
    bonded = [keys for keys in peers if len(keys) > 2]
    print(json.dumps({"test": True, "uqdk": [], "peers": bonded}, indent=2))


if __name__ == "__main__":
    main()
