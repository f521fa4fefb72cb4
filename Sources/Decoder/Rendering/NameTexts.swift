import BluetoothCore
import CaptureFile
import WireBytes

// Names of codes that the tables of PDUs do not have.

/// Names of 16-bit service UUIDs.
enum ServiceText {
    /// Appends a service's name after a space; for a number assigned to a member, the member's name in
    /// parentheses, since it names the owner and not the service.
    ///
    /// Numbers of other organizations (such as 0xFFF0) get no name: most devices that use them are of vendors
    /// without an assigned number.
    static func put(nameOf uuid: UInt16, into out: inout TextBuffer) {
        if let name = AssignedNumbers.service(uuid) {
            put(name, into: &out)
        } else if let name = AssignedNumbers.serviceClass(uuid) {
            put(name, into: &out)
        } else if let name = AssignedNumbers.memberService(uuid) {
            put(owner: name, into: &out)
        }
    }

    private static func put(_ name: RawSpan, into out: inout TextBuffer) {
        out.put(0x20)
        out.put(name)
    }

    private static func put(owner name: RawSpan, into out: inout TextBuffer) {
        out.put(" (")
        out.put(name)
        out.put(")")
    }
}

/// The properties of a characteristic, in words.
enum CharacteristicText {
    /// The names of the property bits, lowest bit first.
    static let names: [StaticText] = [
        "broadcast", "read", "write without response", "write", "notify", "indicate", "signed write",
        "extended",
    ]

    /// Appends ` (read, notify)`; nothing if no bit is set.
    static func put(properties: UInt8, into out: inout TextBuffer) {
        guard properties != 0 else { return }
        var isFirst = true
        for bit in 0..<8 where properties & 1 << UInt8(bit) != 0 {
            out.put(isFirst ? " (" : ", ")
            out.put(names[bit])
            isFirst = false
        }
        out.put(0x29)
    }
}

/// The names of link types and datalinks.
enum DatalinkNames {
    static func name(_ format: CaptureInfo.Format, _ code: UInt32) -> StaticText {
        switch (format, code) {
        case (.btsnoop, 1001): " (H1)"
        case (.btsnoop, 1002): " (H4)"
        case (.btsnoop, 2001): " (Linux monitor)"
        case (_, 187): " (H4 without direction)"
        case (_, 201): " (H4 with direction)"
        case (_, 254): " (Linux monitor)"
        case (_, 189), (_, 220): " (USB, usbmon)"
        case (_, 249): " (USBPcap)"
        default: ""
        }
    }
}

/// The schemes of URIs in advertising data, each encoded as one character.
///
/// Source: Assigned Numbers, 2.7.
enum URISchemes {
    /// The schemes from 0x0001 on, separated by spaces. The first, `-`, stands for the empty scheme.
    private static let text: StaticText = """
        - aaa aaas about acap acct cap cid coap coaps crid data dav dict dns file ftp geo go gopher \
        h323 http https iax icap im imap info ipp ipps iris iris.beep iris.xpc iris.xpcs iris.lwz \
        jabber ldap mailto mid msrp msrps mtqp mupdate news nfs ni nih nntp opaquelocktoken pop pres \
        reload rtsp rtsps rtspu service session shttp sieve sip sips sms snmp soap.beep soap.beeps \
        stun stuns tag tel telnet tftp thismessage tn3270 tip turn turns tv urn vemmi ws wss xcon \
        xcon-userid xmlrpc.beep xmlrpc.beeps xmpp z39.50r z39.50s acr adiumxtra afp afs aim apt \
        attachment aw barion beshare bitcoin bolo callto chrome chrome-extension \
        com-eventbrite-attendee content cvs dlna-playsingle dlna-playcontainer dtn dvb ed2k facetime \
        feed feedready finger fish gg git gizmoproject gtalk ham hcp icon ipn irc irc6 ircs itms jar \
        jms keyparc lastfm ldaps magnet maps market message mms ms-help ms-settings-power msnim \
        mumble mvn notes oid palm paparazzi pkcs11 platform proxy psyc query res resource rmi rsync \
        rtmfp rtmp secondlife sftp sgn skype smb smtp soldat spotify ssh steam submit svn teamspeak \
        teliaeid things udp unreal ut2004 ventrilo view-source webcal wtai wyciwyg xfire xri ymsgr \
        example ms-settings-cloudstorage
        """

    /// The schemes by code, from 0x0001 on; split once, since any report may hold a URI.
    private static let names = text.description.utf8.split(separator: 0x20)

    /// Appends `="` and a URI with its scheme in full.
    static func put(_ octets: RawSpan, into out: inout TextBuffer) {
        out.put("=\"")
        var rest = octets
        if let first = octets.octet(at: 0) {
            // As UTF-8, a code of up to eleven bits takes one or two bytes.
            let second = octets.octet(at: 1) ?? 0
            if first < 0x80 {
                if put(scheme: Int(first), into: &out) { rest = octets.dropping(1) }
            } else if first & 0xE0 == 0xC0, second & 0xC0 == 0x80 {
                let code = Int(first & 0x1F) << 6 | Int(second & 0x3F)
                if put(scheme: code, into: &out) { rest = octets.dropping(2) }
            }
        }
        out.escaped(rest)
        out.put(0x22)
    }

    /// Appends a scheme and its colon; returns false if the code is not assigned.
    private static func put(scheme code: Int, into out: inout TextBuffer) -> Bool {
        guard code > 0 else { return false }
        if code == 1 { return true }
        guard code <= names.count else { return false }
        for octet in names[code - 1] { out.put(octet) }
        out.put(0x3A)
        return true
    }
}
