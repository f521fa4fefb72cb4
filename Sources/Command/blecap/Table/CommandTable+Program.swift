import CommandLineKit

extension CommandTable {
    static let blecap = CommandTable(
        program: "blecap", version: "0.2.0",
        summary:
            """
            records, annotates and replays Bluetooth sessions: HCI, L2CAP, ATT, SMP, the UQDK digital-key \
            protocol (reference format 1) and private protocols described in profiles.
            """,
        commands: [
            record, annotate, report, diff, replay, info, convert, devices, drive, driveUQDK, driveBand,
            driveLink, simulate, mark, profileList, profileShow, profileCheck, extcap, completions,
            manualPage,
        ],
        options: OptionRow.every,
        exclusions: [[.summary, .frame, .failure], [.frame, .frames]],
        statuses: [
            (.success, "Success."),
            (
                .negative,
                """
                Negative result, such as a replay that diverged, an invalid profile, a difference, or a \
                finding of --strict or --fail-on.
                """
            ),
            (.usage, "Wrong usage."),
            (.input, "Unreadable input, or not a capture; what comes before damage is decoded."),
            (.environment, "Environment: no permission, no Bluetooth, disk full."),
            (.unreplayable, "The log can't be replayed; the reasons are printed."),
        ])

    private static let completions = CommandRow(
        "completions", operands: "bash|zsh|fish", operandCount: 1...1,
        summary: "Writes the completion script for bash, zsh or fish.",
        examples: ["source <(blecap completions bash)"])

    private static let manualPage = CommandRow(
        "manual", operands: "", operandCount: 0...0, summary: "Writes the manual page, in roff.",
        examples: ["blecap manual | man -l -"])

    private static let inputs =
        """
        FILE is btsnoop, pcap, pcapng, PacketLogger, hcidump, btsnooz, TI's .psd (Bluetooth LE), text with all \
        bytes in hexadecimal, an Android bug report or an iPhone's sysdiagnose, compressed or not; the format \
        is recognized by content. '-' is standard input. A folder stands for all captures in it and below. \
        Several logs get one line each; files that are parts of one log are read as one. NDJSON and pcapng \
        merge them into one timeline.
        """

    private static let annotate = CommandRow(
        "annotate", operands: "FILE...", operandCount: 1...Int.max,
        summary: "Decodes captures and explains each frame.",
        details: [
            inputs,
            """
            The verdict comes first. It comes last if the input can be read only once (a pipe), or if it is \
            long and the output is not a terminal.
            """,
            sides,
        ],
        examples: [
            "blecap annotate btsnoop_hci.log",
            "blecap annotate --only att,uqdk --keys keys.json unlock.btsnoop",
            "blecap annotate --format pcapng -o annotated.pcapng trace.pklg",
            "adb bugreport - | blecap annotate -",
        ])

    /// The meaning of the sides, in every command that names them.
    private static let sides = hostSides + " Of a sniffer's log they are [central] and [peripheral]."

    /// The meaning of the sides, apart from those on the air.
    private static let hostSides = """
        Behind a problem stands who refused, made the mistake or did not answer: [host], the side whose log it \
        is; [peer], the other side of the connection; [controller], the host's Bluetooth chip; [link], the \
        radio link between both.
        """

    private static let diff = CommandRow(
        "diff", operands: "GOOD... BAD", operandCount: 2...Int.max,
        summary: "Says what was different in a bad log, the most telling difference first.",
        details: [
            """
            The last log is the bad one. A folder stands for all good logs in it and below: the more good \
            logs, the less noise. --peer and --connection choose what is compared of each log.
            """,
            """
            Connections are compared by device, by what was done, in what order and with what answers, and by \
            the device's attributes. Of times, only much slower phases and much longer waits are differences. \
            Nonces, counters, signal strength and moved handles are no differences, and neither is anything in \
            which two GOOD logs differ.
            """,
            "Exits with status 0 if BAD is like the GOOD logs, and with 1 if it differs.",
            hostSides,
        ],
        examples: [
            "blecap diff works.btsnoop fails.btsnoop",
            "blecap diff --peer Lock good-nights fails.btsnoop",
            "blecap diff monday.btsnoop tuesday.btsnoop fails.btsnoop --html difference.html",
        ])

