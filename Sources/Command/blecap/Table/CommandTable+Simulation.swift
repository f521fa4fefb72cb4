import CommandLineKit

// The commands that run the stack against devices.

extension CommandTable {
    private static let actions =
        """
        ACTION is one of activate, lock[=DOORS], unlock[=DOORS], trunk, find[=SECONDS], \
        engine-start[=MINUTES], engine-stop, windows[=PERCENT], status, wait[=SECONDS]; DOORS is all, or \
        front-left, front-right, rear-left, rear-right and trunk joined by '+'.
        """
    private static let virtual =
        """
        Everything runs in virtual time, starting at 2026-01-01T00:00:00Z; nothing really waits. The same \
        seed gives the same run, byte for byte.
        """

    static let drive = CommandRow(
        "drive uqdk", operands: "ACTION...", operandCount: 1...Int.max,
        summary: "Runs the digital-key manager on the central stack against a car, and reports what happens.",
        details: [
            """
            The phone scans, connects, discovers, subscribes, activates its key (unless --activated), \
            authenticates, carries out the ACTIONs, asks for the status and disconnects.
            """,
            actions, virtual,
            """
            The only adapter is the simulator: a car in the same process. Without --keys, phone and car use \
            the test key of the published vectors. The exit status is 1 if the car refused something.
            """,
        ],
        examples: [
            "blecap drive uqdk unlock --adapter simulator",
            "blecap drive uqdk trunk engine-start=10 --adapter simulator --record refused.btsnoop",
        ])

    static let driveGATT = CommandRow(
        "drive gatt", operands: "[ACTION]...", operandCount: 0...Int.max,
        summary: "Runs a plain central on the stack against a small device, and reports what happens.",
        details: [
            """
            It scans for the device's service, connects, discovers everything, carries out the ACTIONs, and \
            disconnects. ACTION is one of read=UUID, write=UUID:HEX, command=UUID:HEX (without response), \
            listen=UUID, ignore=UUID, describe=UUID, wait[=SECONDS].
            """,
            virtual,
        ],
        examples: [
            "blecap drive gatt listen=FF01 command=FF02:1b9901 --adapter simulator --device band",
            "blecap drive gatt listen=FFF1 wait=10 --adapter simulator --device clock",
        ])

    static let simulate = CommandRow(
        "simulate car", operands: "[ACTION]...", operandCount: 0...Int.max,
        summary: "Runs the simulated car with a phone that uses it, and reports what the car sees.",
        details: [
            """
            The same as 'drive uqdk', but reported and recorded on the car's side: the log of a peripheral. \
            Without ACTIONs the phone does 'unlock status'.
            """,
            actions, virtual,
            """
            A real phone, or an app on this machine, can't reach the car: there is no transport to it yet \
            (/dev/vhci, H4 over TCP).
            """,
        ],
        examples: [
            "blecap simulate car --adapter simulator",
            "blecap simulate car lock wait=301 unlock --adapter simulator --record car.btsnoop",
        ])
}
