public import WireBytes

/// The PDUs of the Attribute Protocol.
public enum ATTTable {
    /// Rows by opcode, with the fields after it.
    ///
    /// Source: Core Specification, Vol 3, Part F, 3.4.
    static let pdus = PDUTable(
        trusting: """
            @range "Starting Handle":2h "Ending Handle":2h
            @attribute "Attribute Handle":2h "Attribute Value":*
            @part "Attribute Handle":2h "Value Offset":2 "Part Attribute Value":*
            @handles "Set Of Handles":[/2]("Attribute Handle":2h)
            01 3.4.1.1 Error Response
            > "Request Opcode":1=att_opcode "Attribute Handle":2h "Error Code":1=att_error
            02 3.4.2.1 Exchange MTU Request
            > "Client Rx MTU":2
            03 3.4.2.2 Exchange MTU Response
            > "Server Rx MTU":2
            04 3.4.3.1 Find Information Request
            > @range
            05 3.4.3.2 Find Information Response
            > Format:1=att_information_format
              "Information Data":[/Format=4,18](Handle:2h UUID:attribute_type)
            06 3.4.3.3 Find By Type Value Request
            > @range "Attribute Type":uuid2 "Attribute Value":*
            07 3.4.3.4 Find By Type Value Response
            > "Handles Information":[/4]("Found Attribute Handle":2h "Group End Handle":2h)
            08 3.4.4.1 Read By Type Request
            > @range "Attribute Type":attribute_type
            09 3.4.4.2 Read By Type Response
            > Length:1 "Attribute Data List":[/Length](@attribute)
            0A 3.4.4.3 Read Request
            > "Attribute Handle":2h
            0B 3.4.4.4 Read Response
            > "Attribute Value":*
            0C 3.4.4.5 Read Blob Request
            > "Attribute Handle":2h "Value Offset":2
            0D 3.4.4.6 Read Blob Response
            > "Part Attribute Value":*
            0E 3.4.4.7 Read Multiple Request
            > @handles
            0F 3.4.4.8 Read Multiple Response
            > "Set Of Values":*
            10 3.4.4.9 Read By Group Type Request
            > @range "Attribute Group Type":attribute_type
            11 3.4.4.10 Read By Group Type Response
            > Length:1 "Attribute Data List":[/Length]("Attribute Handle":2h "End Group Handle":2h
              "Attribute Value":*)
            12 3.4.5.1 Write Request
            > @attribute
            13 3.4.5.2 Write Response
            16 3.4.6.1 Prepare Write Request
            > @part
            17 3.4.6.2 Prepare Write Response
            > @part
            18 3.4.6.3 Execute Write Request
            > Flags:1=att_execute_write_flags
            19 3.4.6.4 Execute Write Response
            1B 3.4.7.1 Handle Value Notification
            > @attribute
            1D 3.4.7.2 Handle Value Indication
            > @attribute
            1E 3.4.7.3 Handle Value Confirmation
            20 3.4.4.11 Read Multiple Variable Request
            > @handles
            21 3.4.4.12 Read Multiple Variable Response
            > "Length Value Tuple List":[]("Value Length":2 "Attribute Value":[<"Value Length"])
            23 3.4.7.4 Multiple Handle Value Notification
            > "Handle Length Value Tuple List":[]("Attribute Handle":2h "Value Length":2
              "Attribute Value":["Value Length"])
            52 3.4.5.3 Write Command
            > @attribute
            D2 3.4.5.4 Signed Write Command
            > "Attribute Handle":2h "Attribute Value":*-12 "Authentication Signature":12
            """)

    /// All rows, in the order of the opcodes.
    public static var rows: [PDUTable.Row] { pdus.rows }

    /// Returns the parameters of a PDU; nil for an unassigned opcode.
    public static func layout(_ opcode: ATTOpcode) -> PDULayout? {
        pdus[UInt16(opcode.rawValue)]?.parameters
    }

    /// Passes the parameters of the PDU with an opcode to `coder`, which is positioned after the opcode.
    ///
    /// For an unassigned opcode they are one field.
    ///
    /// - Returns: whether the opcode is assigned.
    @inlinable
    @discardableResult
    public static func code<C: FieldCoder & ~Copyable & ~Escapable>(
        _ opcode: ATTOpcode, _ coder: inout C
    ) throws(DecodeError) -> Bool {
        try PDULayout.code(layout(opcode), &coder)
    }

    /// Returns the reason why a PDU, opcode first, doesn't fit its definition; nil if it fits or its opcode
    /// is unassigned.
    ///
    /// Bytes after the last field are not a fault.
    public static func fault(in pdu: RawSpan) -> DecodeError? {
        pdu.octet(at: 0).flatMap { layout(ATTOpcode(rawValue: $0)) }?.fault(in: pdu, after: 1)
    }

    /// Returns the start of a list of elements of equal width, in bytes from the opcode, and that width.
    ///
    /// The PDU may be cut. Nil for other PDUs and for an impossible width.
    public static func elements(in pdu: RawSpan) -> (start: Int, width: Int)? {
        guard let opcode = pdu.octet(at: 0),
            let list = layout(ATTOpcode(rawValue: opcode))?.elements(in: pdu.dropping(1))
        else { return nil }
        return (list.start &+ 1, list.width)
    }

    /// The field positions of each opcode, computed once because every PDU of a log needs them.
    fileprivate static let places = InlineArray<256, ATTPlaces> { code in
        pdus[UInt16(code)]?.parameters.map { ATTPlaces($0) } ?? ATTPlaces()
    }
}

extension ATTOpcode {
    /// The positions of the fields of a PDU with this opcode.
    public var places: ATTPlaces { ATTTable.places[Int(rawValue)] }
}
