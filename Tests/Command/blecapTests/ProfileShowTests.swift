import Foundation
import Testing

@Suite struct ProfileShowTests {
    @Test func `Every built-in profile has a line that says what it covers`() throws {
        let run = try CommandRun(["profile", "list"])
        #expect(run.status == 0 && run.errors.isEmpty)
        let lines = run.unwrapped.split(separator: "\n")
        #expect(lines.count == ProfileCheckTests.shipped.count)
        #expect(
            lines.contains {
                $0.hasPrefix("jbd ") && $0.hasSuffix("also sold as Xiaoxiang and Overkill Solar")
            })
        #expect(lines.allSatisfy { $0.split(separator: " ").count > 1 })
    }

    @Test func `A built-in profile is shown with its values, messages and fields`() throws {
        let run = try CommandRun(["profile", "show", "fitness-machine"])
        #expect(run.status == 0 && run.errors.isEmpty)
        let lines = run.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.first?.hasPrefix("fitness-machine: ") == true)
        #expect(lines.contains("write of 2AD9 (Fitness Machine Control Point)"))
        #expect(lines.contains("set-speed (0x02)"))
        #expect(lines.contains("speed: u16 little-endian, value × 0.01 km/h"))
        let ruuvi = try CommandRun(["profile", "show", "ruuvi"]).text
        #expect(ruuvi.contains("manufacturer data of 0x0499 (Ruuvi Innovations Ltd.)"))
        #expect(ruuvi.contains("humidity: u16 big-endian, value × 0.0025 %, 0xffff not available"))
    }

    @Test func `A file is shown with everything that a profile can hold`() throws {
        let file = PackageRoot.url.appendingPathComponent("Tests/Decoder/ProfilesTests/everything.json")
        let run = try CommandRun(["profile", "show", file.path])
        #expect(run.status == 0 && run.errors.isEmpty && run.text.contains("is answered by"))
    }

    @Test func `An unknown name is refused with those that there are`() throws {
        let run = try CommandRun(["profile", "show", "jdb"])
        #expect(run.status == 3 && run.text.isEmpty && run.errors.contains("did you mean 'jbd'?"))
    }
}
