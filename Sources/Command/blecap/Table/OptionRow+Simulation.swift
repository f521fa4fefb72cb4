import CommandLineKit

// The options of the commands that run the stack against devices.

extension OptionRow {
    static let radio = OptionRow(
        "adapter", nil, .value("ADAPTER"), group: devices, commands: simulating + plain,
        "The adapter that the stack runs on: simulator, tcp:HOST:PORT, unix:PATH, pty:PATH, or hci0.",
        brief: "The adapter: simulator, tcp:HOST:PORT, hci0, ….")
    static let privateAddress = OptionRow(
        "private-address", nil, group: devices, commands: ["drive uqdk"] + plain,
        """
        On an adapter, uses private addresses, which change every 15 minutes and only bonded devices recognize. \
        Without it, the adapter's own address is used.
        """, brief: "Uses private addresses.")
    static let listen = OptionRow(
        "listen", nil, .value("ADDRESS"), group: devices, commands: ["simulate", "replay"],
        """
        Where hosts of other programs reach the device, or the recording: tcp:HOST:PORT, unix:PATH, pty:PATH, \
        or vhci. They speak H4, and get a controller.
        """, brief: "Where hosts reach it: tcp:HOST:PORT, vhci, ….")
    static let state = OptionRow(
        "state", nil, .value("FILE"), group: devices, commands: ["simulate"],
        """
        Keeps what the car knows between runs: which keys are activated, their counters and lock-outs. The \
        file is made if it does not exist; it holds no secret.
        """, brief: "Keeps what the car knows between runs.")
    static let pairing = OptionRow(
        "pairing", nil, .choice(["just-works", "compare", "shows", "asks"]), group: devices,
        commands: ["drive", "simulate"],
        """
        How the simulated fob pairs: just-works (the default of simulate), compare (both sides show a number; \
        the default of drive), shows or asks (it has a display, or a keyboard, for a passkey). What simulate \
        asks is answered by a line answer=yes or answer=PASSKEY on its standard input.
        """, brief: "How the simulated fob pairs.")
    static let passkey = OptionRow(
        "passkey", nil, .value("PASSKEY"), group: devices, commands: ["drive", "simulate"],
        """
        The six digits that the other device shows, for a pairing that asks for them. Without it, drive asks \
        on the terminal.
        """, brief: "The six digits that the other device shows.")
    static let secureConnections = OptionRow(
        "secure-connections", nil, .choice(["preferred", "only"]), group: devices,
        commands: ["drive", "simulate"],
        """
        Whether pairings may be legacy ones: preferred (the default) accepts them of a device that is paired \
        with without protection against someone in the middle, only accepts none.
        """)
    static let allowLegacy = OptionRow(
        "allow-legacy", nil, group: devices, commands: ["drive", "simulate"],
        """
        Accepts legacy pairing also where protection against someone in the middle is asked for, as drive and \
        a fob with a passkey do: for devices that know nothing else. Such a bond is not authenticated.
        """, brief: "Accepts legacy pairing without authentication.")
    static let carAddress = OptionRow(
        "car", nil, .value("ADDRESS"), group: devices, commands: simulating,
        "The car's address; 02:55:51:00:00:01 unless given.")
    static let device = OptionRow(
        "device", nil, .value("ADDRESS"), group: devices, commands: ["drive link"],
        "The address that the device advertises; 02:4C:4B:00:00:01 unless given.",
        brief: "The address that the device advertises.")
    static let activated = OptionRow(
        "activated", nil, group: devices, commands: simulating,
        "Starts with the key already activated and the car's pairing window closed.",
        brief: "Starts with the key already activated.")
    static let seed = OptionRow(
        "seed", nil, .value("N"), group: devices, commands: simulating + plain,
        "Random seed, for nonces, pairing codes and the air; 1 by default.")
    static let record = OptionRow(
        "record", nil, .value("FILE"), group: writes, commands: simulating + plain + ["replay"],
        "Records what passes between this side's host and controller, as the Linux monitor channel would.",
        brief: "Records the packets of this side.")
    static let recordFormat = OptionRow(
        "format", "f", .choice(["btsnoop", "pcap", "pcapng"]), group: writes,
        commands: simulating + plain + ["replay"],
        """
        The format of FILE: btsnoop (datalink 2001), pcap or pcapng (link type 254). By default FILE's \
        suffix decides.
        """)

    static let air = OptionRow(
        "air", nil, .value("FILE"), group: writes, commands: ["drive uqdk"] + plain,
        """
        Records what a sniffer hears of the simulator's radio: advertising and all connections, as pcap or \
        pcapng (link type 256; FILE's suffix decides).
        """, brief: "Records the simulator's radio as a sniffer does.")
    static let airLoss = OptionRow(
        "air-loss", nil, .value("PERCENT"), group: writes, commands: ["drive uqdk"] + plain,
        "Packets that the sniffer of --air misses, in percent; 0 unless given. The seed decides which.",
        brief: "Packets that the sniffer misses, in percent.")

    private static let devices = "The devices"
    private static let writes = "Output"
    static let simulating = ["drive uqdk", "simulate"]
    static let plain = ["drive", "drive band", "drive link"]

    /// The options of these commands, in the order of the help.
    static let simulation: [OptionRow] = [
        radio, privateAddress, listen, state, pairing, passkey, secureConnections, allowLegacy, carAddress,
        device, activated, seed, record, recordFormat, air, airLoss,
    ]
}
