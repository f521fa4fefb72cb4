/// One command: its name, its operands and what it does.
public struct CommandRow: Sendable {
    /// One or two words, separated by a space.
    public var name: String
    /// The operands as the usage line shows them.
    public var operands: String
    /// How many operands it takes.
    public var operandCount: ClosedRange<Int>
    /// What it does, in one line.
    public var summary: String
    /// What else a reader of its help needs, a paragraph an element.
    public var details: [String]
    /// Command lines that show its use.
    public var examples: [String]

    public init(
        _ name: String, operands: String, operandCount: ClosedRange<Int>, summary: String,
        details: [String] = [], examples: [String] = []
    ) {
        self.name = name
        self.operands = operands
        self.operandCount = operandCount
        self.summary = summary
        self.details = details
        self.examples = examples
    }
}
