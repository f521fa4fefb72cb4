import Testing

@testable import CaptureFile

/// Temporary files of archives: how much they may hold, and that nothing is left of them.
@Suite struct SpoolTests {
    @Test func `all temporary files together hold no more than the limit, and give their room back`() throws {
        let budget = SpoolBudget(limit: 100)
        do {
            var first = try SpoolFile(for: "a", budget: budget)
            try first.write([UInt8](repeating: 1, count: 60))
            var second = try SpoolFile(for: "b", budget: budget)
            try second.write([UInt8](repeating: 2, count: 40))
            #expect(budget.used == 100)
            let refused = #expect(throws: CaptureFileError.self) { try second.write([3]) }
            #expect(refused?.cause == .unpacksToMore(than: 100) && refused?.file == "b")
            let owned = first.rewound()
            #expect(budget.used == 100)
            withExtendedLifetime(owned) {}
        }
        #expect(budget.used == 0)
        var third = try SpoolFile(for: "c", budget: budget)
        try third.write([UInt8](repeating: 3, count: 100))
    }

    @Test func `the usual limit is 1 GiB, and sizes are said in whole units`() {
        #expect(SpoolBudget.standard == 1_073_741_824)
        #expect(CaptureFileError.text(octets: 1 << 30) == "1 GiB")
        #expect(CaptureFileError.text(octets: 3 << 20) == "3 MiB")
        #expect(CaptureFileError.text(octets: 1500) == "1500 bytes")
    }
}
