import BluetoothCore
import CommandLineKit
import Comparison
import Crypto
import Rendering
import WireBytes

/// Differences as a page of HTML without scripts or external resources, enforced by its security policy.
struct DiffPage {
    private let found: LogDifferences
    private let names: [DeviceAddress: String]
    private let goods: [String]
    private let bad: String

    init(_ found: LogDifferences, _ names: [DeviceAddress: String], goods: [String], bad: String) {
        self.found = found
        self.names = names
        self.goods = goods
        self.bad = bad
    }

    private static let style = """
        :root{color-scheme:light dark}body{font:16px/1.5 sans-serif;margin:1rem auto;max-width:70rem;\
        padding:0 1rem;overflow-wrap:anywhere}table{border-collapse:collapse;width:100%;table-layout:fixed}\
        td,th{border:1px solid;padding:.4rem;text-align:left;vertical-align:top}\
        caption{font-weight:bold;text-align:left;margin-top:1rem}
        """

    /// Returns the name of a log, of one or several files, without the sender's folders, unless another log
    /// has the same name.
    private func withoutFolders(_ log: String) -> String {
        log.split(separator: " + ").map { Difference.Side.shortName(String($0), among: goods + [bad]) }
            .joined(separator: " + ")
    }

    /// The page in UTF-8.
    func octets() throws(Failure) -> [UInt8] {
        let digest: [UInt8]
        do throws(CryptoError) { digest = try SHA256.hash(of: Array(Self.style.utf8)) } catch {
            throw Failure(.environment, "the page's style can't be hashed: \(error)")
        }
        let hash = String(decoding: Base64.text(of: digest), as: UTF8.self)
        let policy = "default-src 'none'; style-src 'sha256-\(hash)'"
        var page = """
            <!doctype html><html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width"><title>Differences of Bluetooth logs</title>
            <style>\(Self.style)</style></head><body><h1>Differences of Bluetooth logs</h1>

            """
        for sentence in found.warnings(names, goods: goods) { page += "<p>\(Markup.escaped(sentence))</p>\n" }
        page += "<ul>\n"
        for good in goods { page += "<li>good: \(Markup.escaped(withoutFolders(good)))</li>\n" }
        page += "<li>bad: \(Markup.escaped(withoutFolders(bad)))</li></ul>\n"
        if found.areAlike { page += "<p>Result: \(Markup.escaped(found.likeness))</p>\n" }
        if let compared = found.extent.sentence { page += "<p>Compared: \(Markup.escaped(compared))</p>\n" }
        for note in found.notes { page += "<p>Not compared: \(Markup.escaped(note))</p>\n" }
        for pause in found.pauses { page += "<p>Note: \(Markup.escaped(pause))</p>\n" }
        for part in found.parts {
            page += "<h2>\(Markup.escaped(part.title))</h2>\n"
            for difference in part.differences { page += table(difference) }
        }
        if !found.values.isEmpty {
            let items = found.values.map { "<li>\(Markup.escaped($0.change(limit: .max)))</li>\n" }
            page += "<h2>other values, good \u{2192} bad</h2>\n<ul>\n\(items.joined())</ul>\n"
        }
        return Array((page + "</body></html>\n").utf8)
    }

    private func table(_ difference: Difference) -> String {
        let good = Markup.escaped(difference.good?.heading("good", among: goods) ?? "good")
        return """
            <table><caption>\(Markup.escaped(difference.heading))</caption>
            <tr><th scope="col">\(good)</th><th scope="col">bad</th></tr>
            <tr><td>\(Self.cell(difference.good))</td><td>\(Self.cell(difference.bad))</td></tr></table>

            """
    }

    private static func cell(_ side: Difference.Side?) -> String {
        guard let side else { return "nothing" }
        return "\(Markup.escaped(side.whereabouts))<br>\(Markup.escaped(side.text))"
    }
}
