/// Names in the order in which they were last used; each step takes the same time, however many.
struct UseOrder<Name: Hashable & Sendable>: Sendable {
    private struct Links {
        var older: Name?
        var newer: Name?
    }

    private var links: [Name: Links] = [:]
    private var newest: Name?

    /// The name that was not used for the longest time.
    private(set) var oldest: Name?

    /// Puts a name, which may be new, in the place of the one that was used last.
    mutating func use(_ name: Name) {
        remove(name)
        links[name] = Links(older: newest, newer: nil)
        if let newest { links[newest]?.newer = name } else { oldest = name }
        newest = name
    }

    /// Takes a name out.
    mutating func remove(_ name: Name) {
        guard let old = links.removeValue(forKey: name) else { return }
        if let older = old.older { links[older]?.newer = old.newer } else { oldest = old.newer }
        if let newer = old.newer { links[newer]?.older = old.older } else { newest = old.older }
    }
}
