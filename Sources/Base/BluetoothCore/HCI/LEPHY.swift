extension LEPHY {
    /// The set that contains only this PHY.
    public var mask: LEPHYs { (1...3).contains(rawValue) ? LEPHYs(rawValue: 1 << (rawValue - 1)) : [] }
}
