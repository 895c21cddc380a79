private import Dispatch
internal import EventLoops
internal import Foundation

// MARK: - Looking

extension ResponseCache {
    /// What is there for a request.
    enum Presence {
        case nothing
        case inMemory(StoredEntry)
        /// The folder has to be looked into.
        case onDisk
    }

    /// Looks for a response without touching the disk; any thread.
    func look(_ key: CacheKey, _ fields: RequestFields, _ codings: AcceptedCodings) -> Presence {
        state.withLock { state in
            let found = state.memory.names(of: key).compactMap { name in
                state.memory.item(name).map { (name, $0) }
            }
            let fitting = found.filter {
                $0.1.response.url == key.url && $0.1.response.answers(fields, codings)
            }
            let newest = fitting.max { $0.1.response.responseTime < $1.1.response.responseTime }
            if let (name, item) = newest {
                state.memory.use(name)
                state.disk.use(name)
                let body = StoredBody.memory(item.body)
                return .inMemory(StoredEntry(name: name, response: item.response, body: body))
            }
            return state.disk.names(of: key).isEmpty ? .nothing : .onDisk
        }
    }

    /// Looks for a response in the folder; on the cache's queue.
    ///
    /// A file that is damaged goes.
    func read(
        _ key: CacheKey,
        _ fields: RequestFields,
        _ codings: AcceptedCodings
    ) -> StoredEntry? {
        guard let folder else { return nil }
        let names = state.withLock { $0.disk.names(of: key) }
        var fitting: [(EntryName, CacheFile)] = []
        for name in names {
            // The name is that of the URL: a file that says another one is damaged, too.
            guard let file = CacheFile(folder.path(of: name.fileName)),
                file.response.url == key.url
            else {
                removeDamaged(name)
                continue
            }
            if file.response.answers(fields, codings) { fitting.append((name, file)) }
        }
        fitting.sort { $0.1.response.responseTime > $1.1.response.responseTime }
        for (name, file) in fitting {
            guard let body = file.verifiedBody(inMemoryUpTo: mostBytesInMemory) else {
                removeDamaged(name)
                continue
            }
            let entry = StoredEntry(name: name, response: file.response, body: body)
            wasRead(entry)
            return entry
        }
        return nil
    }

    /// The same from any thread; the entry comes on the cache's queue.
    func read(
        _ key: CacheKey,
        _ fields: RequestFields,
        _ codings: AcceptedCodings,
        then proceed: @escaping @Sendable (StoredEntry?) -> Void
    ) {
        queue.async { proceed(self.read(key, fields, codings)) }
    }

    private func wasRead(_ entry: StoredEntry) {
        state.withLock { state in
            // It may have been taken out since.
            guard state.disk.item(entry.name) != nil else { return }
            state.disk.use(entry.name)
            if case .memory(let bytes) = entry.body {
                let item = MemoryItem(response: entry.response, body: bytes)
                _ = state.memory.put(item, size: item.size, as: entry.name)
            }
        }
    }

    private func removeDamaged(_ name: EntryName) {
        _ = state.withLock { $0.disk.remove(name) }
        folder?.remove(name.fileName)
    }
}

// MARK: - Changing

extension ResponseCache {
    /// Keeps a response whose body is in memory; any thread.
    func store(
        _ response: StoredResponse,
        _ body: [UInt8],
        _ key: CacheKey,
        isInMemoryOnly: Bool = false
    ) {
        let item = MemoryItem(response: response, body: body)
        guard item.size <= mostBytes else { return remove(key, replacedBy: response) }
        let name = EntryName(key, response.vary)
        let (gone, isOnDisk) = state.withLock { state in
            var gone = Self.removeReplaced(&state, key, by: response)
            if item.size <= mostBytesInMemory {
                _ = state.memory.put(item, size: item.size, as: name)
            }
            guard folder != nil, !isInMemoryOnly else { return (gone, false) }
            let size = CacheFileLayout(response, bodyLength: body.count).fileLength
            gone += state.disk.put(true, size: size, as: name)
            return (gone.filter { $0 != name }, true)
        }
        removeFiles(gone)
        guard isOnDisk, let folder else { return }
        queue.async {
            self.write(name) { () throws(FileError) in
                let writer = try CacheFileWriter(folder, response)
                try writer.append(body)
                try writer.finish(as: name)
            }
        }
    }

