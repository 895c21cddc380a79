// What Swift sees of calls that only Linux has.

// First, so that no later header defines _GNU_SOURCE by itself: fd_set would then have
// another shape here than the one that Dispatch sees.
#include <features.h>

#include <sys/types.h>

// The C library declares these two under _GNU_SOURCE alone: see above.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
extern int renameat2(int oldFolder, const char *oldPath, int newFolder, const char *newPath,
                     unsigned int flags);

// Sets room aside behind the end of a file, which keeps its length: fallocate(2).
static inline int shim_fallocate_keepSize(int descriptor, off_t offset, off_t length) {
    return fallocate(descriptor, 0x01 /* FALLOC_FL_KEEP_SIZE */, offset, length);
}

// Gives a file another name, unless there is a file of that name: renameat2(2).
static inline int shim_renameat2_noReplace(const char *oldPath, const char *newPath) {
    return renameat2(-100 /* AT_FDCWD */, oldPath, -100, newPath, 1u /* RENAME_NOREPLACE */);
}
