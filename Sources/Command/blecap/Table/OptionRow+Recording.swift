import CommandLineKit

// The options of the commands for recording and related tasks.

extension OptionRow {
    static let captureFormat = OptionRow(
        "format", "f", .choice(["btsnoop", "pcap", "pcapng"]), group: writes, commands: ["record"],
        """
        The format of FILE: btsnoop (datalink 2001), pcap or pcapng (link type 254). By default FILE's suffix \
        decides; standard output gets btsnoop.
        """, brief: "The format of FILE; by default from its suffix.")
    static let force = OptionRow(
        "force", nil, group: writes,
        commands: ["record", "annotate", "report", "replay", "info", "diff", "convert"] + simulating + plain,
        """
        Replaces an existing file, which is otherwise an error. Output is never written through a link, and \
        is as private as the logs and keys that it is made from.
        """, brief: "Replaces an existing file.")
    static let annotate = OptionRow(
        "annotate", "A", group: writes, commands: ["record"],
        "Shows annotated frames on standard output as they come; FILE keeps everything.",
        brief: "Shows annotated frames as they come.")
    static let noKeys = OptionRow(
        "no-keys", nil, group: writes, commands: ["record", "convert"],
        """
        Blanks keys before writing (link keys, LTKs, IRKs, CSRKs, PINs and passkeys, in HCI, SMP and \
        the management interface) and leaves out vendor diagnostics.
        """, brief: "Blanks keys before writing.")
    static let keepKeys = OptionRow(
        "keep-keys", nil, group: writes, commands: ["annotate", "extcap"],
        """
        Keeps keys in the packets of annotated pcapng (link keys, LTKs, IRKs, CSRKs, and the numbers that \
        keys are made of), so that Wireshark can decrypt. By default their bytes are zeros.
        """)
    static let sync = OptionRow(
        "sync", nil, group: writes, commands: ["record"],
        "Writes every record to the disk before reading the next, so that a power failure loses none.")
    static let listFormat = OptionRow(
        "format", "f", .choice(["text", "ndjson"]), group: writes, commands: ["devices", "diff", "info"],
        "What to write: text (the default), or one JSON object per line.",
        brief: "Text (the default), or JSON lines.")

    static let tag = OptionRow(
        "tag", nil, .value("KEY=VALUE"), repeats: true, group: writes, commands: ["info"],
        """
        Adds a tag to each log's line of NDJSON. Folders that are named KEY=VALUE give tags to the logs in them.
        """)

    static let duration = OptionRow(
        "duration", nil, .value("TIME"), group: ends, commands: ["record"],
        "Ends after TIME: seconds, or with a unit, such as 500ms, 90s, 5m or 2h.",
        brief: "Ends after TIME, such as 90s or 5m.")
    static let packets = OptionRow(
        "packets", nil, .value("N"), group: ends, commands: ["record"], "Ends after N records.")
    static let size = OptionRow(
        "size", nil, .value("SIZE"), group: ends, commands: ["record"],
        "Ends when SIZE bytes are written; K, M and G are powers of 1024.")

    static let rotateSize = OptionRow(
        "rotate-size", nil, .value("SIZE"), group: rotates, commands: ["record"],
        "Starts a new file before one exceeds SIZE: FILE.0001.btsnoop, FILE.0002.btsnoop and so on.",
        brief: "Starts a new file before one exceeds SIZE.")
    static let rotateTime = OptionRow(
        "rotate-time", nil, .value("TIME"), group: rotates, commands: ["record"],
        "Starts a new file every TIME.")
    static let keep = OptionRow(
        "keep", nil, .value("N"), group: rotates, commands: ["record"],
        "Keeps the newest N files of this recording and removes older ones.",
        brief: "Keeps the newest N files.")

    static let buffer = OptionRow(
        "buffer", nil, .value("SIZE"), group: kernel, commands: ["record", "extcap"],
        """
        The size of the kernel's receive buffer, which absorbs bursts; 16M unless given. More than the \
        system's limit needs CAP_NET_ADMIN.
        """)
    static let user = OptionRow(
        "user", nil, .value("NAME"), group: kernel, commands: ["record"],
        "If started as root: switches to this user for good once the channel is open.")

    private static let writes = "Output"
    private static let ends = "When it ends (also by SIGINT, SIGTERM or SIGHUP)"
    private static let rotates = "Several files"
    private static let kernel = "Kernel and privileges"

    static let recording: [OptionRow] = [
        captureFormat, listFormat, tag, force, annotate, noKeys, keepKeys, sync, duration, packets, size,
        rotateSize,
        rotateTime, keep, buffer, user,
    ]

    // The protocol of Wireshark's extcap.
    static let extcapInterfaces = OptionRow(
        "extcap-interfaces", nil, group: wireshark, commands: ["extcap"], "Lists the interfaces.")
    static let extcapVersion = OptionRow(
        "extcap-version", nil, .value("VERSION"), group: wireshark, commands: ["extcap"],
        "Wireshark's version.")
    static let extcapInterface = OptionRow(
        "extcap-interface", nil, .value("NAME"), group: wireshark, commands: ["extcap"],
        "The interface: blecap.")
    static let extcapDLTs = OptionRow(
        "extcap-dlts", nil, group: wireshark, commands: ["extcap"], "Lists the interface's link types.")
    static let extcapConfig = OptionRow(
        "extcap-config", nil, group: wireshark, commands: ["extcap"], "Lists the settings.")
    static let extcapCapture = OptionRow(
        "capture", nil, group: wireshark, commands: ["extcap"], "Captures until it is stopped.")
    static let extcapFilter = OptionRow(
        "extcap-capture-filter", nil, .value("FILTER"), group: wireshark, commands: ["extcap"],
        "A capture filter. None is supported, so any filter is rejected.")
    static let extcapFifo = OptionRow(
        "fifo", nil, .value("PATH"), group: wireshark, commands: ["extcap"], "Where the packets go.")

    private static let wireshark = "What Wireshark asks"

    static let extcap: [OptionRow] = [
        extcapInterfaces, extcapVersion, extcapInterface, extcapDLTs, extcapConfig, extcapCapture,
        extcapFilter, extcapFifo,
    ]
}
