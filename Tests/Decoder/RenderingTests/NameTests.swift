import Testing

/// The names of devices as a person sees them.
@Suite struct NameTests {
    @Test func `zeros at the end of a name are left out, and others are escaped`() {
        var shown = Shown()
        shown.advertise("08 09 6C 6F 63 00 6B 00 00")
        shown.connect()
        #expect(shown.verdict().contains { $0.contains("\"loc\\u0000k\": ") }, "\(shown.verdict())")
    }
}
