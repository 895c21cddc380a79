import NetworkingTestKit

/// Whether this machine has ::1.
enum SixthLoopback {
    static let exists: Bool = {
        do {
            try ScriptedServer(on: .v6) { _ in [] }.stop()
            return true
        } catch {
            return false
        }
    }()
}
