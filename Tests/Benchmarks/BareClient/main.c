// The bare C client: libcurl's multi-socket interface on libevent, and nothing above them.
//
// It is what the benchmarks compare with, since no program on the same two libraries can do less:
//
//     BareClient download URL FILE           one URL to a file
//     BareClient many URL COUNT CONCURRENCY  one URL again and again, so many at once
//
// One JSON line at the end. In the environment, for the tuned form:
//
//     BUFFER=BYTES   CURLOPT_BUFFERSIZE
//     GATHER=BYTES   how many bytes go into one write(2) of a download
//     LAZY=1         interest in a socket is kept between requests
//     CAFILE=FILE    whom to trust

#define _GNU_SOURCE
#include <curl/curl.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct watched {
    struct event *event;
    int interest;
};

static struct event_base *base;
static CURLM *multi;
static struct event *timer;
static struct watched *sockets;
static int socket_count;
static int is_lazy;

static const char *url, *authorities;
static long buffer_size;
static long started, finished, failed, total;
static long long bytes, messages;

static int output = -1;
static char *gathered;
static size_t gathered_count, gather_size;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what) {
    fprintf(stderr, "BareClient: %s\n", what);
    exit(1);
}

// What comes

static void write_all(const char *data, size_t count) {
    while (count > 0) {
        ssize_t written = write(output, data, count);
        if (written < 0) {
            perror("write");
            exit(1);
        }
        data += written;
        count -= (size_t)written;
    }
}

static void write_gathered(void) {
    write_all(gathered, gathered_count);
    gathered_count = 0;
}

static size_t received(char *data, size_t size, size_t count, void *context) {
    (void)context;
    count *= size;
    bytes += (long long)count;
    messages += 1;
    if (output < 0) return count;
    if (gather_size == 0) {
        write_all(data, count);
        return count;
    }
    if (gathered_count + count > gather_size) write_gathered();
    memcpy(gathered + gathered_count, data, count);
    gathered_count += count;
    return count;
}

// Transfers

static void start(CURL *easy) {
    started += 1;
    if (curl_multi_add_handle(multi, easy) != CURLM_OK) fail("curl_multi_add_handle");
}

static int closed(void *context, curl_socket_t socket) {
    (void)context;
    if (socket < socket_count && sockets[socket].event != NULL) {
        event_free(sockets[socket].event);
        sockets[socket].event = NULL;
    }
    return close(socket);
}

static CURL *make(void) {
    CURL *easy = curl_easy_init();
    if (easy == NULL) fail("curl_easy_init");
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, received);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    if (authorities != NULL) curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
    if (buffer_size > 0) curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, buffer_size);
    if (is_lazy) curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, closed);
    return easy;
}

static void drain(void) {
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL *easy = message->easy_handle;
        long status = 0;
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        if (message->data.result == CURLE_OK && status == 200) {
            finished += 1;
        } else {
            failed += 1;
        }
        curl_multi_remove_handle(multi, easy);
        if (started < total) {
            start(easy);
        } else {
            curl_easy_cleanup(easy);
        }
    }
    if (finished + failed == total) event_base_loopbreak(base);
}

// The loop's side

static void ready(evutil_socket_t socket, short what, void *context) {
    (void)context;
    struct watched *watched = &sockets[socket];
    if (is_lazy && watched->interest == 0) {
        // The server has closed a connection that nobody uses.
        event_free(watched->event);
        watched->event = NULL;
        return;
    }
    int running;
    int mask = (what & EV_READ ? CURL_CSELECT_IN : 0) | (what & EV_WRITE ? CURL_CSELECT_OUT : 0);
    curl_multi_socket_action(multi, socket, mask, &running);
    drain();
}

static void timed_out(evutil_socket_t socket, short what, void *context) {
    (void)socket, (void)what, (void)context;
    int running;
    curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    drain();
}

static int interest_changed(CURL *easy, curl_socket_t socket, int what, void *context, void *own) {
    (void)easy, (void)context, (void)own;
    if (socket >= socket_count) {
        int count = socket * 2 + 64;
        sockets = realloc(sockets, sizeof(*sockets) * (size_t)count);
        if (sockets == NULL) fail("no memory");
        memset(sockets + socket_count, 0, sizeof(*sockets) * (size_t)(count - socket_count));
        socket_count = count;
    }
    struct watched *watched = &sockets[socket];
    if (what == CURL_POLL_REMOVE) {
        if (is_lazy) {
            watched->interest = 0;
        } else if (watched->event != NULL) {
            event_free(watched->event);
            watched->event = NULL;
        }
        return 0;
    }
    short kind = (short)((what & CURL_POLL_IN ? EV_READ : 0) | (what & CURL_POLL_OUT ? EV_WRITE : 0) |
                         EV_PERSIST);
    if (watched->event != NULL) {
        if (is_lazy && event_get_events(watched->event) == kind) {
            watched->interest = kind;
            return 0;
        }
        event_free(watched->event);
    }
    watched->event = event_new(base, socket, kind, ready, NULL);
    watched->interest = kind;
    event_add(watched->event, NULL);
    return 0;
}

static int timer_changed(CURLM *handle, long milliseconds, void *context) {
    (void)handle, (void)context;
    if (milliseconds < 0) {
        evtimer_del(timer);
        return 0;
    }
    struct timeval time = {milliseconds / 1000, (milliseconds % 1000) * 1000};
    evtimer_add(timer, &time);
    return 0;
}

int main(int count, char **arguments) {
    long concurrency = 1;
    if (count == 4 && strcmp(arguments[1], "download") == 0) {
        total = 1;
        if (strcmp(arguments[3], "-") != 0) {
            output = open(arguments[3], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
            if (output < 0) {
                perror(arguments[3]);
                return 1;
            }
        }
    } else if (count == 5 && strcmp(arguments[1], "many") == 0) {
        total = atol(arguments[3]);
        concurrency = atol(arguments[4]);
    } else {
        fprintf(stderr, "usage: BareClient download URL FILE|- | many URL COUNT CONCURRENCY\n");
        return 64;
    }
    url = arguments[2];
    authorities = getenv("CAFILE");
    is_lazy = getenv("LAZY") != NULL;
    if (getenv("BUFFER") != NULL) buffer_size = atol(getenv("BUFFER"));
    if (getenv("GATHER") != NULL) {
        gather_size = (size_t)atol(getenv("GATHER"));
        gathered = malloc(gather_size);
    }

    double begin = now();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    base = event_base_new();
    multi = curl_multi_init();
    timer = evtimer_new(base, timed_out, NULL);
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, interest_changed);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_changed);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, concurrency);

    for (long index = 0; index < concurrency && index < total; index += 1) start(make());
    event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
    if (gathered_count > 0) write_gathered();
    if (output >= 0) close(output);
    double seconds = now() - begin;

    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "{\"bytes\":%lld,\"seconds\":%.6f,\"user\":%.6f,\"system\":%.6f,\"maxrss\":%ld,"
        "\"messages\":%lld,\"finished\":%ld,\"failed\":%ld}\n",
        bytes, seconds, usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6,
        usage.ru_stime.tv_sec + usage.ru_stime.tv_usec / 1e6, usage.ru_maxrss, messages, finished,
        failed);
    curl_multi_cleanup(multi);
    event_free(timer);
    event_base_free(base);
    return failed == 0 ? 0 : 1;
}
