/// Kept responses up to so many bytes; those that were not used for longest make room for others.
///
/// What an item is, is the owner's affair: a body in memory, or the knowledge that there is a file.
struct CacheShelf<Item: Sendable>: Sendable {
    private struct Slot {
        let item: Item
        let size: Int
    }

    /// How many variants of one URL are kept.
    private static var mostVariants: Int { 16 }

    /// How many bytes there may be.
    let capacity: Int

    /// How many bytes there are.
    private(set) var usage = 0

    private var slots: [EntryName: Slot] = [:]
    private var variants: [String: [EntryName]] = [:]
    private var order = UseOrder<EntryName>()

    /// Makes an empty shelf.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The names of what is kept of a URL, the newest last.
    func names(of key: CacheKey) -> [EntryName] { variants[key.digest] ?? [] }

    /// What is kept under a name.
    func item(_ name: EntryName) -> Item? { slots[name]?.item }

    /// Every name that is there.
    var names: [EntryName] { Array(slots.keys) }

    /// Keeps an item in the place of one with its name; returns the names that had to go.
    mutating func put(_ item: Item, size: Int, as name: EntryName) -> [EntryName] {
        remove(name)
        slots[name] = Slot(item: item, size: size)
        usage += size
        order.use(name)
        variants[name.key, default: []].append(name)
        var gone: [EntryName] = []
        if let names = variants[name.key], names.count > Self.mostVariants {
            gone += names.prefix(names.count - Self.mostVariants)
        }
        for name in gone { remove(name) }
        while usage > capacity, let oldest = order.oldest {
            remove(oldest)
            gone.append(oldest)
        }
        return gone
    }

    /// Says that an item was used.
    mutating func use(_ name: EntryName) {
        if slots[name] != nil { order.use(name) }
    }

    /// Takes an item out.
    @discardableResult
    mutating func remove(_ name: EntryName) -> Item? {
        guard let slot = slots.removeValue(forKey: name) else { return nil }
        usage -= slot.size
        order.remove(name)
        variants[name.key]?.removeAll { $0 == name }
        if variants[name.key]?.isEmpty == true { variants[name.key] = nil }
        return slot.item
    }
}
