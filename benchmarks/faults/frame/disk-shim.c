// LD_PRELOAD: stands between a process and the syncs of the files in one folder, as a disk would that loses power or fails.
//
// DISK_SHIM_FOLDER   the folder; only files directly in it are concerned
// DISK_SHIM_IMAGE    the disk: at each sync of a file its content is copied to the file of the same name in this folder
// DISK_SHIM_FAIL     a path: while there is a file, the next sync of a log (-wal) removes it and fails with EIO. As on Linux,
//                    the pages that were to be written count as written from then on: no later sync writes them
// DISK_SHIM_NOOP     when set, a sync does nothing and succeeds
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define FAILING_SYNC_US 300000

static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;

/** The name of a file in the folder; NULL for any other. */
static const char *name_in_folder(int descriptor, char *path) {
  const char *folder = getenv("DISK_SHIM_FOLDER");
  if (folder == NULL) return NULL;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return NULL;
  path[length] = '\0';
  size_t prefix = strlen(folder);
  if (strncmp(path, folder, prefix) != 0 || path[prefix] != '/') return NULL;
  const char *name = path + prefix + 1;
  return strchr(name, '/') == NULL ? name : NULL;
}

static size_t read_page(int descriptor, char *page, off_t at) {
  ssize_t bytes = descriptor < 0 ? 0 : pread(descriptor, page, PAGE, at);
  return bytes < 0 ? 0 : (size_t)bytes;
}

static int same(const char *one, size_t one_bytes, const char *other, size_t other_bytes) {
  return one_bytes == other_bytes && memcmp(one, other, one_bytes) == 0;
}

/** Copies a file, page by page; what an earlier sync lost and nobody has written since stays as it was on the disk. */
static int copy(const char *from, const char *to, const char *lost, const char *before) {
  char draft[PATH_MAX + 16], page[PAGE], lost_page[PAGE], old_page[PAGE];
  snprintf(draft, sizeof draft, "%s.%d.draft", to, (int)getpid());
  int source = open(from, O_RDONLY), target = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int lost_file = lost == NULL ? -1 : open(lost, O_RDONLY), old_file = before == NULL ? -1 : open(before, O_RDONLY);
  int failed = source < 0 || target < 0;
  for (off_t at = 0; !failed; at += PAGE) {
    size_t bytes = read_page(source, page, at);
    if (bytes == 0) break;
    size_t lost_bytes = read_page(lost_file, lost_page, at), old_bytes = read_page(old_file, old_page, at);
    const char *written = page;
    if (lost_file >= 0 && same(page, bytes, lost_page, lost_bytes) && !same(page, bytes, old_page, old_bytes)) {
      memset(old_page + old_bytes, 0, PAGE - old_bytes);
      written = old_page;
    }
    failed = pwrite(target, written, bytes, at) != (ssize_t)bytes;
  }
  if (source >= 0) close(source);
  if (target >= 0) close(target);
  if (lost_file >= 0) close(lost_file);
  if (old_file >= 0) close(old_file);
  if (failed) return -1;
  return rename(draft, to);
}

static int sync_file(int descriptor, int (*real)(int)) {
  char path[PATH_MAX];
  const char *name = name_in_folder(descriptor, path);
  if (name == NULL) return real(descriptor);
  if (getenv("DISK_SHIM_NOOP") != NULL) return 0;
  const char *image = getenv("DISK_SHIM_IMAGE"), *trigger = getenv("DISK_SHIM_FAIL");
  if (image == NULL) return real(descriptor);
  char disk[PATH_MAX], lost[PATH_MAX], before[PATH_MAX];
  snprintf(disk, sizeof disk, "%s/%s", image, name);
  snprintf(lost, sizeof lost, "%s/%s.lost", image, name);
  snprintf(before, sizeof before, "%s/%s.before", image, name);
  size_t length = strlen(name);
  int is_log = length > 4 && strcmp(name + length - 4, "-wal") == 0;
  pthread_mutex_lock(&copying);
  int outcome;
  if (trigger != NULL && is_log && unlink(trigger) == 0) {
    copy(path, lost, NULL, NULL);
    if (copy(disk, before, NULL, NULL) != 0) close(open(before, O_WRONLY | O_CREAT | O_TRUNC, 0600));
    usleep(FAILING_SYNC_US);
    errno = EIO;
    outcome = -1;
  } else {
    outcome = copy(path, disk, lost, before);
    if (outcome != 0) errno = EIO;
  }
  int reason = errno;
  pthread_mutex_unlock(&copying);
  errno = reason;
  return outcome;
}

int fsync(int descriptor) { return sync_file(descriptor, (int (*)(int))dlsym(RTLD_NEXT, "fsync")); }

int fdatasync(int descriptor) { return sync_file(descriptor, (int (*)(int))dlsym(RTLD_NEXT, "fdatasync")); }
