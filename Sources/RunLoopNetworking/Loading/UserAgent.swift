internal import Foundation

/// What a request says of the program that sends it, unless its owner says something else.
enum UserAgent {
    static let ours = "\(ProcessInfo.processInfo.processName) RunLoopNetworking"
}
