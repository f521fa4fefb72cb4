import CommandLineKit
import Rendering

// Every option, one row each. The parser, the help and docs/options.md are generated from these rows.

extension OptionRow {
    static let format = OptionRow(
        "format", "f", .choice(AnnotateFormat.allCases.map(\.rawValue)), group: "Output",
        commands: ["annotate"],
        """
        What to write: text (the default); ndjson, one JSON object per line; pcapng with each packet's \
        annotation as its comment, which Wireshark shows; the verdict alone as markdown, for the summary of a \
        job or an issue; or the verdict as sarif, for code scanning: docs/services.md.
        """, brief: "Text, JSON lines, pcapng, Markdown or SARIF.")
    static let output = OptionRow(
        "output", "o", .value("FILE"), group: "Output", commands: ["annotate", "report", "info", "diff"],
        "Writes to FILE instead of standard output; '-' is standard output.",
        brief: "Writes to FILE instead of standard output.")
    static let all = OptionRow(
        "all", "a", group: "Output", commands: ["annotate", "record"],
        "Shows every frame, without folding repeated advertising and HCI housekeeping into counted lines.",
        brief: "Shows every frame; nothing is folded.")
    static let allDifferences = OptionRow(
        "all", "a", group: "Output", commands: ["diff"],
        "Shows also the differences behind the first one, which may follow from it.",
        brief: "Shows also what may follow from the first one.")
    static let html = OptionRow(
        "html", nil, .value("FILE"), group: "Output", commands: ["diff"],
        "Writes the differences, all of them, as a page of HTML that loads nothing and runs nothing.",
        brief: "Writes the differences as a page of HTML.")
    static let color = OptionRow(
        "color", nil, .choice(ColorChoice.allCases.map(\.rawValue)), group: "Output",
        commands: ["annotate", "info", "record"],
        "When to colour text. auto, the default: only on a terminal, and not if NO_COLOR is set.")
    static let wide = OptionRow(
        "wide", "w", group: "Output", commands: ["annotate", "record"],
        """
        Shows whole lines of text, with the device's address in each. By default lines fit the terminal and \
        name the connection by its number; in a file or pipe they are whole.
        """, brief: "Shows whole lines, with the device's address.")
    static let labels = OptionRow(
        "labels", nil, group: "Output", commands: ["annotate", "record"],
        "Shows the source of each attribute's name: the frame that discovered it, a file, or its use.")
    static let time = OptionRow(
        "time", "t", .choice(TextRenderer.TimeStyle.allCases.map(\.rawValue)), group: "Output",
        commands: ["annotate", "record"],
        """
        The time to show in text: seconds since the first record (the default), the time of day in UTC, \
        or seconds since the frame shown before.
        """, brief: "The time of each line; seconds by default.")
    static let summary = OptionRow(
        "summary", "s", group: "Output", commands: ["annotate", "info"], "Shows only the verdict.",
        brief: "Shows only the verdict.")
    static let terse = OptionRow(
        "terse", nil, group: "Output", commands: ["annotate", "report", "info", "record"],
        "Leaves out what the codes of failures usually mean, and what to try.")
    static let frame = OptionRow(
        "frame", nil, .value("N"), group: "Output", commands: ["annotate"],
        """
        Shows only frame N, in full: each layer, each field with its bytes, the label of its attribute and \
        its source. With several files, '2:N' is frame N of the second.
        """, brief: "Shows frame N in full: layers, fields, bytes.")
    static let failure = OptionRow(
        "failure", nil, .value("N"), group: "Output", commands: ["annotate"],
        """
        Shows only entry N of the verdict, a failure or what has a !, with the frames that explain it: the \
        request, what came before it on the connection, and what followed.
        """, brief: "Shows entry N of the verdict and the frames that explain it.")
    static let noPager = OptionRow(
        "no-pager", nil, group: "Output", commands: ["annotate", "info", "diff"],
        """
        Writes directly to the terminal, not through the program that PAGER names (or less).
        """, brief: "Writes directly to the terminal, not through a pager.")
    static let containerFormat = OptionRow(
        "format", "f", .choice(["btsnoop", "monitor", "pcap", "pcap-monitor", "pcapng", "packetlogger"]),
        group: "Output", commands: ["convert"],
        """
        The format of OUT: btsnoop (HCI packets), monitor (btsnoop of the Linux monitor channel), pcap \
        (link type 201), pcap-monitor (link type 254), pcapng, packetlogger. By default OUT's suffix \
        decides: .btsnoop, .log, .pcap, .pcapng, .pklg.
        """, brief: "The format of OUT; by default from its suffix.")
    static let strict = OptionRow(
        "strict", nil, group: "Output", commands: ["annotate"],
        """
        Exits with status 1 if any frame is malformed or any record was skipped. Malformed frames break \
        the Bluetooth specifications or have impossible values in their record header. A value that is wrong \
        for a key protocol or a profile is a problem of the session, not a malformed frame.
        """)
    static let failOn = OptionRow(
        "fail-on", nil, .choice(["failure", "warning"]), group: "Output",
        commands: ["annotate", "report", "info"],
        """
        Exits with status 1 if the verdict names a failure; with warning, also if it names only a warning. \
        With filters, only the frames that pass are judged.
        """, brief: "Exits with status 1 if the verdict names one.")

