import WireBytes

/// The values of attributes whose types the Generic Attribute and Generic Access Profiles define.
enum GATTTable {
    /// Rows by the 16-bit UUID of the attribute's type.
    ///
    /// An include declaration, whose UUID may be missing, is ``GATTIncludeDeclaration``.
    ///
    /// Source: Core Specification, Vol 3, Part G, 3 and 7, and Part C, 12; Assigned Numbers, 3.6 to 3.8.
    static let attributes = PDUTable(
        trusting: """
            2800 3.1 Primary Service
            > "Service UUID":attribute_type
            2801 3.1 Secondary Service
            > "Service UUID":attribute_type
            2803 3.3.1 Characteristic
            > "Characteristic Properties":1|gatt_properties "Characteristic Value Handle":2h
              "Characteristic UUID":attribute_type
            2900 3.3.3.1 Characteristic Extended Properties
            > "Characteristic Extended Properties":2|gatt_extended_properties
            2901 3.3.3.2 Characteristic User Description
            > Text:*"
            2902 3.3.3.3 Client Characteristic Configuration
            > "Client Characteristic Configuration":2|gatt_client_configuration
            2903 3.3.3.4 Server Characteristic Configuration
            > "Server Characteristic Configuration":2|gatt_server_configuration
            2904 3.3.3.5 Characteristic Presentation Format
            > Format:1=gatt_format Exponent:i1 Unit:uuid2 "Name Space":1 Description:2x
            2905 3.3.3.6 Characteristic Aggregate Format
            > "List of Handles":[/2]("Attribute Handle":2h)
            2A00 12.1 Device Name
            > Text:*"
            2A01 12.2 Appearance
            > Appearance:2x
            2A04 12.3 Peripheral Preferred Connection Parameters
            > "Minimum Connection Interval":2*1.25ms "Maximum Connection Interval":2*1.25ms
              "Peripheral Latency":2 "Connection Supervision Timeout":2*10ms
            2A05 7.1 Service Changed
            > "Start of Affected Attribute Handle Range":2h "End of Affected Attribute Handle Range":2h
            2AA6 12.4 Central Address Resolution
            > "Central Address Resolution":1=gatt_address_resolution
            2B29 7.2 Client Supported Features
            > "Client Supported Features":1|gatt_client_features
            2B2A 7.3 Database Hash
            > "Database Hash":16
            2B3A 7.4 Server Supported Features
            > "Server Supported Features":1|gatt_server_features
            """)
}
