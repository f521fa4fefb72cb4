extension ReplayReport {
    /// The frame that the verdict concerns; nil if there isn't a single one.
    public var frame: Int? {
        let frames: [Int?] =
            switch verdict {
            case .diverged(let divergence):
                [divergence.told?.frame, divergence.expected?.frame, divergence.nearest?.frame]
                    + divergence.before.reversed().map(\.frame)
            case .stuck(let stuck): [stuck.expected?.frame] + stuck.before.reversed().map(\.frame)
            case .partlySame(let obstacles), .notReplayable(let obstacles): obstacles.map(\.frame)
            case .same, .unfinished: []
            }
        return frames.compactMap(\.self).first { $0 > 0 }
    }
}