    /// Keeps a response whose body was written to a file meanwhile; any thread.
    func store(_ response: StoredResponse, _ spill: BodySpill, bodyLength: Int, _ key: CacheKey) {
        let name = EntryName(key, response.vary)
        let size = CacheFileLayout(response, bodyLength: bodyLength).fileLength
        let gone = state.withLock { state in
            Self.removeReplaced(&state, key, by: response)
                + state.disk.put(true, size: size, as: name)
        }
        removeFiles(gone)
        queue.async {
            self.write(name) { () throws(FileError) in try spill.finish(as: name) }
        }
    }

    /// Puts a newer head in the place of an entry's own, if the entry is still there; any thread.
    func update(_ entry: StoredEntry, to response: StoredResponse) {
        let isOnDisk = state.withLock { state in
            if let item = state.memory.item(entry.name) {
                let newer = MemoryItem(response: response, body: item.body)
                _ = state.memory.put(newer, size: newer.size, as: entry.name)
            }
            return state.disk.item(entry.name) != nil
        }
        guard isOnDisk, let folder else { return }
        queue.async {
            guard self.state.withLock({ $0.disk.item(entry.name) != nil }) else { return }
            self.write(entry.name) { () throws(FileError) in
                let writer = try CacheFileWriter(folder, response)
                try entry.body.forEachBlock { (block) throws(FileError) in try writer.append(block)
                }
                try writer.finish(as: entry.name)
            }
        }
    }

    /// Takes out every variant of a URL; any thread.
    func remove(_ key: CacheKey) {
        let names = state.withLock { state in
            for name in state.memory.names(of: key) { state.memory.remove(name) }
            let names = state.disk.names(of: key)
            for name in names { state.disk.remove(name) }
            return names
        }
        removeFiles(names)
    }

    /// A response that can't be kept takes out the one that it would have replaced.
    func remove(_ key: CacheKey, replacedBy response: StoredResponse) {
        removeFiles(state.withLock { Self.removeReplaced(&$0, key, by: response) })
    }

    private static func removeReplaced(
        _ state: inout State,
        _ key: CacheKey,
        by response: StoredResponse
    ) -> [EntryName] {
        let name = EntryName(key, response.vary)
        state.memory.remove(name)
        return state.disk.remove(name) == nil ? [] : [name]
    }

    func removeFiles(_ names: [EntryName]) {
        guard !names.isEmpty, let folder else { return }
        // After what was asked for before: it may be their writing.
        queue.async { for name in names { folder.remove(name.fileName) } }
    }
}

// MARK: - The folder

extension ResponseCache {
    /// After how many files the folder is listed again: another program may have put some there.
    private static let writesBetweenLooks = 64

    /// Writes one file, and remembers what went wrong; on the cache's queue.
    private func write(_ name: EntryName, _ body: () throws(FileError) -> Void) {
        do throws(FileError) {
            try body()
            let isLookDue = state.withLock { state in
                state.diskError = nil
                state.writes += 1
                return state.writes % Self.writesBetweenLooks == 0
            }
            if isLookDue, let folder { lookIntoFolder(folder) }
        } catch {
            folder?.remove(name.fileName)
            let number = error.number
            state.withLock { state in
                state.diskError = number
                state.disk.remove(name)
            }
        }
    }

    /// Learns of files that are there, those that were used last as the last.
    func lookIntoFolder(_ folder: CacheFolder) {
        let entries = folder.entries().sorted { $0.time < $1.time }
        let gone = state.withLock { state in
            entries.flatMap { entry -> [EntryName] in
                guard let name = EntryName(fileName: entry.name), state.disk.item(name) == nil
                else { return [] }
                return state.disk.put(true, size: entry.size, as: name)
            }
        }
        for name in gone { folder.remove(name.fileName) }
    }
}

extension ResponseCache.MemoryItem {
    /// How much memory it takes, about; what belongs to each entry is not forgotten.
    var size: Int {
        let head = response.head.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        return body.count + head + response.url.utf8.count + 512
    }
}

extension StoredBody {
    /// Reads the body block by block.
    ///
    /// - Throws: ``FileError`` when it can't be read any more.
    func forEachBlock(_ body: ([UInt8]) throws(FileError) -> Void) throws(FileError) {
        switch self {
        case .memory(let bytes):
            try body(bytes)
        case .file(let file, let place, let count):
            var done = 0
            while done < count {
                let block = try file.read(
                    min(CacheFile.block, count - done),
                    at: place + Int64(done)
                )
                guard !block.isEmpty else { throw FileError(number: 0) }
                try body(block)
                done += block.count
            }
        }
    }
}
