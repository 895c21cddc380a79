import Foundation
import FoundationNetworking
import Testing

@testable import RunLoopNetworking

@Suite("The shelf of a cache", .timeLimit(.minutes(1)))
struct CacheShelfTests {
    private func name(_ path: String, variant: Int = 0) throws -> (CacheKey, EntryName) {
        let key = CacheKey(try #require(URL(string: "http://a.test/\(path)")))
        let digest = String(repeating: String(variant, radix: 16), count: 64)
        return (key, EntryName(key, VarySelection(names: [], digest: digest)))
    }

    @Test("What was not used for longest makes room")
    func order() throws {
        var shelf = CacheShelf<Int>(capacity: 30)
        for (number, path) in ["a", "b", "c"].enumerated() {
            #expect(shelf.put(number, size: 10, as: try name(path).1).isEmpty)
        }
        shelf.use(try name("a").1)
        #expect(shelf.put(3, size: 15, as: try name("d").1) == [try name("b").1, try name("c").1])
        #expect(shelf.usage == 25)
        #expect(shelf.item(try name("a").1) == 0)
        #expect(shelf.item(try name("b").1) == nil)
    }

    @Test("One with the same name takes its place, and one that was taken out is forgotten")
    func replaced() throws {
        var shelf = CacheShelf<Int>(capacity: 30)
        let (key, name) = try name("a")
        _ = shelf.put(1, size: 10, as: name)
        _ = shelf.put(2, size: 20, as: name)
        #expect(shelf.usage == 20)
        #expect(shelf.names(of: key) == [name])
        #expect(shelf.remove(name) == 2)
        #expect(shelf.usage == 0)
        #expect(shelf.names(of: key).isEmpty)
        #expect(shelf.put(3, size: 30, as: name).isEmpty)
    }

    @Test("One URL has a bounded number of variants")
    func variants() throws {
        var shelf = CacheShelf<Int>(capacity: 1000)
        for variant in 0..<16 { _ = shelf.put(0, size: 1, as: try name("a", variant: variant).1) }
        let (key, other) = try name("a", variant: 16)
        #expect(shelf.put(0, size: 1, as: other) == [try name("a", variant: 0).1])
        #expect(shelf.names(of: key).count == 16)
    }

    @Test("More than fits leaves nothing")
    func tooLarge() throws {
        var shelf = CacheShelf<Int>(capacity: 10)
        let name = try name("a").1
        #expect(shelf.put(0, size: 11, as: name) == [name])
        #expect(shelf.usage == 0)
    }

    @Test("The order of use goes on over removals")
    func useOrder() {
        var order = UseOrder<Int>()
        for number in 1...4 { order.use(number) }
        order.use(1)
        order.remove(3)
        order.remove(9)
        var seen: [Int] = []
        while let oldest = order.oldest {
            seen.append(oldest)
            order.remove(oldest)
        }
        #expect(seen == [2, 4, 1])
    }

    @Test("The name of a file is read back, and no other file's")
    func fileNames() throws {
        let name = try name("a").1
        #expect(EntryName(fileName: name.fileName) == name)
        for other in ["", "x.response", "\(name.fileName)x", "../\(name.fileName)"] {
            #expect(EntryName(fileName: other) == nil)
        }
    }
}
