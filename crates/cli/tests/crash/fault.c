/*
 * Makes writing to a database fail. Loaded into the binary with LD_PRELOAD.
 *
 * Calls that write to toolwright.db or its log are counted, with FAULT_SHM also those that write to
 * its shared memory. The one with the number FAULT_AT fails with FAULT_ERROR (a number), and with
 * FAULT_FOR_EVER all after it too. With FAULT_TORN the first of them still writes half of what it
 * was given. The file FAULT_TOLD says that it happened.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

enum verdict { WORKS, TEARS, FAILS };

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int is_database(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return ends_with(path, "/toolwright.db") || ends_with(path, "/toolwright.db-wal") ||
           (getenv("FAULT_SHM") && ends_with(path, "/toolwright.db-shm"));
}

static enum verdict judge(int fd, size_t size) {
    static atomic_long count;
    const char *at = getenv("FAULT_AT");
    if (!at || !is_database(fd)) return WORKS;
    long number = atomic_fetch_add(&count, 1) + 1, first = atol(at);
    if (number < first || (number > first && !getenv("FAULT_FOR_EVER"))) return WORKS;
    const char *told = getenv("FAULT_TOLD"), *error = getenv("FAULT_ERROR");
    if (told) close(open(told, O_CREAT | O_WRONLY, 0600));
    if (number == first && size > 1 && getenv("FAULT_TORN")) return TEARS;
    errno = error ? atoi(error) : EIO;
    return FAILS;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    switch (judge(fd, size)) {
    case FAILS: return -1;
    case TEARS: size /= 2;
    default: return REAL(write)(fd, bytes, size);
    }
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    switch (judge(fd, size)) {
    case FAILS: return -1;
    case TEARS: size /= 2;
    default: return REAL(pwrite)(fd, bytes, size, at);
    }
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    switch (judge(fd, size)) {
    case FAILS: return -1;
    case TEARS: size /= 2;
    default: return REAL(pwrite64)(fd, bytes, size, at);
    }
}

int fsync(int fd) { return judge(fd, 0) == FAILS ? -1 : REAL(fsync)(fd); }

int fdatasync(int fd) { return judge(fd, 0) == FAILS ? -1 : REAL(fdatasync)(fd); }

int ftruncate(int fd, off_t size) { return judge(fd, 0) == FAILS ? -1 : REAL(ftruncate)(fd, size); }

int ftruncate64(int fd, off64_t size) {
    return judge(fd, 0) == FAILS ? -1 : REAL(ftruncate64)(fd, size);
}
