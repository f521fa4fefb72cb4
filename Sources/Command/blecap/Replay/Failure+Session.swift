import Replay

extension SessionModel.Failure {
    var text: String {
        switch self {
        case .noAdapter: "it holds no record of an adapter, so no session"
        case .unknownAdapter(let number): "it holds no record of adapter \(number)"
        }
    }
}
