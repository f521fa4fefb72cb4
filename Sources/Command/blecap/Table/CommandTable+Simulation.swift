import CommandLineKit

// The commands that run the stack against devices.

extension CommandTable {
    private static let actions =
        """
        ACTION is one of lock[=DOORS], unlock[=DOORS], trunk, find[=SECONDS], \
        engine-start[=MINUTES], engine-stop, windows[=PERCENT], status, wait[=SECONDS], activate=CODE, \
        send=COMMAND:HEX (a command of the dialect by its name or code, and its body); DOORS is all, or \
        front-left, front-right, rear-left, rear-right and trunk joined by '+'.
        """
    private static let adapters =
        """
        ADAPTER is simulator, tcp:HOST:PORT, unix:PATH or pty:PATH (a controller that speaks H4 there), or hci0 \
        (an adapter of this machine, which must be switched off). Without --adapter, the environment variable \
        BLECAP_ADAPTER decides; a machine without adapters has the simulator.
        """
    private static let virtual =
        """
        With the simulator, everything runs in virtual time, starting at 2026-01-01T00:00:00Z; nothing really \
        waits. The same seed gives the same run, byte for byte.
        """

    static let drive = CommandRow(
        "drive", operands: "[ACTION]...", operandCount: 0...Int.max,
        summary: "Scans, connects, reads, writes and subscribes, as a central.",
        details: [
            """
            ACTION is one of scan[=SECONDS], connect=DEVICE, services=UUID,UUID,... (those that connect looks \
            for), discover, read=UUID, write=UUID:HEX, command=UUID:HEX (without response), subscribe=UUID, \
            unsubscribe=UUID, describe=UUID, rssi, pair, answer=PASSKEY|yes|no (to what a pairing asks), \
            bonds, forget=ADDRESS, wait[=SECONDS], disconnect. In place of UUID:HEX, a message of a profile \
            and its fields: write=elk-bledom.brightness,level=50. DEVICE is a name as it is advertised, an \
            address, or the UUID of a service. connect discovers everything unless services are given. A last \
            subscribe prints values until it is stopped, except in the simulator. Without ACTIONs, lines are \
            read: one action each, with history and completion.
            """,
            adapters, virtual,
            "The simulator has the band MI, the clock xmg, the device BLE-LINK, Mobike, and a pairing fob.",
        ],
        examples: [
            "blecap drive scan",
            "blecap drive connect=MI subscribe=FF01 command=FF02:1b9901 wait --adapter simulator",
            "blecap drive connect=xmg subscribe=FFF1 --adapter tcp:127.0.0.1:9000",
        ])

    static let driveUQDK = CommandRow(
        "drive uqdk", operands: "ACTION...", operandCount: 1...Int.max,
        summary: "Runs the digital-key manager against a car.",
        details: [
            """
            The phone scans, connects, discovers, subscribes, activates its key (unless --activated), \
            authenticates, carries out the ACTIONs, asks for the status and disconnects.
            """,
            actions, adapters, virtual,
            """
            With the simulator, the car is in the same process. Without --keys, the phone uses the test key of \
            the published vectors. The exit status is 1 if the car refused something.
            """,
        ],
        examples: [
            "blecap drive uqdk unlock --adapter simulator",
            "blecap drive uqdk trunk engine-start=10 --adapter simulator --record refused.btsnoop",
            "blecap drive uqdk unlock --adapter tcp:127.0.0.1:9000 --record unlock.btsnoop",
        ])

    static let driveBand = CommandRow(
        "drive band", operands: "ACTION...", operandCount: 1...Int.max,
        summary: "Runs the client of the band MI.",
        details: [
            """
            ACTION is one of battery, text (what the band shows of itself), write=HEX (with response) and \
            wait[=SECONDS]. The client finds the band by its name, connects and subscribes first.
            """,
            adapters, virtual,
        ],
        examples: [
            "blecap drive band battery text --adapter simulator",
            "blecap drive band battery --adapter tcp:127.0.0.1:9000",
        ])

    static let driveLink = CommandRow(
        "drive link", operands: "ACTION...", operandCount: 1...Int.max,
        summary: "Runs the client of BLELinkManager's devices.",
        details: [
            """
            ACTION is one of send=TEXT, send-file=FILE, send-hex=HEX, speed=RATE, aba=RATE, bab=RATE, \
            cdc=RATE, dcd=RATE and receive[=SECONDS]. What is sent is cut into parts that the link takes, at most 1,000 \
            bytes a second; RATE is an upload rate of 0 to 1000 bytes a second. FILE has at most 1 MB; - is \
            standard input. The client finds the device by its address and starts its data first.
            """,
            adapters, virtual,
        ],
        examples: [
            "blecap drive link speed=1000 send=hello receive=5 --adapter simulator",
            "blecap drive link send-file=README.md --adapter tcp:127.0.0.1:9000 --record link.btsnoop",
        ])

    static let simulate = CommandRow(
        "simulate", operands: "car|link|mobike|band|clock|fob [ACTION]...", operandCount: 1...Int.max,
        summary: "Runs a simulated device, such as a car with a phone.",
        details: [
            """
            --listen ADDRESS makes the device's air reachable: tcp:HOST:PORT, unix:PATH or pty:PATH (each host \
            that connects and speaks H4 gets a controller of its own), or vhci (an adapter of this machine's \
            kernel, for bluetoothd and all above it; needs root). --adapter ADAPTER puts the device on a radio, \
            where real phones hear it. Either runs until it is stopped.
            """,
            """
            Without --listen, 'simulate car' is the same as 'drive uqdk' in the simulator, but reported and \
            recorded on the car's side: the log of a peripheral. Without ACTIONs the phone does 'unlock status'.
            """,
            actions,
        ],
        examples: [
            "blecap simulate car --listen tcp:127.0.0.1:9000",
            "blecap simulate band --adapter hci0",
            "blecap simulate car lock wait=301 unlock --record car.btsnoop",
        ])
}
