import CaptureFile
import PayloadFormat
import WireBytes

/// Prints the fields of an annotation as members of a JSON object.
struct JSONAnnotationPrinter: AnnotationVisitor, ~Copyable {
    private var text: TextBuffer
    /// The names of the files, and the index of the frame's own file.
    private let files: [CaptureInfo]
    private let own: Int

    init(into text: consuming TextBuffer, files: [CaptureInfo] = [], own: Int = 0) {
        self.files = files
        self.own = own
        self.text = text
    }

    /// Returns the buffer with the printed members.
    consuming func finish() -> TextBuffer { text }

    /// Prints a number of seven bytes or more, always as a string, because JSON readers keep only 53 bits.
    mutating func wideValue(_ name: String, _ value: AnnotationValue, unit: String?) {
        self.name(name)
        switch value {
        case .unsigned(let number): quoted("\(number)")
        case .signed(let number): quoted("\(number)")
        case .decimal(let number): quoted(number.description)
        case .hex(let number, let digits): wide(number, digits: digits)
        case .named(let code, let name): named(code, name, isWide: true)
        case .flags(let bits, let names): flags(bits, names, isWide: true)
        default: put(value)
        }
    }

    private mutating func quoted(_ digits: String) {
        text.put(0x22)
        text.put(digits)
        text.put(0x22)
    }

    private mutating func wide(_ number: UInt64, digits: Int) {
        text.put(0x22)
        text.hexNumber(number, digits: digits)
        text.put(0x22)
    }

    private mutating func name(_ name: String) {
        text.separator()
        text.put(0x22)
        text.memberName(name)
        text.put("\":")
    }

    mutating func value(_ name: String, _ value: AnnotationValue, unit: String?) {
        self.name(name)
        put(value)
    }

    /// Prints a frame's number; if the frame is in another file, also the file's name, as `request_file` for
    /// `request_frame`.
    mutating func frame(_ name: String, _ place: FramePlace) {
        self.name(name)
        text.decimal(place.frame)
        guard place.file != own else { return }
        self.name(name.replacing("frame", with: "file"))
        put(fileName: place.file)
    }

    /// Prints the numbers of frames; if any frame is in another file, also a list of all their files' names,
    /// as `frame_files` for `frames`.
    mutating func frames(_ name: String, _ places: FrameNumbers) {
        self.name(name)
        text.put(0x5B)
        var areOwn = true
        for index in 0..<places.count {
            text.separator()
            let place = FramePlace(bits: places[index])
            text.decimal(place.frame)
            if place.file != own { areOwn = false }
        }
        text.put(0x5D)
        if areOwn { return }
        self.name("frame_files")
        text.put(0x5B)
        for place in places {
            text.separator()
            put(fileName: FramePlace(bits: place).file)
        }
        text.put(0x5D)
    }

    private mutating func put(fileName index: Int) {
        text.jsonString(files.indices.contains(index) ? files[index].name : "")
    }

    private mutating func put(_ value: AnnotationValue) {
        switch value {
        case .unsigned(let number), .hex(let number, _): text.decimal(number)
        case .signed(let number): text.decimal(Int(number))
        case .decimal(let number): text.put(number.description)
        case .octets(let octets): octets.withReader { reader in text.jsonHex(reader.takeRest()) }
        case .text(let string): text.jsonString(string)
        case .bool(let isTrue): text.put(isTrue ? "true" : "false")
        case .named(let code, let name): named(code, name)
        case .flags(let bits, let names): flags(bits, names)
        case .numbers(let numbers): list(numbers)
        // The walk opens groups and lists itself, so they don't reach this switch.
        case .group, .list: text.put("null")
        }
    }

    /// Prints a code, with its name if it has one.
    private mutating func named(_ code: UInt64, _ name: String?, isWide: Bool = false) {
        text.put(0x7B)
        text.member("code")
        if isWide { wide(code, digits: 16) } else { text.decimal(code) }
        text.member("name", name)
        text.endObject()
    }

    private mutating func flags(_ bits: UInt64, _ names: [String], isWide: Bool = false) {
        text.put(0x7B)
        text.member("bits")
        if isWide { wide(bits, digits: 16) } else { text.decimal(bits) }
        text.member("set", names)
        text.endObject()
    }

    private mutating func list(_ numbers: [UInt64]) {
        text.put(0x5B)
        for number in numbers {
            text.separator()
            text.decimal(number)
        }
        text.put(0x5D)
    }

    mutating func openGroup(_ name: String) {
        self.name(name)
        text.put(0x7B)
    }

    mutating func closeGroup() {
        text.put(0x7D)
    }

    mutating func openList(_ name: String) {
        self.name(name)
        text.put(0x5B)
    }

    mutating func openElement() {
        text.separator()
        text.put(0x7B)
    }

    mutating func closeElement() {
        text.put(0x7D)
    }

    mutating func closeList() {
        text.put(0x5D)
    }
}
