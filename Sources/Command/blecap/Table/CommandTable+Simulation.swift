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
        Both live in virtual time, which begins at 2026-01-01T00:00:00Z and takes none of yours: one seed, one \
        run, octet by octet.
        """

    static let drive = CommandRow(
        "drive uqdk", operands: "ACTION...", operandCount: 1...Int.max,
        summary: "Runs the digital-key manager on the central stack against a car, and reports what happens.",
        details: [
            """
            The phone scans, connects, discovers, subscribes, activates its key (unless --activated), \
            authenticates, does what is asked for, asks for the status and disconnects.
            """,
            actions, virtual,
            """
            The adapter of this version is the simulator: a car in the same process. Without --keys both use \
            the test key of the published vectors. The exit status is 1 where the car refused something.
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
            It scans for the device's service, connects, discovers everything, does what is asked for, and \
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
        summary: "Runs the simulated car, lets a phone visit it, and reports what the car sees.",
        details: [
            """
            The same as 'drive uqdk', told and recorded from the car's side: the capture is that of its own \
            controller, a peripheral's log. The visit is 'unlock status' unless ACTIONs say otherwise.
            """,
            actions, virtual,
            """
            The car is on the virtual air alone: a phone of this machine or from outside can't reach it in \
            this version, which has no transport to one (/dev/vhci, H4 over TCP).
            """,
        ],
        examples: [
            "blecap simulate car --adapter simulator",
            "blecap simulate car lock wait=301 unlock --adapter simulator --record car.btsnoop",
        ])
}
