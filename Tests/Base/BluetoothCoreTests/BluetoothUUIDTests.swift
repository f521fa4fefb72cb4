import BluetoothCore
import Testing
import WireBytes

@Suite struct BluetoothUUIDTests {
    @Test func `text and octets agree for every width`() throws {
        for text in ["FFE1", "12345678", "5551444B-0001-4449-4749-54414C4B4559"] {
            let uuid = try #require(BluetoothUUID(text))
            #expect(uuid.description == text)
            var writer = ByteWriter()
            uuid.encode(into: &writer, attribute: false)
            let width = writer.count
            let read = try writer.octets.withReader { (reader: inout ByteReader) throws(DecodeError) in
                try BluetoothUUID(decoding: &reader, width: width)
            }
            #expect(read == uuid)
        }
    }
}
