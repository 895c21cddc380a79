// What Swift sees of libevent 2.1, the wake-up descriptor of Linux, the name of a thread,
// and the send queue of a socket.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <linux/sockios.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

// prctl is variadic, and Swift can call no variadic C function. The kernel keeps 15 bytes.
static inline void shim_thread_setName(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}

// ioctl is variadic as well. How many bytes the peer's kernel has not acknowledged; 0 when the
// socket has no peer any more.
static inline int shim_socket_countUnacknowledged(int descriptor) {
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : 0;
}
