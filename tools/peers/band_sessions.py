"""Bumble's host against Bumble's band on one link: what `StackBench` does, for tools/bench.

    python -m peers.band_sessions pairs|sessions N

Prints the CPU time of the work in seconds, without the imports.
"""

import asyncio
import contextlib
import io
import sys
import time

from bumble.core import UUID
from bumble.device import DeviceConfiguration, Peer
from bumble.hci import Address

from .air import Air
from .gadgets import Band

BATTERY = bytes.fromhex("1B9901")


async def session(device, pairs):
    """Scans, connects, discovers, subscribes, asks so often for the battery, and disconnects."""
    found = asyncio.get_running_loop().create_future()
    on_advertisement = device.on(
        "advertisement", lambda one: None if found.done() else found.set_result(one.address))
    await device.start_scanning(legacy=True)
    address = await found
    device.remove_listener("advertisement", on_advertisement)
    await device.stop_scanning(legacy=True)
    peer = Peer(await device.connect(address))
    await peer.discover_services([UUID("FEE0")])
    await peer.discover_characteristics()
    answers, control = (peer.get_characteristics_by_uuid(UUID(name))[0] for name in ("FF01", "FF02"))
    told = asyncio.Event()
    await peer.subscribe(answers, lambda _value: told.set())
    for _ in range(pairs):
        told.clear()
        await peer.write_value(control, BATTERY, with_response=False)
        await told.wait()
    await peer.connection.disconnect()


async def main(what, count):
    air = Air()
    band = Band()
    await band.start(air)
    config = DeviceConfiguration(name="phone", address=Address("F0:00:00:00:00:F1"))
    device = await air.add_device(config, "02:00:00:00:00:F0")
    started = time.process_time()
    for _ in range(1 if what == "pairs" else count):
        await session(device, count if what == "pairs" else 1)
    return time.process_time() - started


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        seconds = asyncio.run(main(sys.argv[1], int(sys.argv[2])))
    print(f"{seconds:.3f}")
