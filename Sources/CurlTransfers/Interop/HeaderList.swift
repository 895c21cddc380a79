internal import CLibcurl

/// The request's header lines as libcurl wants them; it does not copy the list.
@safe
final class HeaderList {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    /// Makes the list; a line that holds CR, LF or NUL is not taken.
    init(_ lines: [String]) {
        for line in lines where !line.utf8.contains(where: { [0, 10, 13].contains($0) }) {
            guard let longer = unsafe curl_slist_append(pointer, line) else { continue }
            unsafe pointer = longer
        }
    }

    deinit {
        unsafe curl_slist_free_all(pointer)
    }
}
