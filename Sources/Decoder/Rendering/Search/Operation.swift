import WireBytes

/// An operation that searches can name: its words, and the packets that belong to it.
struct Operation: Equatable, Sendable {
    /// A kind of packet: the beginning of its line, and a text somewhere in the line, both in lower case.
    struct Form: Equatable, Sendable {
        let beginning: [UInt8]
        let part: [UInt8]
        /// The text by which an error response names this request; nil for packets that are not requests.
        let inErrors: [UInt8]?

        /// - Parameter text: the beginning, and after a `*` the other text, if any.
        init(_ text: String) {
            let halves = text.utf8.split(separator: UInt8(ascii: "*"), maxSplits: 1).map { Array($0) }
            beginning = halves[0]
            part = halves.count > 1 ? halves[1] : []
            inErrors = text.hasPrefix("att ") ? Array(" to ".utf8) + beginning.dropFirst(4) : nil
        }
    }

    let words: [String]
    /// The packets. Errors of a request belong to it without a form of their own.
    let forms: [Form]

    /// - Parameter packets: the packets in the notation of ``Form``.
    init(_ words: String, _ packets: String...) {
        self.words = words.split(separator: " ").map(String.init)
        forms = packets.map { Form($0) }
    }

    /// The operations and the layers, which are searched for in the same way.
    static let all = [
        Operation(
            "read reads", "att read request", "att read response", "att read blob", "att read multiple"),
        Operation("write writes", "att write", "att signed write", "att prepare write", "att execute write"),
        Operation(
            "notify notification notifications", "att handle value notification",
            "att multiple handle value notification"),
        Operation("indicate indication", "att handle value indication", "att handle value confirmation"),
        Operation("subscribe cccd", "att write*client characteristic configuration"),
        Operation("discover discovery", "att find", "att read by"),
        Operation("mtu", "att exchange mtu"),
        Operation(
            "connect connects", "hci le create connection", "hci le extended create connection",
            "hci le connection complete", "hci le enhanced connection complete", "hci create connection",
            "hci connection complete", "hci connection request", "adv connect_ind", "adv aux_connect"),
        Operation("disconnect disconnects", "hci disconnect", "ll ll_terminate_ind"),
        Operation("pair pairing", "smp"),
        Operation(
            "encrypt encryption", "hci le enable encryption", "hci encryption", "hci le long term key",
            "hci set connection encryption", "ll ll_enc", "ll ll_start_enc", "ll ll_pause_enc"),
        Operation(
            "advertise advertising", "hci le advertising", "hci le extended advertising",
            "hci le directed advertising", "hci le set advertising", "hci le set extended advertising",
            "hci le set scan response", "hci le set extended scan response", "hci le remove advertising",
            "hci le clear advertising", "adv adv", "adv aux_adv"),
        Operation(
            "scan scanning", "hci le scan", "hci le set scan enable", "hci le set scan parameters",
            "hci le set extended scan enable", "hci le set extended scan parameters", "adv scan",
            "adv aux_scan"),
        Operation("hci", "hci"),
        Operation("l2cap", "l2cap", "att", "smp", "acl"),
        Operation("att", "att"),
        Operation("smp", "smp"),
        Operation("ll", "ll", "adv"),
    ]

    /// The forms of all operations, with their first character and the operation's bit. Errors begin like the
    /// requests that they answer.
    static let forms = all.enumerated().flatMap { place, operation in
        operation.forms.map { (head: $0.beginning.first, bit: 1 << place, form: $0) }
    }

    /// Appends the words of each operation for the page's script, whose rows have a bit for each.
    static func put(into out: inout TextBuffer) {
        out.put("[")
        for operation in all {
            out.separator()
            out.jsonString(operation.words.joined(separator: " "))
        }
        out.endArray()
    }
}
