import CommandLineKit

// The commands for recording and related tasks.

extension CommandTable {
    static let record = CommandRow(
        "record", operands: "[FILE]", operandCount: 0...1,
        summary: "Records every Bluetooth packet of this machine.",
        details: [
            """
            The packets come from the Linux HCI monitor channel, which has those of every adapter and program. \
            FILE is blecap-YYYYMMDD-HHMMSS.btsnoop unless given; '-' is standard output. Only the owner can \
            read the file, because a log holds keys. CAP_NET_RAW is enough to record; CAP_NET_ADMIN allows a \
            larger receive buffer, and notes the address types of links that are already up.
            """,
            """
            Packets that the kernel drops are counted, shown, and noted where they are missing. Filters, \
            keys and profiles apply only to --annotate; FILE keeps everything.
            """,
        ],
        examples: [
            "blecap record", "blecap record --annotate --only att,uqdk trace.pcapng",
            "blecap record --rotate-size 10M --keep 20 /var/log/bt.btsnoop",
            "blecap record - | blecap annotate -",
        ])

    static let devices = CommandRow(
        "devices", operands: "", operandCount: 0...0,
        summary: "Lists the Bluetooth adapters and what you may do with each.")

    static let mark = CommandRow(
        "mark", operands: "TEXT...", operandCount: 1...Int.max,
        summary: "Puts a mark into every running recording on this machine.",
        details: ["btmon's recordings get it too. Needs CAP_NET_ADMIN."],
        examples: ["blecap mark pressed unlock"])

    static let extcap = CommandRow(
        "extcap", operands: "", operandCount: 0...0,
        summary: "Offers annotated live capture to Wireshark.",
        details: [
            """
            Wireshark runs this command. Link to blecap from Wireshark's personal extcap folder ('tshark -G \
            folders' shows it), and the interface appears.
            """
        ],
        examples: [
            "mkdir -p ~/.local/lib/wireshark/extcap",
            "ln -s \"$(command -v blecap)\" ~/.local/lib/wireshark/extcap/",
        ])
}
