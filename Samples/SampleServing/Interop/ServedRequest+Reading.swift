private import CLibevent

// MARK: - What was asked

extension ServedRequest {
    /// Reads the request, with its body; nil for a method that no route answers.
    static func read(_ request: OpaquePointer) -> Request? {
        guard let method = unsafe method(of: request),
            let uri = unsafe evhttp_request_get_evhttp_uri(request)
        else { return nil }
        return Request(
            method: method,
            path: unsafe evhttp_uri_get_path(uri).map { unsafe String(cString: $0) } ?? "/",
            query: unsafe evhttp_uri_get_query(uri).map { unsafe String(cString: $0) } ?? "",
            headers: unsafe headers(of: request),
            body: unsafe body(of: request)
        )
    }

    /// The methods that evhttp is to let through, as its bits.
    static var allowedMethods: UInt16 {
        let methods = [
            EVHTTP_REQ_GET, EVHTTP_REQ_HEAD, EVHTTP_REQ_POST, EVHTTP_REQ_PUT, EVHTTP_REQ_DELETE,
            EVHTTP_REQ_OPTIONS, EVHTTP_REQ_PATCH,
        ]
        return methods.reduce(0) { $0 | UInt16($1.rawValue) }
    }

    private static func method(of request: OpaquePointer) -> Request.Method? {
        switch unsafe evhttp_request_get_command(request) {
        case EVHTTP_REQ_GET: .get
        case EVHTTP_REQ_HEAD: .head
        case EVHTTP_REQ_POST: .post
        case EVHTTP_REQ_PUT: .put
        case EVHTTP_REQ_DELETE: .delete
        case EVHTTP_REQ_OPTIONS: .options
        case EVHTTP_REQ_PATCH: .patch
        default: nil
        }
    }

    private static func headers(of request: OpaquePointer) -> [Answer.Header] {
        var headers: [Answer.Header] = []
        var field = unsafe evhttp_request_get_input_headers(request)?.pointee.tqh_first
        while let pair = unsafe field?.pointee {
            let name = unsafe String(cString: pair.key)
            headers.append(Answer.Header(name, unsafe String(cString: pair.value)))
            unsafe field = pair.next.tqe_next
        }
        return headers
    }

    private static func body(of request: OpaquePointer) -> [UInt8] {
        guard let buffer = unsafe evhttp_request_get_input_buffer(request) else { return [] }
        let length = unsafe evbuffer_get_length(buffer)
        // All empty arrays are one, and its count would be written to: the thread sanitizer sees a race.
        guard length > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: length) { bytes, count in
            count = Int(unsafe max(0, evbuffer_remove(buffer, bytes.baseAddress, length)))
        }
    }
}
