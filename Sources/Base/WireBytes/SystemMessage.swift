import Glibc

/// The system's texts of its error numbers.
public enum SystemMessage {
    /// Returns the text of an errno.
    public static func text(_ code: Int32) -> String {
        // Safe: strerror returns a string terminated by a zero, which is read before any other call.
        unsafe strerror(code).map { unsafe String(cString: $0) } ?? "errno \(code)"
    }
}
