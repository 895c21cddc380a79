// What Swift sees of libcurl.
//
// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, and Swift can call no
// variadic C function. One shim for each type of argument, so that the compiler checks it.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <curl/curl.h>
#include <malloc.h>

// The type checks of curl's own header are macros of the same names as the functions.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define SHIM static inline __attribute__((always_inline))

// Macros with a cast in them, which Swift can't read.

static const long shim_auth_basic = CURLAUTH_BASIC;
static const long shim_auth_digest = CURLAUTH_DIGEST;
static const long shim_auth_ntlm = CURLAUTH_NTLM;
static const long shim_auth_negotiate = CURLAUTH_NEGOTIATE;
static const long shim_auth_ofProxies =
    CURLAUTH_BASIC | CURLAUTH_DIGEST | CURLAUTH_NTLM | CURLAUTH_NEGOTIATE;

// Options of an easy handle, by the type of their argument.

SHIM CURLcode shim_easy_setLong(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

SHIM CURLcode shim_easy_setOffset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

SHIM CURLcode shim_easy_setString(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

SHIM CURLcode shim_easy_setPointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

SHIM CURLcode shim_easy_setList(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl keeps a copy of the bytes.
SHIM CURLcode shim_easy_setBlob(
    CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

// Callbacks of an easy handle, by their shape.

typedef size_t (*shim_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*shim_opensocket_callback)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*shim_closesocket_callback)(void *context, curl_socket_t socket);
typedef int (*shim_prereq_callback)(
    void *context, char *remote, char *local, int remote_port, int local_port);
typedef int (*shim_resolver_callback)(void *resolver, void *reserved, void *context);
typedef int (*shim_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*shim_progress_callback)(
    void *context, curl_off_t dltotal, curl_off_t dlnow, curl_off_t ultotal, curl_off_t ulnow);

SHIM CURLcode shim_easy_setDataCallback(
    CURL *easy, CURLoption option, shim_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

SHIM CURLcode shim_easy_setOpenSocketCallback(CURL *easy, shim_opensocket_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

SHIM CURLcode shim_easy_setPreRequestCallback(CURL *easy, shim_prereq_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

SHIM CURLcode shim_easy_setResolverStartCallback(CURL *easy, shim_resolver_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callback);
}

SHIM CURLcode shim_easy_setSeekCallback(CURL *easy, shim_seek_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

SHIM CURLcode shim_easy_setProgressCallback(CURL *easy, shim_progress_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
}

SHIM CURLcode shim_easy_setTLSContextCallback(CURL *easy, curl_ssl_ctx_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
}

// What an easy handle knows after (and during) a transfer.

SHIM CURLcode shim_easy_getLong(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

SHIM CURLcode shim_easy_getOffset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

SHIM CURLcode shim_easy_getSocket(CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

SHIM CURLcode shim_easy_getPointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

// Options and callbacks of a multi handle.

SHIM CURLMcode shim_multi_setLong(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

SHIM CURLMcode shim_multi_setPointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}

SHIM CURLMcode shim_multi_setSocketCallback(CURLM *multi, curl_socket_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

SHIM CURLMcode shim_multi_setTimerCallback(CURLM *multi, curl_multi_timer_callback callback) {
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

// A finished transfer's result stands in a union that Swift sees as two overlapping fields.

SHIM CURLcode shim_message_result(const CURLMsg *message) {
    return message->data.result;
}

// Memory that libcurl and others have freed goes back to the system, as far as whole pages are free.
// Not every C library has it; where it is missing, nothing happens.
SHIM void shim_memory_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#undef SHIM
