"""Does on Bumble's host what the host of a log did: its reads, writes and subscriptions, in their order."""

import argparse
import asyncio
import json
import pathlib
import subprocess

from bumble import att
from bumble.core import TimeoutError
from bumble.device import Peer
from bumble.hci import HCI_Error

from . import bumble_client
from .central import say

READ, WRITE, COMMAND = "Read Request", "Write Request", "Write Command"
EXCHANGE = "Exchange MTU Request"


def steps_of(blecap: pathlib.Path, log: pathlib.Path) -> dict[int, list[dict]]:
    """The frames of each connection in which its host does something of its own accord."""
    command = [blecap, "annotate", "--keys", "none", "--format", "ndjson", log]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    steps: dict[int, list[dict]] = {}
    for line in text.splitlines():
        frame = json.loads(line)
        if frame["kind"] != "frame" or "att" not in frame:
            continue
        if frame["direction"] == "tx" and frame["att"]["name"] in (READ, WRITE, COMMAND, EXCHANGE):
            steps.setdefault(frame["connection"], []).append(frame)
    return steps


async def _do(client, step: dict) -> None:
    request, handle = step["att"], step["att"].get("handle")
    value = bytes.fromhex(request.get("value", ""))
    try:
        if request["name"] == EXCHANGE:
            await client.request_mtu(request.get("parameters", {}).get("client_rx_mtu", 517))
        elif request["name"] == READ:
            await client.read_value(handle, no_long_read=True)
        else:
            await client.write_value(handle, value, with_response=request["name"] == WRITE)
    except att.ATT_Error as error:
        say(f"frame {step['frame']}: {error}")


async def session(options) -> None:
    """All connections of the log, one after another."""
    steps = steps_of(options.blecap, options.log)
    async with bumble_client.open_device(options.transport) as device:
        for connection in sorted(steps):
            peer = steps[connection][0]["peer"].split("/")[0]
            link = await bumble_client.connect(
                device, lambda heard, peer=peer: str(heard.address)[:17] == peer, options.seconds)
            client = Peer(link).gatt_client
            try:
                for place, step in enumerate(steps[connection]):
                    if place == options.wrong:
                        step["att"]["value"] = "ee" + step["att"].get("value", "")[2:]
                    await _do(client, step)
                say(f"connection {connection}: {len(steps[connection])} steps")
                # The log's last notifications may still come.
                await asyncio.sleep(options.stay)
                await link.disconnect()
            except (HCI_Error, TimeoutError) as error:
                say(f"connection {connection} ended: {error}")


SESSIONS = {"as-logged": session}


def options_of(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="peers.clients as-logged")
    parser.add_argument("log", type=pathlib.Path)
    parser.add_argument("--transport", required=True)
    parser.add_argument("--blecap", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--stay", type=float, default=0.5)
    parser.add_argument("--wrong", type=int, default=-1, help="the step whose value is changed")
    return parser.parse_args(arguments)
