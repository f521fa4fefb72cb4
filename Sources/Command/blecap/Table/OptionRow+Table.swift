import CommandLineKit
import Rendering

// Every option that exists, one row each. The parser, the help and docs/options.md are made from it.

extension OptionRow {
    static let format = OptionRow(
        "format", "f", .choice(["text", "ndjson", "pcapng"]), group: "Output", commands: ["annotate"],
        """
        What to write: text for a person (the default), one JSON object a line, or the packets as pcapng, \
        each with its annotation as the packet comment that Wireshark shows.
        """)
    static let output = OptionRow(
        "output", "o", .value("FILE"), group: "Output", commands: ["annotate", "info"],
        "Writes into FILE instead of standard output; '-' is standard output.")
    static let all = OptionRow(
        "all", "a", group: "Output", commands: ["annotate", "record"],
        "Shows every frame: repeated advertising and HCI housekeeping are not folded into counted lines.")
    static let color = OptionRow(
        "color", nil, .choice(ColorChoice.allCases.map(\.rawValue)), group: "Output",
        commands: ["annotate", "info", "record"],
        "When to colour text. With auto, the default, only on a terminal and not where NO_COLOR is set.")
    static let wide = OptionRow(
        "wide", "w", group: "Output", commands: ["annotate", "record"],
        """
        Shows lines of text whole, with the device's address in each. Without it they fit the terminal, or 100 \
        columns where there is none, and name the connection by its number.
        """)
    static let labels = OptionRow(
        "labels", nil, group: "Output", commands: ["annotate", "record"],
        "Shows where the name of each attribute comes from: a frame that discovered it, a file, its use.")
    static let time = OptionRow(
        "time", "t", .choice(TextRenderer.TimeStyle.allCases.map(\.rawValue)), group: "Output",
        commands: ["annotate", "record"],
        """
        Which time a frame of text has: seconds since the first record (the default), the time of day in UTC, \
        or seconds since the frame shown before.
        """)
    static let summary = OptionRow(
        "summary", "s", group: "Output", commands: ["annotate", "info"], "Shows the verdict alone.")
    static let frame = OptionRow(
        "frame", nil, .value("N"), group: "Output", commands: ["annotate"],
        """
        Shows frame N alone and in full: each layer, each field with its bytes, the label of its attribute and \
        where that comes from. Of several files, '2:N' is one of the second.
        """)
    static let failure = OptionRow(
        "failure", nil, .value("N"), group: "Output", commands: ["annotate"],
        """
        Shows failure N of the verdict alone, with the frames that explain it: the request, what came before it \
        on the connection, and what followed.
        """)
    static let noPager = OptionRow(
        "no-pager", nil, group: "Output", commands: ["annotate", "info"],
        """
        Writes to the terminal itself. Without it text that is written to one goes through the program that \
        PAGER names, or less.
        """)
    static let containerFormat = OptionRow(
        "format", "f", .choice(["btsnoop", "monitor", "pcap", "pcap-monitor", "pcapng", "packetlogger"]),
        group: "Output", commands: ["convert"],
        """
        The format of OUT: btsnoop (HCI packets), monitor (btsnoop of the Linux monitor channel), pcap \
        (link type 201), pcap-monitor (link type 254), pcapng, packetlogger. Without it OUT's suffix \
        tells: .btsnoop, .log, .pcap, .pcapng, .pklg.
        """)
    static let strict = OptionRow(
        "strict", nil, group: "Output", commands: ["annotate"],
        """
        Exits with status 1 if any frame is malformed or any record was skipped. Malformed frames break \
        the Bluetooth specifications or have impossible values in their record header. A value that a key \
        protocol or a profile finds wrong is a problem of the session, not a malformed frame.
        """)
    static let failOn = OptionRow(
        "fail-on", nil, .choice(["failure", "warning"]), group: "Output", commands: ["annotate", "info"],
        """
        Exits with status 1 if the verdict names a failure; with warning, also if it names a warning alone. \
        With filters, the verdict of text is about what passes them, that of NDJSON about all.
        """)

    static let oneLog = OptionRow(
        "one-log", nil, group: "Input", commands: ["annotate", "info", "convert"],
        """
        Reads several files as parts of one recorder's log, so that connections and requests go on from one \
        into the next. Without it they are that where their names say so (x.log and x.log.last, x.1, \
        x.0001.btsnoop), or where they hold the same records.
        """)

