import CommandLineKit

// The options of `replay`.

extension OptionRow {
    static let policy = OptionRow(
        "policy", nil, .choice(["causal", "recorded", "earliest", "latest", "shuffle"]), group: played,
        commands: ["replay"],
        """
        When the peer does what was recorded: as long after its cause as it was recorded (causal, the \
        default), when it was recorded, as early or as late as its cause allows, or by chance (shuffle, by \
        --seed).
        """, brief: "When the peer does what was recorded.")
    static let tier = OptionRow(
        "tier", nil, .choice(["semantic", "strict", "application"]), group: judged, commands: ["replay"],
        """
        What is compared: what the far device sees (semantic, the default); every packet to the controller, too, \
        for logs of this stack (strict); or only the values that the application writes, without those fields of \
        a protocol that differ from run to run (application).
        """, brief: "What is compared.")
    static let untilFrame = OptionRow(
        "until-frame", nil, .value("N"), group: played, commands: ["replay"],
        "Reads the log up to frame N, as if it ended there.")
    static let playedConnection = OptionRow(
        "connection", nil, .value("N"), repeats: true, group: played, commands: ["replay"],
        "Plays only connection N of the log, by the number that 'blecap info' gives it.",
        brief: "Plays only connection N.")
    static let playedPeer = OptionRow(
        "peer", nil, .value("DEVICE"), repeats: true, group: played, commands: ["replay"],
        """
        Plays only connections to this device: its address on the link, or its name as it was advertised or \
        read.
        """,
        brief: "Plays only connections to this device.")
    static let patience = OptionRow(
        "patience", nil, .value("TIME"), group: played, commands: ["replay"],
        """
        How long the session may make no progress before the host counts as stuck (default 30s). With --listen \
        it is also how long a host may take to come; slow hosts and people who type need more.
        """)
    static let goOn = OptionRow(
        "continue", nil, group: judged, commands: ["replay"],
        "Goes on behind a difference, and prints those that come after it, too.",
        brief: "Goes on behind a difference.")
    static let unplayed = OptionRow(
        "unplayed", nil, group: judged, commands: ["replay"],
        "Prints which frames of the log were never reached.")
    static let chance = OptionRow(
        "seed", nil, .value("N"), group: played, commands: ["replay"],
        "What all chance follows from that the log does not hold; 0 without it.")
    static let allowPartial = OptionRow(
        "allow-partial", nil, group: judged, commands: ["replay"],
        "The same as --allow partial.")
    static let allow = OptionRow(
        "allow", nil, .value("WORDS"), repeats: true, group: judged, commands: ["replay"],
        """
        Verdicts that count as success, with commas between: partial (what could be replayed of the log is the \
        same) and not-replayable (nothing could be).
        """)
    static let repeats = OptionRow(
        "repeat", nil, .value("N"), group: played, commands: ["replay"],
        "Replays each log N times, compares all reports and transcripts, and says how much that was.")
    static let transcript = OptionRow(
        "transcript", nil, .value("FILE"), group: judged, commands: ["replay"],
        """
        Writes what passed: each PDU and each callback with its virtual time in microseconds. For several logs \
        FILE is a folder, in which each has NAME.transcript.
        """, brief: "Writes each PDU and callback with its time.")
    static let golden = OptionRow(
        "golden", nil, .value("FILE"), group: judged, commands: ["replay"],
        """
        Compares the transcript with one that was written before; exit status 1 where it differs. For several \
        logs FILE is the folder in which --transcript left them.
        """, brief: "Compares the transcript with an earlier one.")
    static let sweep = OptionRow(
        "sweep", nil, group: played, commands: ["replay"],
        """
        Plays each connection again and again to a live model of the far device, each time with one fault at one \
        PDU, or at one message of a car (a forged tag, a message played again or late, a proof of another key), then once more without; each run must end, tell the application the truth, and leave the next session \
        able to succeed. Exit status 1 where one does not: the failure is shrunk to the packets that it needs.
        """, brief: "Plays each connection with every fault.")
    static let sweepOnly = OptionRow(
        "sweep-only", nil, .value("RUN"), group: played, commands: ["replay"],
        """
        One run of --sweep: lost:57, lost:57:2 for the log's second connection, or lost:31:2:205-215,254 with the \
        PDUs of these frames alone.
        """)
    static let limit = OptionRow(
        "limit", nil, .value("N"), group: played, commands: ["replay"],
        "Ends --sweep after N runs of each log.")
    static let shard = OptionRow(
        "shard", nil, .value("I/N"), group: played, commands: ["replay"],
        "Makes every Nth run of --sweep from the Ith on, so that N machines share the runs.")
    static let expect = OptionRow(
        "expect", nil, .value("FILE"), group: judged, commands: ["replay"],
        """
        Judges by an expectation: how each request is to end, and where the host may or must do something else \
        than was recorded, with a live model of the far device from there on. LOG.expect.json beside the log is \
        found by itself; none for none.
        """, brief: "Judges by an expectation.")
    static let failOnOutcome = OptionRow(
        "fail-on", nil, .choice(["outcome"]), group: judged, commands: ["replay"],
        """
        Also fails where a request was refused or got no answer, unless the expectation says that it ends so: \
        outcome. Exit status 1.
        """, brief: "Fails also where a request was refused.")
    static let bless = OptionRow(
        "bless", nil, .value("FILE"), group: judged, commands: ["replay"],
        """
        Writes what this replay came to as an expectation, for a person to read and keep. There must be something \
        to expect: a difference at a PDU of the host, or requests with an end. --force replaces an older one.
        """, brief: "Writes the result as an expectation.")
    static let junit = OptionRow(
        "junit", nil, .value("FILE"), group: judged, commands: ["replay"],
        "Writes the verdicts for continuous integration as JUnit XML, a test case a log with its time.",
        brief: "Writes the verdicts as JUnit XML.")
    static let github = OptionRow(
        "github", nil, group: judged, commands: ["replay"],
        """
        Prints an annotation for each log that fails, which GitHub shows at the file. Without it only where \
        GITHUB_ACTIONS is true.
        """)

    static let played = "How it is played"
    static let judged = "What it is judged by"
    static let replaying = [
        policy, chance, repeats, untilFrame, playedConnection, playedPeer, patience, sweep, sweepOnly, limit,
        shard, tier, goOn, unplayed, transcript, golden, expect, failOnOutcome, bless, allow, allowPartial,
        junit, github,
    ]
}
