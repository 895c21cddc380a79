// Runs a program and says what it has cost: one JSON line into a file.
//
//     Launcher FIGURES PROGRAM [ARGUMENT ...]
//
// A small process of its own, because a child inherits the peak of its parent's memory in ru_maxrss, and
// the parent here would be an interpreter.

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: Launcher FIGURES PROGRAM [ARGUMENT ...]\n");
        return 64;
    }
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 71;
    }
    if (child == 0) {
        execvp(arguments[2], arguments + 2);
        fprintf(stderr, "%s: %s\n", arguments[2], strerror(errno));
        _exit(127);
    }
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    FILE *figures = fopen(arguments[1], "w");
    if (figures == NULL) {
        perror(arguments[1]);
        return 73;
    }
    fprintf(
        figures,
        "{\"process_seconds\":%.6f,\"user\":%.6f,\"system\":%.6f,\"maxrss_kib\":%ld,\"status\":%d}\n",
        (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec) / 1e9,
        seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss,
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    fclose(figures);
    return 0;
}
