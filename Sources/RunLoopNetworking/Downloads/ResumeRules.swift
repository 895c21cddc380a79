internal import FoundationNetworking

/// Decides how a download goes on from what is on the disk, and what a response's body is good for.
///
/// Bytes are put together only if nothing speaks against their being of one version of the file.
///
/// - SeeAlso: RFC 9110 sections 13.1.5, 14 and 15.3.7.
struct ResumeRules: Equatable, Sendable {
    /// The part of the file that is on the disk.
    struct Present: Equatable, Sendable {
        /// How many bytes there are from the beginning.
        let length: Int64

        /// The length of the whole file, if a response has said it.
        let total: Int64?

        /// Which version of the file it is.
        let validators: Validators
    }

    /// What to do with a response.
    enum Action: Equatable {
        /// Drop what the file has beyond the start of this body, and write it there.
        case append(ExpectedBody)
        /// Empty the file, and write this body, which is the file from its beginning.
        case startAgain(ExpectedBody)
        /// The body is of no use, nor is what is on the disk: drop both, and ask for the whole.
        case askForWhole
        /// What is on the disk is the whole file.
        case complete(length: Int64)
        /// The body is of no use; keep what is on the disk.
        case fail(Failure)
    }

    /// Nil when there is nothing to go on from.
    let present: Present?

    /// The parts that the caller asked for in place of the whole file; it is loaded from its beginning.
    let wanted: ByteRangeSet?

    /// Whether to begin again rather than to go on without a validator that is certain.
    let needsStrongValidator: Bool

    init(
        present: Present? = nil,
        wanted: ByteRangeSet? = nil,
        needsStrongValidator: Bool = false
    ) {
        self.present = present
        self.wanted = wanted
        self.needsStrongValidator = needsStrongValidator
    }

    /// The offset from which the rest is asked for; nil when the whole is.
    var offset: Int64? {
        guard let present, present.length > 0, wanted == nil else { return nil }
        return needsStrongValidator && present.validators.ifRange == nil ? nil : present.length
    }

    /// The fields that the request needs, by name.
    ///
    /// Offsets count coded bytes, so that a coding would have to be the same each time: none is asked for.
    var requestFields: [String: String] {
        var fields = ["Accept-Encoding": "identity"]
        fields["Range"] = offset.map { ByteRangeSet(.from($0)).fieldValue } ?? wanted?.fieldValue
        if offset != nil { fields["If-Range"] = present?.validators.ifRange }
        return fields
    }

    /// Decides about a response by its head.
    func action(for head: HeaderBlock) -> Action {
        switch head.statusCode {
        case 206:
            return partial(head)
        case 204, 205:
            let isWhole = offset == nil
            return isWhole
                ? .startAgain(ExpectedBody(start: 0, end: 0, total: 0))
                : .fail(Failure(status: head.statusCode))
        case 200...299:
            return whole(head)
        case 416 where offset != nil:
            return notSatisfiable(head)
        case 304, 412:
            // Only conditions of ours, or of the caller, can have this effect.
            return offset == nil ? .fail(Failure(status: head.statusCode)) : .askForWhole
        default:
            return .fail(Failure(status: head.statusCode))
        }
    }
}

// MARK: - One status at a time

extension ResumeRules {
    private func whole(_ head: HeaderBlock) -> Action {
        do throws(HeaderError) {
            let length = try head.announcedLength()
            return .startAgain(ExpectedBody(start: 0, end: length, total: length))
        } catch {
            return .fail(Failure(error))
        }
    }

    private func partial(_ head: HeaderBlock) -> Action {
        if let wanted { return wantedPart(head, wanted) }
        let part = Self.part(head)
        guard let offset, let present else {
            // Nobody asked for a part. Its beginning is one to go on from, if it says how much is missing.
            guard let part, part.start == 0, part.total != nil else { return .fail(.unaskedPart) }
            return .startAgain(part)
        }
        guard let part, part.start <= offset, !hasCoding(head),
            !present.validators.contradict(Validators(head)),
            present.total == nil || part.total == nil || present.total == part.total
        else { return .askForWhole }
        // A server that does not say it again is asked for the same file.
        let total = part.total ?? present.total
        guard part.end ?? 0 <= total ?? .max else { return .askForWhole }
        return .append(ExpectedBody(start: part.start, end: part.end, total: total))
    }

    /// The part that the caller asked for becomes a file of its own.
    private func wantedPart(_ head: HeaderBlock, _ wanted: ByteRangeSet) -> Action {
        guard wanted.ranges.count == 1 else { return whole(head) }
        guard let range = Self.contentRange(head), let offsets = range.offsets,
            let count = range.count,
            range.total.map({ wanted.offsets(inFileOf: $0) == [offsets] }) ?? true,
            wanted.ranges[0].mayBeAnswered(by: offsets)
        else { return .fail(.otherPart) }
        return .startAgain(ExpectedBody(start: 0, end: count, total: count))
    }

    private func notSatisfiable(_ head: HeaderBlock) -> Action {
        guard let present, let range = Self.contentRange(head), range.offsets == nil,
            range.total == present.length, (present.total ?? present.length) == present.length,
            !present.validators.contradict(Validators(head))
        else { return .askForWhole }
        return .complete(length: present.length)
    }

    private func hasCoding(_ head: HeaderBlock) -> Bool {
        head.contentCodings.contains { !$0.isEmpty && $0 != "identity" }
    }

    private static func contentRange(_ head: HeaderBlock) -> ContentRange? {
        head.value(for: "Content-Range").flatMap { ContentRange($0) }
    }

    /// The one part that a response carries; nil if it does not say which, or contradicts itself.
    ///
    /// A multipart body has no Content-Range but in its parts, and would bring their heads into the file.
    private static func part(_ head: HeaderBlock) -> ExpectedBody? {
        guard let range = contentRange(head), let offsets = range.offsets, let count = range.count,
            head.mediaType?.mimeType != "multipart/byteranges"
        else { return nil }
        do throws(HeaderError) {
            guard try head.announcedLength() ?? count == count else { return nil }
        } catch {
            return nil
        }
        return ExpectedBody(
            start: offsets.lowerBound,
            end: offsets.upperBound + 1,
            total: range.total
        )
    }
}
