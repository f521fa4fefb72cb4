import Foundation

/// The selectors of a profile's channels, in a short form that is read without the rest of the profile.
struct ProfileSelectors {
    /// A row for each channel, in order.
    let rows: [String]

    init(_ json: Data) throws {
        let profile = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        let channels = profile?["channels"] as? [[String: Any]] ?? []
        rows = channels.map { channel in
            let lists = ["attributes", "advertising", "l2cap"]
            return lists.flatMap { channel[$0] as? [[String: Any]] ?? [] }.map(Self.selector).joined()
        }
    }

    private static func selector(_ object: [String: Any]) -> String {
        let text = { (name: String) in object[name] as? String ?? "" }
        let prefix = text("valuePrefix")
        if let company = number(object["company"]) { return "c\(company),\(prefix);" }
        let uuid = { (name: String) in text(name).replacingOccurrences(of: "-", with: "") }
        if object["serviceData"] != nil { return "s\(uuid("serviceData")),\(prefix);" }
        if let psm = number(object["psm"]) { return "p\(psm);" }
        if object["psmField"] != nil { return "f\(text("psmField"));" }
        let operations = (object["operations"] as? [String] ?? []).map { String($0.prefix(1)) }.joined()
        return "a\(operations),\(uuid("service")),\(uuid("characteristic")),\(prefix);"
    }

    /// Returns a number, which may be a text such as `0x0499`, in hexadecimal.
    private static func number(_ value: Any?) -> String? {
        if let number = value as? Int { return String(number, radix: 16) }
        guard let text = value as? String else { return nil }
        let isHex = text.lowercased().hasPrefix("0x")
        return Int(isHex ? String(text.dropFirst(2)) : text, radix: isHex ? 16 : 10).map {
            String($0, radix: 16)
        }
    }
}
