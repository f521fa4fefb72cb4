public import WireBytes

/// The PDUs of the Attribute Protocol.
public enum ATTTable {
    /// Rows by opcode, with the fields after it.
    ///
    /// Source: Core Specification, Vol 3, Part F, 3.4.
    static let pdus = PDUTable(
        trusting: """
            #= ATTOpcode 1 fields: The opcode of an ATT PDU: its first byte.
            # Source: Core Specification, Vol 3, Part F, 3.3.1 and 3.4.8.
            @range "Starting Handle":2h "Ending Handle":2h
            @attribute "Attribute Handle":2h "Attribute Value":*
            @part "Attribute Handle":2h "Value Offset":2 "Part Attribute Value":*
            @handles "Set Of Handles":[/2]("Attribute Handle":2h)
            01 3.4.1.1 Error Response
            #= ATTErrorResponse request handle error: Reports a failed request, with its attribute (0 if
            # none caused it) and the reason.
            > "Request Opcode":1=att_opcode "Attribute Handle":2h "Error Code":1=att_error
            02 3.4.2.1 Exchange MTU Request
            #= ATTExchangeMTURequest clientMTU: Announces the longest PDU that the client can receive:
            # 23 bytes or more on LE.
            > "Client Rx MTU":2
            03 3.4.2.2 Exchange MTU Response
            #= ATTExchangeMTUResponse serverMTU: Announces the longest PDU that the server can receive;
            # from then on the smaller MTU applies.
            > "Server Rx MTU":2
            04 3.4.3.1 Find Information Request
            #= ATTFindInformationRequest startingHandle endingHandle: Asks for the types of the
            # attributes in a range of handles.
            > @range
            05 3.4.3.2 Find Information Response
            #= ATTFindInformationResponse format information:ATTHandleType,handle,type: Lists attribute
            # handles with their types.
            > Format:1=att_information_format
              "Information Data":[/Format=4,18](Handle:2h UUID:attribute_type)
            06 3.4.3.3 Find By Type Value Request
            #= ATTFindByTypeValueRequest startingHandle endingHandle type value: Asks for the attributes
            # in a range that have a 16-bit type and exactly a given value.
            > @range "Attribute Type":uuid2 "Attribute Value":*
            07 3.4.3.4 Find By Type Value Response
            #= ATTFindByTypeValueResponse handles:ATTHandleRange,handle,groupEndHandle: Lists the
            # attributes found, each with the last handle of its group.
            > "Handles Information":[/4]("Found Attribute Handle":2h "Group End Handle":2h)
            08 3.4.4.1 Read By Type Request
            #= ATTReadByTypeRequest startingHandle endingHandle type: Asks for the values of the
            # attributes of one type in a range of handles.
            > @range "Attribute Type":attribute_type
            09 3.4.4.2 Read By Type Response
            #= ATTReadByTypeResponse length attributes:ATTHandleValue,handle,value: Carries attributes
            # of the requested type, all with values of one length.
            > Length:1 "Attribute Data List":[/Length](@attribute)
            0A 3.4.4.3 Read Request
            #= ATTReadRequest handle: Asks for the value of an attribute.
            > "Attribute Handle":2h
            0B 3.4.4.4 Read Response
            #= ATTReadResponse value: Carries the value of an attribute, up to ATT_MTU − 1 bytes of it.
            > "Attribute Value":*
            0C 3.4.4.5 Read Blob Request
            #= ATTReadBlobRequest handle offset: Asks for the value of an attribute from an offset.
            > "Attribute Handle":2h "Value Offset":2
            0D 3.4.4.6 Read Blob Response
            #= ATTReadBlobResponse value: Carries a part of an attribute's value, up to ATT_MTU − 1
            # bytes.
            > "Part Attribute Value":*
            0E 3.4.4.7 Read Multiple Request
            #= ATTReadMultipleRequest handles:ATTHandle,handle: Asks for the values of two or more
            # attributes whose lengths are known.
            > @handles
            0F 3.4.4.8 Read Multiple Response
            #= ATTReadMultipleResponse values: Carries values one after another, in the requested order,
            # up to ATT_MTU − 1 bytes.
            > "Set Of Values":*
            10 3.4.4.9 Read By Group Type Request
            #= ATTReadByGroupTypeRequest startingHandle endingHandle type: Asks for the groups of one
            # type, such as services, in a range of handles.
            > @range "Attribute Group Type":attribute_type
            11 3.4.4.10 Read By Group Type Response
            #= ATTReadByGroupTypeResponse length attributes:ATTGroupValue,handle,groupEndHandle,value:
            # Carries groups of the requested type, all with values of one length.
            > Length:1 "Attribute Data List":[/Length]("Attribute Handle":2h "End Group Handle":2h
              "Attribute Value":*)
            12 3.4.5.1 Write Request
            #= ATTWriteRequest handle value: Asks the server to write a value, up to ATT_MTU − 3 bytes,
            # and to confirm it.
            > @attribute
            13 3.4.5.2 Write Response
            #= ATTWriteResponse: Confirms that the value was written.
            16 3.4.6.1 Prepare Write Request
            #= ATTPrepareWriteRequest handle offset value: Asks the server to queue a part of a value
            # for a later Execute Write Request.
            > @part
            17 3.4.6.2 Prepare Write Response
            #= ATTPrepareWriteResponse handle offset value: Repeats the part that the server has queued.
            > @part
            18 3.4.6.3 Execute Write Request
            #= ATTExecuteWriteRequest flags: Asks the server to write (1) or to discard (0) all queued
            # parts.
            > Flags:1=att_execute_write_flags
            19 3.4.6.4 Execute Write Response
            #= ATTExecuteWriteResponse: Confirms that the queued parts were written or discarded.
            1B 3.4.7.1 Handle Value Notification
            #= ATTHandleValueNotification handle value: Carries a value that the server sends at any
            # time, without a reply.
            > @attribute
            1D 3.4.7.2 Handle Value Indication
            #= ATTHandleValueIndication handle value: Carries a value from the server, which then waits
            # for the client's confirmation.
            > @attribute
            1E 3.4.7.3 Handle Value Confirmation
            #= ATTHandleValueConfirmation: Confirms an indication.
            20 3.4.4.11 Read Multiple Variable Request
            #= ATTReadMultipleVariableRequest handles: Asks for the values of two or more attributes of
            # any length.
            > @handles
            21 3.4.4.12 Read Multiple Variable Response
            #= ATTReadMultipleVariableResponse values: Carries values with their lengths,
            # ``ATTLengthValue``, in the requested order; the last may be cut.
            > "Length Value Tuple List":[]("Value Length":2 "Attribute Value":[<"Value Length"])
            23 3.4.7.4 Multiple Handle Value Notification
            #= ATTMultipleHandleValueNotification values: Carries two or more values that the server
            # sends at once, ``ATTHandleLengthValue``, without a reply.
            > "Handle Length Value Tuple List":[]("Attribute Handle":2h "Value Length":2
              "Attribute Value":["Value Length"])
            52 3.4.5.3 Write Command
            #= ATTWriteCommand handle value: Asks the server to write a value; there is no reply, even
            # on failure.
            > @attribute
            D2 3.4.5.4 Signed Write Command
            > "Attribute Handle":2h "Attribute Value":*-12 "Authentication Signature":12
            """)

