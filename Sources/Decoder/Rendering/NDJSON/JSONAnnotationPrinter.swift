import PayloadFormat
import WireBytes

/// Prints the fields of an annotation as members of a JSON object.
struct JSONAnnotationPrinter: AnnotationVisitor, ~Copyable {
    private var text: TextBuffer
    private var isFirst: Bool
    /// The names of the files, and the index of the frame's own file.
    private let files: [String]
    private let own: Int

    /// A printer that appends to `text`; `isFirst` if no member precedes its fields.
    init(into text: consuming TextBuffer, isFirst: Bool, files: [String] = [], own: Int = 0) {
        self.files = files
        self.own = own
        self.text = text
        self.isFirst = isFirst
    }

    /// Returns the buffer with the printed members.
    consuming func finish() -> TextBuffer { text }

    /// Prints a number of seven bytes or more as a string, whatever its value, because JSON readers keep only
    /// 53 bits.
    mutating func wideValue(_ name: String, _ value: AnnotationValue, unit: String?) {
        self.name(name)
        switch value {
        case .unsigned(let number): quoted("\(number)")
        case .signed(let number): quoted("\(number)")
        case .decimal(let number): quoted(number.description)
        case .hex(let number, let digits): wide(number, digits: digits)
        case .named(let code, let name):
            text.put("{\"code\":")
            wide(code, digits: 16)
            nameMember(name)
        case .flags(let bits, let names):
            text.put("{\"bits\":")
            wide(bits, digits: 16)
            setMember(names)
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
        text.jsonSeparator(&isFirst)
        text.put(0x22)
        text.memberName(name)
        text.put("\":")
    }

    mutating func value(_ name: String, _ value: AnnotationValue, unit: String?) {
        self.name(name)
        put(value)
    }

    /// Prints a frame's number, and the name of its file as a separate member if it is another file:
    /// `request_file` for `request_frame`.
    mutating func frame(_ name: String, _ place: FramePlace) {
        self.name(name)
        text.decimal(place.frame)
        guard place.file != own else { return }
        self.name(name.replacing("frame", with: "file"))
        put(fileName: place.file)
    }

    /// Prints the numbers of frames, and, if any is in another file, their files' names as a list of the same
    /// length: `frame_files` for `frames`.
    mutating func frames(_ name: String, _ places: FrameNumbers) {
        self.name(name)
        text.put(0x5B)
        var areOwn = true
        for index in 0..<places.count {
            if index > 0 { text.put(0x2C) }
            let place = FramePlace(bits: places[index])
            text.decimal(place.frame)
            if place.file != own { areOwn = false }
        }
        text.put(0x5D)
        if areOwn { return }
        self.name("frame_files")
        text.put(0x5B)
        for (index, place) in places.enumerated() {
            if index > 0 { text.put(0x2C) }
            put(fileName: FramePlace(bits: place).file)
        }
        text.put(0x5D)
    }

    private mutating func put(fileName index: Int) {
        text.jsonString(files.indices.contains(index) ? files[index] : "")
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
        // Groups and lists are opened by the walk and never reach this switch.
        case .group, .list: text.put("null")
        }
    }

    /// Prints a code, with its name if it has one, so that neither is lost.
    private mutating func named(_ code: UInt64, _ name: String?) {
        text.put("{\"code\":")
        text.decimal(code)
        nameMember(name)
    }

    private mutating func nameMember(_ name: String?) {
        if let name {
            text.put(",\"name\":")
            text.jsonString(name)
        }
        text.put(0x7D)
    }

    private mutating func flags(_ bits: UInt64, _ names: [String]) {
        text.put("{\"bits\":")
        text.decimal(bits)
        setMember(names)
    }

    private mutating func setMember(_ names: [String]) {
        text.put(",\"set\":[")
        for (index, name) in names.enumerated() {
            if index > 0 { text.put(0x2C) }
            text.jsonString(name)
        }
        text.put("]}")
    }

    private mutating func list(_ numbers: [UInt64]) {
        text.put(0x5B)
        for (index, number) in numbers.enumerated() {
            if index > 0 { text.put(0x2C) }
            text.decimal(number)
        }
        text.put(0x5D)
    }

    mutating func openGroup(_ name: String) {
        self.name(name)
        text.put(0x7B)
        isFirst = true
    }

    mutating func closeGroup() {
        text.put(0x7D)
        isFirst = false
    }

    mutating func openList(_ name: String) {
        self.name(name)
        text.put(0x5B)
        isFirst = true
    }

    mutating func openElement() {
        text.jsonSeparator(&isFirst)
        text.put(0x7B)
        isFirst = true
    }

    mutating func closeElement() {
        text.put(0x7D)
        isFirst = false
    }

    mutating func closeList() {
        text.put(0x5D)
        isFirst = false
    }
}