    private static let report = CommandRow(
        "report", operands: "FILE...", operandCount: 1...Int.max,
        summary: "Writes a page of HTML: verdict, timeline, exchange, frames.",
        details: [
            """
            The page is one file without references to others, and opens in any browser of 2023 or later. It \
            holds each frame with its layers, fields and bytes, but no keys. #frame=257 at the end of its \
            address shows frame 257.
            """,
            """
            A page is at most 12 MB. Of longer logs, it first leaves out advertising and housekeeping, then \
            the last frames, and says so; filters choose what is in it. Several files become one timeline.
            """,
        ],
        examples: [
            "blecap report btsnoop_hci.log -o report.html",
            "blecap report --connection 2 --keys keys.json unlock.btsnoop -o unlock.html",
        ])

    private static let replay = CommandRow(
        "replay", operands: "FILE...", operandCount: 1...Int.max,
        summary: "Plays recorded sessions to the stack and compares its packets.",
        details: [
            """
            Each FILE is a session of its own: its advertisers and peers are played, in virtual time and \
            without a radio, to the LE host, the CoreBluetooth API and the UQDK manager; what the log's host \
            did is called on the application's side; and what the stack sends is compared with what was \
            sent, proofs and tags made anew from the keys. The first difference ends it.
            """,
            """
            The verdict is 'same', 'diverged', 'stuck' (the recording waits for the host, and nothing more \
            comes) or 'not replayable' with the reasons. Several logs are replayed side by side, a line each.
            """,
        ],
        examples: [
            "blecap replay --keys keys.json unlock.btsnoop",
            "blecap replay --junit report.xml logs/*.btsnoop",
        ])

    private static let info = CommandRow(
        "info", operands: "FILE...", operandCount: 1...Int.max,
        summary: "Shows what is in captures: adapters, connections, databases.",
        details: [
            inputs,
            """
            With filters, only frames that pass are counted, and only their adapters, advertisers, \
            connections, databases and problems are listed. A connection's own line is about the whole log.
            """,
            sides,
        ],
        examples: ["blecap info sysdiagnose.tar.gz", "blecap info --peer C4:7C:8D:6A:20:11 trace.pklg"])

    private static let convert = CommandRow(
        "convert", operands: "IN... OUT", operandCount: 2...Int.max,
        summary: "Writes captures in another format.",
        details: [
            """
            OUT's suffix or --format sets the format. What it can't hold is counted. Several inputs become one \
            timeline.
            """,
            """
            OUT gets the permission bits of IN: of several inputs, those they all have; if one is not a \
            file, only the owner's. An existing file is an error unless --force is given.
            """,
            """
            If an input has no directions (link type 187), they are inferred, and marked as inferred. \
            Filters keep every packet of a PDU that passes.
            """,
        ],
        examples: ["blecap convert btsnoop_hci.log trace.pcapng"])

    private static let profileList = CommandRow(
        "profile list", operands: "", operandCount: 0...0,
        summary: "Lists the built-in profiles and what they cover.")

    private static let profileShow = CommandRow(
        "profile show", operands: "NAME...", operandCount: 1...Int.max,
        summary: "Shows what a profile describes: values, messages and fields.",
        details: ["NAME is that of a built-in profile, or a file."],
        examples: ["blecap profile show jbd", "blecap profile show my-lock.json"])

    private static let profileCheck = CommandRow(
        "profile check", operands: "FILE...", operandCount: 1...Int.max,
        summary: "Validates profiles and dialects, and shows each mistake.",
        examples: ["blecap profile check my-lock.json"])
}