    /// Returns the reason why a PDU, from its opcode, doesn't fit its definition; nil if it fits or its
    /// opcode is unassigned.
    ///
    /// Bytes after the last field are not a fault.
    public static func fault(in pdu: RawSpan) -> DecodeError? {
        pdu.octet(at: 0).flatMap { layout(ATTOpcode(rawValue: $0)) }?.fault(in: pdu, after: 1)
    }

    /// Returns the start, in bytes from the opcode, of a list of elements of equal width, and that width.
    ///
    /// The PDU may be cut. Nil for PDUs without such a list, and for an impossible width.
    public static func elements(in pdu: RawSpan) -> (start: Int, width: Int)? {
        guard let opcode = pdu.octet(at: 0),
            let list = layout(ATTOpcode(rawValue: opcode))?.elements(in: pdu.dropping(1))
        else { return nil }
        return (list.start &+ 1, list.width)
    }

    /// The field positions by opcode, computed once because every PDU of a log needs them.
    fileprivate static let places = InlineArray<256, ATTPlaces> { code in
        pdus[UInt16(code)].map { ATTPlaces($0.parameters) } ?? ATTPlaces()
    }
}

extension ATTOpcode {
    /// The field positions of a PDU with this opcode.
    public var places: ATTPlaces { ATTTable.places[Int(rawValue)] }
}
