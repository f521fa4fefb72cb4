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
        """)
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
        "Replays each log N times and compares all transcripts.")
    static let transcript = OptionRow(
        "transcript", nil, .value("FILE"), group: judged, commands: ["replay"],
        """
        Writes what passed: each PDU and each callback with its virtual time in microseconds. For several logs \
        FILE is a folder, in which each has NAME.transcript.
        """)
    static let golden = OptionRow(
        "golden", nil, .value("FILE"), group: judged, commands: ["replay"],
        """
        Compares the transcript with one that was written before; exit status 1 where it differs. For several \
        logs FILE is the folder in which --transcript left them.
        """)
    static let junit = OptionRow(
        "junit", nil, .value("FILE"), group: judged, commands: ["replay"],
        "Writes the verdicts for continuous integration as JUnit XML, a test case a log with its time.")
    static let github = OptionRow(
        "github", nil, group: judged, commands: ["replay"],
        """
        Prints an annotation for each log that fails, which GitHub shows at the file. Without it only where \
        GITHUB_ACTIONS is true.
        """)

    static let played = "How it is played"
    static let judged = "What it is judged by"
    static let replaying = [policy, chance, repeats, transcript, golden, allow, allowPartial, junit, github]
}
