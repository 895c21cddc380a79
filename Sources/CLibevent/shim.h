// What Swift sees of libevent 2.1, the wake-up descriptor of Linux, and the name of a thread.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

// prctl is variadic, and Swift can call no variadic C function. The kernel keeps 15 bytes.
static inline void shim_thread_setName(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
