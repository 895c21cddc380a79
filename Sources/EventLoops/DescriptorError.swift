/// The kernel can't watch this descriptor.
///
/// It is closed, or it belongs to a regular file or folder, which is ready at any time
/// (epoll_ctl(2), EPERM).
public struct DescriptorError: Error, Equatable, CustomStringConvertible {
    /// The descriptor that was refused.
    public let descriptor: Int32

    /// What happened and what to do, as a sentence.
    public var description: String {
        "descriptor \(descriptor) can't be watched: open it first, and pass a socket, a pipe or "
            + "another descriptor that can block"
    }
}
