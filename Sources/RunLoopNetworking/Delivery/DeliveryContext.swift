/// Something that can be asked to empty a mailbox on the thread or queue it stands for.
protocol DeliveryContext: AnyObject, Sendable {
    /// Sees to it that `drain` runs there soon, once; any thread.
    func enqueue(_ drain: @escaping @Sendable () -> Void)
}