    static let oneTimeline = OptionRow(
        "one-timeline", nil, group: "Input", commands: ["annotate", "info"],
        """
        Reads all files as one timeline. Without it the text about several logs is a line for each; --one-log, \
        and --connection and --frames, which count through all files, read them so too.
        """)

    static let keys = OptionRow(
        "keys", "k", .value("FILE"), repeats: true, group: "What is known", commands: knowing + simulating,
        """
        Keys to verify proofs, decrypt bodies and resolve private addresses with: a JSON file that only \
        its owner may read, {"uqdk": [{"keyId": "1122334455667788", "key": "00010203 …", \
        "pairingCode": "314159"}], "peers": [{"address": "C0:11:22:33:44:55", "addressType": "random", \
        "irk": "00112233 …"}]}; docs/keys.md describes it. Without it, LOG.keys.json beside LOG.btsnoop is used \
        where there is one; with 'none', it is not.
        """)
    static let insecureKeys = OptionRow(
        "insecure-keys", nil, group: "What is known", commands: knowing + simulating,
        "Takes a keys file that others may read.")
    static let profile = OptionRow(
        "profile", "p", .value("FILE"), repeats: true, group: "What is known",
        commands: knowing,
        """
        Describes a private protocol, as a file or by the name of a profile that comes with the program; \
        'blecap profile check' validates one.
        """)
    static let dialect = OptionRow(
        "dialect", nil, .value("FILE"), repeats: true, group: "What is known",
        commands: knowing + simulating,
        "Describes how a car's UQDK differs from reference format 1.")
    static let gatt = OptionRow(
        "gatt", nil, .value("FILE"), repeats: true, group: "What is known", commands: knowing,
        """
        Where attributes are known from: another capture in which they were discovered, or a cache file of \
        BlueZ. Without it, LOG.gatt beside LOG.btsnoop is used where there is one; with 'none', it is not.
        """)

    static let peer = OptionRow(
        "peer", nil, .value("ADDRESS"), repeats: true, group: filters, commands: filtered,
        "Only frames of this device, by its address on the link or its identity address.")
    static let connection = OptionRow(
        "connection", nil, .value("N"), repeats: true, group: filters, commands: filtered,
        "Only frames of connection N, counted from 1 through all files that are read.")
    static let adapter = OptionRow(
        "adapter", nil, .value("N"), repeats: true, group: filters, commands: filtered + ["replay"],
        "Only frames of adapter N, from 0; 'hci0' is the same as '0'.")
    static let frames = OptionRow(
        "frames", nil, .value("A-B"), repeats: true, group: filters, commands: filtered,
        """
        Only frames A to B, from 1; 'A-' goes to the end, '-B' starts at the first, 'A' is one frame. Of \
        several files each counts its own; '2:A-B' are those of the second file.
        """)
    static let since = OptionRow(
        "since", nil, .value("TIME"), group: filters, commands: filtered,
        """
        Only frames from TIME on: '2026-11-21T09:30:00Z' (with any fraction; UTC unless an offset stands \
        there), '09:30:00' on the day of the first frame (UTC), or '+12.5' seconds after the first frame.
        """)
    static let until = OptionRow(
        "until", nil, .value("TIME"), group: filters, commands: filtered,
        "Only frames before or at TIME, written as for --since.")
    static let only = OptionRow(
        "only", nil, .value("LAYER[,LAYER]"), repeats: true, group: filters, commands: filtered,
        """
        Only frames that hold one of these layers: hci, l2cap, att, smp, uqdk, or a profile by its name. What \
        is written as packets has every packet of a PDU that passes.
        """)

    static let filters = "Filters (all of those given must hold)"
    static let filtered = ["annotate", "info", "convert", "record"]
    static let knowing = ["annotate", "info", "record", "replay", "extcap"]

    /// Every option, in the order of the help.
    static let every: [OptionRow] =
        [
            oneLog, oneTimeline, format, containerFormat, output, all, wide, labels, time, summary, frame,
            failure, strict,
            failOn, color, noPager,
            keys, insecureKeys, profile, dialect, gatt,
            peer, connection, adapter, frames, since, until, only,
        ] + replaying + recording + extcap + simulation
}
