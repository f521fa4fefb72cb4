import CommandLineKit

// The commands that record and those beside them.

extension CommandTable {
    static let record = CommandRow(
        "record", operands: "[FILE]", operandCount: 0...1,
        summary: "Records the Linux HCI monitor channel: every packet of every adapter and program.",
        details: [
            """
            Without FILE into blecap-YYYYMMDD-HHMMSS.btsnoop. '-' is standard output. Files are readable by \
            their owner only: a log holds keys. CAP_NET_RAW is enough to record; with CAP_NET_ADMIN the \
            receive buffer may be large, and links that are already up are noted with their address type.
            """,
            """
            Records that the kernel had to drop are counted by the kernel, shown, and written where they are \
            missing. Filters, keys, profiles and the like say what --annotate shows; FILE keeps everything.
            """,
        ],
        examples: [
            "blecap record", "blecap record --annotate --only att,uqdk trace.pcapng",
            "blecap record --rotate-size 10M --keep 20 /var/log/bt.btsnoop",
            "blecap record - | blecap annotate -",
        ])

    static let devices = CommandRow(
        "devices", operands: "", operandCount: 0...0,
        summary: "Lists the Bluetooth adapters, their state, and what this user may do with each.")

    static let mark = CommandRow(
        "mark", operands: "TEXT...", operandCount: 1...Int.max,
        summary: "Puts a mark into every recording of the monitor channel that runs on this machine.",
        details: ["The kernel passes it on, to btmon's recordings as well; it needs CAP_NET_ADMIN."],
        examples: ["blecap mark pressed unlock"])

    static let extcap = CommandRow(
        "extcap", operands: "", operandCount: 0...0,
        summary: "The HCI monitor channel as an interface of Wireshark, already annotated.",
        details: [
            """
            Wireshark runs it: make a link to this program in Wireshark's personal extcap folder ('tshark -G \
            folders' names it), and the interface is there.
            """
        ],
        examples: [
            "mkdir -p ~/.local/lib/wireshark/extcap",
            "ln -s \"$(command -v blecap)\" ~/.local/lib/wireshark/extcap/",
        ])
}
