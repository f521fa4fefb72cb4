// Kinds of AD structure. Written by tools/assigned-numbers.

extension AssignedNumbers {
    static let adTypesLines: StaticString = """
        0001 Flags~Incomplete List of 16-bit Service or Service Class UUIDs
        0003 Complete List of 16-bit Service or Service Class UUIDs
        0004 Incomplete List of 32-bit Service or Service Class UUIDs
        0005 Complete List of 32-bit Service or Service Class UUIDs
        0006 Incomplete List of 128-bit Service or Service Class UUIDs
        0007 Complete List of 128-bit Service or Service Class UUIDs~Shortened Local Name
        0009 Complete Local Name~Tx Power Level
        000D Class of Device~Simple Pairing Hash C-192~Simple Pairing Randomizer R-192
        0010 Security Manager TK Value~Security Manager Out of Band Flags
        0012 Peripheral Connection Interval Range
        0014 List of 16-bit Service Solicitation UUIDs~List of 128-bit Service Solicitation UUIDs
        0016 Service Data - 16-bit UUID~Public Target Address~Random Target Address~Appearance
        001A Advertising Interval~LE Bluetooth Device Address~LE Role~Simple Pairing Hash C-256
        001E Simple Pairing Randomizer R-256~List of 32-bit Service Solicitation UUIDs
        0020 Service Data - 32-bit UUID~Service Data - 128-bit UUID~LE Secure Connections Confirmation Value
        0023 LE Secure Connections Random Value~URI~Indoor Positioning~Transport Discovery Data
        0027 LE Supported Features~Channel Map Update Indication~PB-ADV~Mesh Message~Mesh Beacon~BIGInfo
        002D Broadcast_Code~Resolvable Set Identifier~Advertising Interval - long~Broadcast_Name
        0031 Encrypted Advertising Data~Periodic Advertising Response Timing Information
        0034 Electronic Shelf Label
        003D 3D Information Data
        00FF Manufacturer Specific Data
        """
}
