"""python -m peers.clients SESSION [OPTIONS]: plays one session; exit status 1 if it went wrong."""

import asyncio
import sys

from bleak.exc import BleakError

from ..uqdk.phone import PhoneError
from . import as_logged, gadgets, uqdk
from .central import SessionError, say

SESSIONS = {
    name: (session, room.options_of)
    for room in (uqdk, gadgets, as_logged)
    for name, session in room.SESSIONS.items()
}


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] not in SESSIONS:
        say(f"{__doc__}\nSESSION is one of {', '.join(SESSIONS)}")
        return 2
    session, options_of = SESSIONS[sys.argv[1]]
    try:
        asyncio.run(session(options_of(sys.argv[2:])))
    except (SessionError, PhoneError, BleakError, TimeoutError) as error:
        say(f"failed: {type(error).__name__}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
