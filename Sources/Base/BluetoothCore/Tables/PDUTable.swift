public import WireBytes

/// PDUs as rows of text: code, section, name and fields, each written once.
///
/// A row determines the PDU's name, its text and JSON output, the check of its length, its secret fields, and
/// the connection that it belongs to. The syntax of rows: `docs/architecture.md`.
public final class PDUTable: Sendable {
    /// One PDU.
    public struct Row: Sendable {
        /// The opcode, event code or other number that identifies it.
        public var code: UInt16
        /// The name in the specification.
        public var name: StaticText
        /// The specification's section; empty if the table doesn't have it.
        public var section: StaticText
        /// The parameters; nil if only the name is known.
        public var parameters: PDULayout?
        /// The return parameters of a command; nil if absent or unknown.
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
    /// Index of the row, from 1, for each code from the first one; 0 for a code without a row.
    private let places: [UInt16]
    private let firstCode: Int

    /// Reads the rows of `texts` in order; groups of fields are known to all rows that follow.
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

    /// Reads a text of the program itself, in which mistakes are programmer errors.
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

/// Syntax error in a table's text.
public struct PDUTableError: Error, Equatable, Sendable {
    /// The line in its text, from 1; 0 if the error concerns the whole text.
    public var line: Int
    /// The problem.
    public var reason: StaticText
}

extension PDUTableError: CustomStringConvertible {
    public var description: String { line > 0 ? "line \(line): \(reason)" : "\(reason)" }
}
