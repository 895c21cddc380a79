/// The observers of a loop's connections, in the order in which they are told.
///
/// Two lists are equal when the same objects stand in them. They are kept alive.
public struct ConnectionObservers: Sendable, Equatable, ExpressibleByArrayLiteral {
    let list: [any ConnectionObserver]

    /// Makes a list.
    public init(_ observers: [any ConnectionObserver]) {
        list = observers
    }

    /// Makes a list.
    public init(arrayLiteral observers: any ConnectionObserver...) {
        list = observers
    }

    /// Compares which objects they are.
    public static func == (one: Self, other: Self) -> Bool {
        one.list.elementsEqual(other.list) { $0 === $1 }
    }
}
