"""python -m peers PEER [OPTIONS]: puts a device in the air and gives a host an adapter to reach it.

Prints a line that starts with "ready" when the device advertises; runs until it is stopped.
"""

import argparse
import asyncio
import json
import pathlib
import time

from .air import Air
from .gadgets import Band, Clock, Echo, Fob, LinkDevice, Mobike, out_of_band
from .peripheral import Peripheral
from .uploader import Uploader
from .uqdk.car import Car, Key
from .uqdk.gatt_car import GattCar

HOST_ADDRESS = "02:00:00:00:00:{:02X}"
FIRST_HOST = 0x10
GADGETS = {
    "link-devices": lambda: [LinkDevice(1), LinkDevice(2)],
    "mobike": lambda: [Mobike()],
    "band": lambda: [Band()],
    "clock": lambda: [Clock()],
    "band-and-mobike": lambda: [Band(), Mobike()],
    "uploaders": lambda: [Uploader(3, has_version=False), Uploader(4, has_version=True)],
}


def log(line: str) -> None:
    print(line, flush=True)


def make_car(options) -> Peripheral:
    keys = {
        bytes.fromhex(entry["keyId"]): Key(bytes.fromhex(entry["key"]))
        for entry in json.loads(options.keys.read_text())["uqdk"]
    }
    codes = [entry for entry in json.loads(options.keys.read_text())["uqdk"] if "pairingCode" in entry]
    car = Car(
        keys, lifetime=options.lifetime, clock=lambda: time.monotonic() / options.slower, log=log
    )
    if codes:
        first = [codes[0]["pairingCode"]]
        make_code = car.make_code
        car.make_code = lambda: first.pop() if first else make_code()
    car.open_pairing_window()
    return GattCar(car, bytes.fromhex(options.vehicle_id), options.att_mtu, options.name_only)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="peers", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--host",
        action="append",
        help="an adapter's transport as Bumble names it; can be repeated (default: vhci)",
    )
    peers = parser.add_subparsers(dest="peer", required=True)
    car = peers.add_parser("car", help="a car that speaks UQDK reference format 1")
    car.add_argument("--keys", type=pathlib.Path, required=True, help="as blecap --keys takes them")
    car.add_argument("--att-mtu", type=int, default=23)
    car.add_argument("--lifetime", type=int, default=300, help="of a session, in seconds")
    car.add_argument(
        "--slower",
        type=float,
        default=1,
        help="how many times slower the car's clock goes, where the phone's machine is emulated and busy",
    )
    car.add_argument("--vehicle-id", default="4341523030303031")
    car.add_argument("--name-only", action="store_true")
    fob = peers.add_parser("fob", help="a key fob that pairs")
    fob.add_argument("--io", type=int, default=3, choices=range(5), help="as SMP numbers it")
    fob.add_argument("--passkey", type=int, default=0, help="what its person enters or is shown")
    fob.add_argument("--mitm", action="store_true")
    fob.add_argument("--legacy", action="store_true")
    fob.add_argument("--oob", metavar="KEY:RANDOM", help="out of band data that it has given")
    fob.add_argument("--oob-peer", metavar="CONFIRM:RANDOM", help="those that it was given")
    echo = peers.add_parser("echo", help="sends back what comes on L2CAP channels")
    echo.add_argument("--mtu", type=int, default=2048)
    echo.add_argument("--mps", type=int, default=2048)
    echo.add_argument("--credits", type=int, default=256)
    echo.add_argument("--opens", type=int, help="the SPSM of the host that it opens a channel to")
    for name in GADGETS:
        peers.add_parser(name)
    return parser.parse_args()


async def main() -> None:
    options = parse_options()
    air = Air()
    if options.peer == "car":
        peers = [make_car(options)]
    elif options.peer == "fob":
        oob = out_of_band(options.oob, options.oob_peer) if options.oob else None
        peers = [Fob(options.io, options.passkey, options.mitm, not options.legacy, oob)]
    elif options.peer == "echo":
        peers = [Echo(options.mtu, options.mps, options.credits, options.opens)]
    else:
        peers = GADGETS[options.peer]()
    for peer in peers:
        await peer.start(air)
    for number, transport in enumerate(options.host or ["vhci"]):
        await air.add_host(transport, HOST_ADDRESS.format(FIRST_HOST + number))
    log("ready: " + ", ".join(f"{peer.name} at {peer.address}" for peer in peers))
    await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    asyncio.run(main())
