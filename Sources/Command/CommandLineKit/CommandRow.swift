/// One command: its name, its operands and its description.
public struct CommandRow: Sendable {
    /// One or two words, separated by a space.
    public var name: String
    /// The operands as shown in the usage line.
    public var operands: String
    /// Number of operands it takes.
    public var operandCount: ClosedRange<Int>
    /// Description in one line.
    public var summary: String
    /// Further paragraphs of its help.
    public var details: [String]
    /// Example command lines.
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