    static let oneLog = OptionRow(
        "one-log", nil, group: "Input", commands: ["annotate", "report", "info", "convert"],
        """
        Reads several files as parts of one recorder's log, so that connections and requests continue from \
        one into the next. By default files are joined only if their names match (x.log and x.log.last, x.1, \
        x.0001.btsnoop), or if they hold the same records.
        """)

    static let oneTimeline = OptionRow(
        "one-timeline", nil, group: "Input", commands: ["annotate", "info"],
        """
        Reads all files as one timeline. By default text has one line per log. --one-log, --connection and \
        --frames imply it, because they count through all files.
        """)

    static let unpackLimit = OptionRow(
        "unpack-limit", nil, .value("SIZE"), group: "Input",
        commands: ["annotate", "report", "diff", "replay", "info", "convert"],
        """
        The bytes that a compressed file may unpack to, and all archives at once, in temporary files: 1G by \
        default. K, M and G are powers of 1024.
        """)

    static let offset = OptionRow(
        "offset", nil, .value("FILE:SECONDS"), repeats: true, group: "Input", commands: ["report"],
        """
        Moves the times of a file, by its number from 1: '2:+1.25', '3:-0.5'. By default a log is moved to \
        the clock of the first one if each has packets that the other one's side has sent.
        """)

    static let keys = OptionRow(
        "keys", "k", .value("FILE"), repeats: true, group: "What is known", commands: knowing + simulating,
        """
        Keys to verify proofs, decrypt bodies and resolve private addresses: a JSON file that only its owner \
        may read, {"uqdk": [{"keyId": "1122334455667788", "key": "00010203 …", \
        "pairingCode": "314159"}], "peers": [{"address": "C0:11:22:33:44:55", "addressType": "random", \
        "irk": "00112233 …"}]}; docs/keys.md describes it. By default LOG.keys.json beside LOG.btsnoop is \
        used if it exists; 'none' ignores it.
        """, brief: "Keys that verify and decrypt (docs/keys.md).")
    static let saveKeys = OptionRow(
        "save-keys", nil, .value("FILE"), group: "What is known", commands: ["annotate", "info"],
        """
        Writes the keys that pairings in captures from the air reveal (Long Term Keys and Identity Resolving \
        Keys) to a keys file that only its owner may read. With it, --keys opens other captures of these \
        devices.
        """, brief: "Writes the keys that pairings on the air reveal.")
    static let insecureKeys = OptionRow(
        "insecure-keys", nil, group: "What is known", commands: knowing + simulating,
        "Accepts a keys file that others may read.")
    static let profile = OptionRow(
        "profile", "p", .value("FILE"), repeats: true, group: "What is known",
        commands: knowing + ["drive"],
        """
        Describes a private protocol: a file, or the name of a built-in profile. 'blecap profile check' \
        validates one.
        """, brief: "Describes a private protocol.")
    static let dialect = OptionRow(
        "dialect", nil, .value("FILE"), repeats: true, group: "What is known",
        commands: knowing + simulating,
        "Describes how a car's UQDK differs from reference format 1.")
    static let gatt = OptionRow(
        "gatt", nil, .value("FILE"), repeats: true, group: "What is known", commands: knowing,
        """
        Takes attributes from another capture in which they were discovered, or from a cache file of BlueZ. \
        Without it, LOG.gatt beside LOG.btsnoop is used if it exists; 'none' ignores it.
        """, brief: "Takes attributes from another capture.")

