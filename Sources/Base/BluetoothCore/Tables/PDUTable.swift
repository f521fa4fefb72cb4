public import WireBytes

/// PDUs as rows of text, each with code, section, name and fields.
///
/// A row determines the PDU's name, its text and JSON output, the check of its length, its secret fields, and
/// the connection that it belongs to. Syntax of rows: `docs/architecture.md`.
public final class PDUTable: Sendable {
    /// One PDU.
    public struct Row: Sendable {
        /// The opcode, event code or other number of the PDU.
        public var code: UInt16
        /// The name in the specification.
        public var name: StaticText
        /// The section of the specification; empty if the row has none.
        public var section: StaticText
        /// The parameters; nil if only the name is known.
        public var parameters: PDULayout?
        /// The return parameters of a command; nil if the command has none, or if they are unknown.
        public var returnParameters: PDULayout?
        /// Whether parameters without known fields may hold keys.
        var hidesUnknown = false

        /// Whether the parameters or return parameters hold keys or other secrets of pairing.
        public var holdsSecret: Bool {
            hidesUnknown || parameters?.holdsSecret ?? false || returnParameters?.holdsSecret ?? false
        }
    }

    /// All rows, in the order of the text.
    public let rows: [Row]
    /// The row's index plus one for each code from `firstCode` on; 0 for a code without a row.
    private let places: [UInt16]
    private let firstCode: Int

    /// Reads the rows of `texts` in order. A group of fields is known to all rows after it.
    ///
    /// Throws ``PDUTableError`` at the first line that can't be read, and for a duplicate code.
    public init(_ texts: [StaticText]) throws(PDUTableError) {
        var parser = PDUTableParser()
        for text in texts { try parser.read(text) }
        rows = parser.rows
        let codes = rows.lazy.map { Int($0.code) }
        firstCode = codes.min() ?? 0
        var places = [UInt16](repeating: 0, count: (codes.max() ?? 0) - firstCode + 1)
        for (index, code) in codes.enumerated() {
            guard places[code - firstCode] == 0, index < Int(UInt16.max) else {
                throw PDUTableError(line: 0, reason: "a code that is there twice")
            }
            places[code - firstCode] = UInt16(index + 1)
        }
        self.places = places
    }

    /// Reads a text of the program itself, where a mistake is a programmer's error.
    convenience init(trusting texts: StaticText...) {
        do throws(PDUTableError) {
            try self.init(texts)
        } catch {
            preconditionFailure("table line \(error.line): \(error.reason)")
        }
    }

    /// The row of a code; nil for an unknown code.
    public subscript(code: UInt16) -> Row? { index(of: code).map { rows[$0] } }

    /// Returns the name of a code; nil for an unknown code.
    public func name(of code: UInt16) -> StaticText? { index(of: code).map { rows[$0].name } }

    private func index(of code: UInt16) -> Int? {
        let place = Int(code) - firstCode
        guard places.indices.contains(place), places[place] > 0 else { return nil }
        return Int(places[place]) - 1
    }
}

/// A syntax error in a table's text.
public struct PDUTableError: Error, Equatable, Sendable {
    /// The line in the text, from 1; 0 if the error is about the whole text.
    public var line: Int
    /// The problem.
    public var reason: StaticText
}

extension PDUTableError: CustomStringConvertible {
    public var description: String { line > 0 ? "line \(line): \(reason)" : "\(reason)" }
}
