public import WireBytes

/// PDUs as rows of text: code, section, name and fields of each, written once.
///
/// From a row follow the PDU's name, how it is shown as text and JSON, the check of its length, which of its
/// fields are secret, and which connection it belongs to. How rows are written: `docs/tables.md`.
public final class PDUTable: Sendable {
    /// One PDU.
    public struct Row: Sendable {
        /// The opcode, event code or other number by which it is found.
        public var code: UInt16
        /// The name in the specification.
        public var name: StaticText
        /// The specification's section; empty if the table doesn't say.
        public var section: StaticText
        /// The parameters; nil if only the name is known.
        public var parameters: PDULayout?
        /// The return parameters of a command; nil if absent or unknown.
        public var returnParameters: PDULayout?
        /// Whether parameters without known fields may hold keys.
        var hidesUnknown = false

        /// Whether the parameters, or what is returned, hold keys or other secrets of pairing.
        public var holdsSecret: Bool {
            hidesUnknown || parameters?.holdsSecret ?? false || returnParameters?.holdsSecret ?? false
        }
    }

    /// All rows, in the order of the text.
    public let rows: [Row]
    /// For each code from the first one on, the number of its row, from 1; 0 for a code without a row.
    private let places: [UInt16]
    private let firstCode: Int

    /// Reads the rows of `texts`, one after the other; groups of fields are known to all that follow. Throws
    /// ``PDUTableError`` at the first line that can't be read, and for a code that comes twice.
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

    /// Reads a text of this program's own, whose mistakes are the programmer's.
    convenience init(trusting texts: StaticText...) {
        do throws(PDUTableError) {
            try self.init(texts)
        } catch {
            preconditionFailure("table line \(error.line): \(error.reason)")
        }
    }

    /// The row of a code; nil for an unknown code.
    public subscript(code: UInt16) -> Row? { index(of: code).map { rows[$0] } }

    /// The name of a code; nil for an unknown code.
    public func name(of code: UInt16) -> StaticText? { index(of: code).map { rows[$0].name } }

    private func index(of code: UInt16) -> Int? {
        let place = Int(code) - firstCode
        guard places.indices.contains(place), places[place] > 0 else { return nil }
        return Int(places[place]) - 1
    }
}

/// Why a table's text can't be read.
public struct PDUTableError: Error, Equatable, Sendable {
    /// The line in its text, from 1; 0 if it is about the whole.
    public var line: Int
    /// What is wrong with it.
    public var reason: StaticText
}