    static let peer = OptionRow(
        "peer", nil, .value("DEVICE"), repeats: true, group: filters, commands: filtered + ["diff"],
        """
        Only frames of this device: its address on the link, its identity address, or its name as it was \
        advertised or read.
        """,
        brief: "Only frames of this device.")
    static let connection = OptionRow(
        "connection", nil, .value("N"), repeats: true, group: filters, commands: filtered + ["diff"],
        "Only frames of connection N, counted from 1 across all files; by diff, in each log.",
        brief: "Only frames of connection N.")
    static let adapter = OptionRow(
        "adapter", nil, .value("N"), repeats: true, group: filters, commands: filtered + ["replay"],
        "Only frames of adapter N, from 0; 'hci0' is the same as '0'.")
    static let frames = OptionRow(
        "frames", nil, .value("A-B"), repeats: true, group: filters, commands: filtered,
        """
        Only frames A to B, from 1; 'A-' goes to the end, '-B' starts at the first, 'A' is one frame. Each \
        file counts its own; '2:A-B' means the second file.
        """, brief: "Only frames A to B.")
    static let since = OptionRow(
        "since", nil, .value("TIME"), group: filters, commands: filtered,
        """
        Only frames from TIME on: '2026-11-21T09:30:00Z' (with any fraction; UTC unless it has an \
        offset), '09:30:00' on the day of the first frame (UTC), or '+12.5' seconds after the first frame.
        """, brief: "Only frames from TIME on, such as '+12.5'.")
    static let until = OptionRow(
        "until", nil, .value("TIME"), group: filters, commands: filtered,
        "Only frames up to and including TIME, written as for --since.", brief: "Only frames up to TIME.")
    static let only = OptionRow(
        "only", nil, .value("LAYER[,LAYER]"), repeats: true, group: filters, commands: filtered,
        """
        Only frames that hold one of these layers: hci, l2cap, att, smp, uqdk, or a profile by its name. \
        Packet output has every packet of a PDU that passes.
        """, brief: "Only these layers: hci, l2cap, att, smp, uqdk.")
    static let find = OptionRow(
        "find", nil, .value("WORDS"), repeats: true, group: filters, commands: filtered,
        """
        Only frames that have all of these words: a handle ('0x0012'), a UUID or name ('FFF2'), an operation \
        ('write', 'notify', 'pair'), bytes with '?' for any digit ('a5??01'), or text; '-WORD' for frames \
        without it, quotes around words that belong together. Given again: frames that any of them finds. \
        The page of 'report' searches with the same words: docs/screens.md.
        """, brief: "Only frames with these words: 'write FFF2 a5??01'.")

    static let filters = "Filters (all must match)"
    static let filtered = ["annotate", "report", "info", "convert", "record"]
    static let knowing = ["annotate", "report", "diff", "info", "record", "replay", "extcap"]

    /// Every option, in the order of the help.
    static let every: [OptionRow] =
        [
            oneLog, oneTimeline, unpackLimit, offset, format, containerFormat, output, all, allDifferences,
            html, wide, labels, time, summary, terse, frame, failure, strict,
            failOn, color, noPager,
            keys, saveKeys, insecureKeys, profile, dialect, gatt,
            peer, connection, adapter, frames, since, until, only, find,
        ] + replaying + recording + extcap + simulation
}
