import Foundation

extension NSObject {
    /// Formats an object like Apple's, without its memory address: the same in each run.
    func described(_ parts: (String, Any?)...) -> String {
        let name = String(describing: type(of: self))
        return "<\(name): "
            + parts.map { "\($0.0) = \($0.1.map { "\($0)" } ?? "(null)")" }.joined(separator: ", ") + ">"
    }
}

extension Bool {
    /// The value as Objective-C prints it.
    var yesOrNo: String { self ? "YES" : "NO" }
}

extension _CVarArgObject where Self: NSObject {
    public var _cVarArgObject: any CVarArg { NSString(string: description) }
    public var _cVarArgEncoding: [Int] { NSString(string: description)._cVarArgEncoding }
}

// For `NSLog("%@", peripheral)` and `String(format:)`.
extension CBPeer: _CVarArgObject {}
extension CBManager: _CVarArgObject {}
extension CBAttribute: _CVarArgObject {}
extension CBATTRequest: _CVarArgObject {}
extension CBUUID: _CVarArgObject {}
