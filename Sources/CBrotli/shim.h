// What Swift sees of Brotli: its decoder.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <brotli/decode.h>
