// What Swift sees of libpsl: which domains are public suffixes. libcurl has it as well.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <libpsl.h>
