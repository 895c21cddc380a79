// What Swift sees of zlib: gzip and deflate.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <zlib.h>

// inflateInit2 is a macro, which Swift can't see.
static inline __attribute__((always_inline)) int shim_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}
