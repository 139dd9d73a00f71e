/*
 * Files that fail when told to: loaded into a process before the C library (LD_PRELOAD), it counts what the process does
 * to the files below one folder, and can let each of those calls fail, write only half, photograph the folder first, or
 * record it. Node and SQLite both reach the disk by these functions, so nothing in them is replaced.
 *
 * KILL ends the process before one of the calls. A photograph is what a killed process would leave: the kernel keeps what was written, and nothing is written after.
 * A record has every change and every sync in order: lostPower.ts makes of it what a loss of power may leave.
 * What to do stands in a file that both sides map; its layout is that of shim.ts.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { OPEN, CREATE, READ, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, LINK, MKDIR, RMDIR };

enum mode { OFF, COUNT, FAIL, PHOTOGRAPH, RECORD, KILL };

#define NAME_SIZE 64
#define MOST_TRACED 8192
#define PATH_SIZE 1024

struct traced {
  uint32_t call;
  char name[NAME_SIZE];
};

struct control {
  int32_t mode;
  /* Which calls count: 1 << call. */
  uint32_t calls;
  /* The first that fails, from 1, and the last. */
  int32_t from;
  int32_t to;
  int32_t error;
  /* The call before those is a write of half its bytes, which succeeds. */
  int32_t half;
  /* One photograph in so many, beginning with this one. */
  int32_t stride;
  int32_t offset;
  /* Written here. */
  int32_t counted;
  int32_t photographs;
  char folder[PATH_SIZE];
  /* Of photographs; in the mode RECORD the file that records go to. */
  char album[PATH_SIZE];
  struct traced trace[MOST_TRACED];
};

#define MOST_FILES 4096

static struct control *control;
static char paths[MOST_FILES][PATH_SIZE];
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define REAL(type, name, ...) \
  static type (*real_##name)(__VA_ARGS__); \
  if (real_##name == NULL) *(void **)&real_##name = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void attach(void) {
  const char *file = getenv("FAULTY_FILES_CONTROL");
  if (file == NULL) return;
  REAL(int, open, const char *, int, ...);
  int descriptor = real_open(file, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped != MAP_FAILED) control = mapped;
  close(descriptor);
}

static int is_below(const char *path) {
  if (control == NULL || path == NULL || control->folder[0] == 0) return 0;
  size_t length = strlen(control->folder);
  return strncmp(path, control->folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_watched(const char *path) { return is_below(path) && control->mode != OFF; }

/* Before each record: what was done, to which inode, where, and how many bytes of name and of data follow. */
struct record {
  uint32_t call;
  uint32_t name_size;
  uint64_t data_size;
  uint64_t inode;
  int64_t at;
};

/* Makes the call and its record one step, so that records are in the order of what they tell. */
static int begins(const char *path) {
  if (!is_watched(path) || control->mode != RECORD) return 0;
  pthread_mutex_lock(&lock);
  return 1;
}

static const char *below(const char *path) {
  const char *name = path + strlen(control->folder);
  return *name == '/' ? name + 1 : name;
}

static void put_down(int file, const void *bytes, size_t count) {
  REAL(ssize_t, write, int, const void *, size_t);
  if (real_write(file, bytes, count) != (ssize_t)count) abort();
}

/* `descriptor`: of the file that was changed, or -1. Takes the lock of `begins` back. */
static void ends(int done, enum call call, const char *path, int descriptor, const void *bytes, size_t count, int64_t at) {
  REAL(int, open64, const char *, int, ...);
  REAL(int, close, int);
  struct stat about;
  int error = errno;
  if (done) {
    if (descriptor < 0 || fstat(descriptor, &about) != 0) about.st_ino = 0;
    const char *name = below(path);
    struct record record = {call, strlen(name), count, about.st_ino, at};
    int file = real_open64(control->album, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    put_down(file, &record, sizeof record);
    put_down(file, name, record.name_size);
    if (count > 0) put_down(file, bytes, count);
    real_close(file);
    control->counted++;
  }
  errno = error;
  pthread_mutex_unlock(&lock);
}

static const char *path_of(int descriptor) {
  return descriptor >= 0 && descriptor < MOST_FILES && paths[descriptor][0] != 0 ? paths[descriptor] : NULL;
}

static void copy_file(const char *from, const char *to) {
  REAL(int, open64, const char *, int, ...);
  REAL(ssize_t, read, int, void *, size_t);
  REAL(ssize_t, write, int, const void *, size_t);
  static char piece[1 << 16];
  int source = real_open64(from, O_RDONLY | O_CLOEXEC);
  int target = real_open64(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  ssize_t count;
  while (source >= 0 && target >= 0 && (count = real_read(source, piece, sizeof piece)) > 0)
    if (real_write(target, piece, (size_t)count) != count) abort();
  if (source >= 0) close(source);
  if (target >= 0) close(target);
}

static void copy_folder(const char *from, const char *to) {
  REAL(int, mkdir, const char *, mode_t);
  real_mkdir(to, 0700);
  DIR *folder = opendir(from);
  if (folder == NULL) return;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char source[PATH_SIZE * 2], target[PATH_SIZE * 2];
    snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
    struct stat about;
    if (lstat(source, &about) != 0) continue;
    if (S_ISDIR(about.st_mode)) copy_folder(source, target);
    else if (S_ISREG(about.st_mode)) copy_file(source, target);
  }
  closedir(folder);
}

/* Before the call; for a write also as it is when half of it was written. */
static void photograph(const char *path, const void *bytes, size_t count, off64_t at) {
  char photo[PATH_SIZE * 2];
  snprintf(photo, sizeof photo, "%s/%d", control->album, control->counted);
  copy_folder(control->folder, photo);
  control->photographs++;
  if (bytes == NULL || count < 2) return;
  REAL(int, open64, const char *, int, ...);
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  snprintf(photo, sizeof photo, "%s/%d.torn", control->album, control->counted);
  copy_folder(control->folder, photo);
  char torn[PATH_SIZE * 4];
  snprintf(torn, sizeof torn, "%s%s", photo, path + strlen(control->folder));
  int descriptor = real_open64(torn, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0 || real_pwrite64(descriptor, bytes, count / 2, at) != (ssize_t)(count / 2)) abort();
  close(descriptor);
  control->photographs++;
}

#define GO_ON 0
#define HALF -1

/* What becomes of a call: it goes on, writes half, or fails with the error that is returned. Holds the lock. */
static int judge(enum call call, const char *path, const void *bytes, size_t count, off64_t at) {
  if ((control->calls & (1u << call)) == 0) return GO_ON;
  int number = ++control->counted;
  if (number <= MOST_TRACED) {
    struct traced *traced = &control->trace[number - 1];
    traced->call = call;
    const char *name = path + strlen(control->folder);
    snprintf(traced->name, NAME_SIZE, "%s", *name == '/' ? name + 1 : name);
  }
  if (control->mode == PHOTOGRAPH && number % control->stride == control->offset) photograph(path, bytes, count, at);
  if (control->mode == KILL && number == control->from) kill(getpid(), SIGKILL);
  if (control->mode != FAIL) return GO_ON;
  if (control->half && number == control->from - 1) return HALF;
  return number >= control->from && number <= control->to ? control->error : GO_ON;
}

static int judged(enum call call, const char *path, const void *bytes, size_t count, off64_t at) {
  pthread_mutex_lock(&lock);
  int verdict = judge(call, path, bytes, count, at);
  pthread_mutex_unlock(&lock);
  return verdict;
}

#define FAIL_IF(judgement) \
  { \
    int failure = judgement; \
    if (failure > 0) { \
      errno = failure; \
      return -1; \
    } \
  }

static int remembered(int descriptor, const char *path) {
  if (descriptor < 0 || descriptor >= MOST_FILES) return descriptor;
  pthread_mutex_lock(&lock);
  paths[descriptor][0] = 0;
  if (is_below(path)) snprintf(paths[descriptor], PATH_SIZE, "%s", path);
  pthread_mutex_unlock(&lock);
  return descriptor;
}

#define OPEN_FUNCTION(name) \
  int name(const char *path, int flags, ...) { \
    REAL(int, name, const char *, int, ...); \
    mode_t mode = 0; \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) { \
      va_list more; \
      va_start(more, flags); \
      mode = va_arg(more, mode_t); \
      va_end(more); \
    } \
    struct stat about; \
    int makes = (flags & O_CREAT) != 0 && lstat(path, &about) != 0; \
    if (begins(path)) { \
      int descriptor = remembered(real_##name(path, flags, mode), path); \
      int is_change = descriptor >= 0 && (makes || (flags & O_TRUNC) != 0); \
      ends(is_change, makes ? CREATE : TRUNCATE, path, descriptor, NULL, 0, 0); \
      return descriptor; \
    } \
    if (is_watched(path)) { \
      int verdict = judged(makes ? CREATE : OPEN, path, NULL, 0, 0); \
      FAIL_IF(verdict) \
    } \
    return remembered(real_##name(path, flags, mode), path); \
  }

OPEN_FUNCTION(open)
OPEN_FUNCTION(open64)

int close(int descriptor) {
  REAL(int, close, int);
  if (descriptor >= 0 && descriptor < MOST_FILES) paths[descriptor][0] = 0;
  return real_close(descriptor);
}

static ssize_t half_write(int descriptor, const void *bytes, size_t count, off64_t at) {
  REAL(ssize_t, write, int, const void *, size_t);
  REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
  size_t half = count < 2 ? count : count / 2;
  return at < 0 ? real_write(descriptor, bytes, half) : real_pwrite64(descriptor, bytes, half, at);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  REAL(ssize_t, write, int, const void *, size_t);
  const char *path = path_of(descriptor);
  if (begins(path)) {
    off64_t at = fcntl(descriptor, F_GETFL) & O_APPEND ? lseek64(descriptor, 0, SEEK_END) : lseek64(descriptor, 0, SEEK_CUR);
    ssize_t written = real_write(descriptor, bytes, count);
    ends(written > 0, WRITE, path, descriptor, bytes, written > 0 ? (size_t)written : 0, at);
    return written;
  }
  if (is_watched(path)) {
    int verdict = judged(WRITE, path, bytes, count, lseek64(descriptor, 0, SEEK_CUR));
    if (verdict == HALF) return half_write(descriptor, bytes, count, -1);
    FAIL_IF(verdict)
  }
  return real_write(descriptor, bytes, count);
}

#define PWRITE_FUNCTION(name) \
  ssize_t name(int descriptor, const void *bytes, size_t count, off64_t at) { \
    REAL(ssize_t, name, int, const void *, size_t, off64_t); \
    const char *path = path_of(descriptor); \
    if (begins(path)) { \
      ssize_t written = real_##name(descriptor, bytes, count, at); \
      ends(written > 0, WRITE, path, descriptor, bytes, written > 0 ? (size_t)written : 0, at); \
      return written; \
    } \
    if (is_watched(path)) { \
      int verdict = judged(WRITE, path, bytes, count, at); \
      if (verdict == HALF) return half_write(descriptor, bytes, count, at); \
      FAIL_IF(verdict) \
    } \
    return real_##name(descriptor, bytes, count, at); \
  }

PWRITE_FUNCTION(pwrite)
PWRITE_FUNCTION(pwrite64)

/* Node gathers only where it is asked to; a short gathered write is not worth its own code. */
ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  const char *path = path_of(descriptor);
  if (is_watched(path)) FAIL_IF(judged(WRITE, path, NULL, 0, 0))
  return real_writev(descriptor, pieces, count);
}

ssize_t pwritev64(int descriptor, const struct iovec *pieces, int count, off64_t at) {
  REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t);
  const char *path = path_of(descriptor);
  if (is_watched(path)) FAIL_IF(judged(WRITE, path, NULL, 0, 0))
  return real_pwritev64(descriptor, pieces, count, at);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  REAL(ssize_t, read, int, void *, size_t);
  const char *path = path_of(descriptor);
  if (is_watched(path)) FAIL_IF(judged(READ, path, NULL, 0, 0))
  return real_read(descriptor, bytes, count);
}

#define PREAD_FUNCTION(name) \
  ssize_t name(int descriptor, void *bytes, size_t count, off64_t at) { \
    REAL(ssize_t, name, int, void *, size_t, off64_t); \
    const char *path = path_of(descriptor); \
    if (is_watched(path)) FAIL_IF(judged(READ, path, NULL, 0, 0)) \
    return real_##name(descriptor, bytes, count, at); \
  }

PREAD_FUNCTION(pread)
PREAD_FUNCTION(pread64)

/* The power of this machine stays on: nothing waits for the disk. */
#define SYNC_FUNCTION(name) \
  int name(int descriptor) { \
    REAL(int, name, int); \
    const char *path = path_of(descriptor); \
    if (!is_watched(path)) return real_##name(descriptor); \
    if (begins(path)) { \
      ends(1, SYNC, path, descriptor, NULL, 0, 0); \
      return 0; \
    } \
    FAIL_IF(judged(SYNC, path, NULL, 0, 0)) \
    return 0; \
  }

SYNC_FUNCTION(fsync)
SYNC_FUNCTION(fdatasync)

#define TRUNCATE_FUNCTION(name) \
  int name(int descriptor, off64_t length) { \
    REAL(int, name, int, off64_t); \
    const char *path = path_of(descriptor); \
    if (begins(path)) { \
      int result = real_##name(descriptor, length); \
      ends(result == 0, TRUNCATE, path, descriptor, NULL, 0, length); \
      return result; \
    } \
    if (is_watched(path)) FAIL_IF(judged(TRUNCATE, path, NULL, 0, 0)) \
    return real_##name(descriptor, length); \
  }

TRUNCATE_FUNCTION(ftruncate)
TRUNCATE_FUNCTION(ftruncate64)

#define PAIR_FUNCTION(name, call) \
  int name(const char *from, const char *to) { \
    REAL(int, name, const char *, const char *); \
    if (begins(from)) { \
      int result = real_##name(from, to); \
      ends(result == 0, call, from, -1, below(to), strlen(below(to)), 0); \
      return result; \
    } \
    if (is_watched(from)) FAIL_IF(judged(call, from, NULL, 0, 0)) \
    return real_##name(from, to); \
  }

PAIR_FUNCTION(rename, RENAME)
PAIR_FUNCTION(link, LINK)

#define PATH_FUNCTION(name, call) \
  int name(const char *path) { \
    REAL(int, name, const char *); \
    if (begins(path)) { \
      int result = real_##name(path); \
      ends(result == 0, call, path, -1, NULL, 0, 0); \
      return result; \
    } \
    if (is_watched(path)) FAIL_IF(judged(call, path, NULL, 0, 0)) \
    return real_##name(path); \
  }

PATH_FUNCTION(unlink, UNLINK)
PATH_FUNCTION(rmdir, RMDIR)
/* What later versions of Node call for `fs.rm`. */
PATH_FUNCTION(remove, UNLINK)

int mkdir(const char *path, mode_t mode) {
  REAL(int, mkdir, const char *, mode_t);
  if (begins(path)) {
    int result = real_mkdir(path, mode);
    ends(result == 0, MKDIR, path, -1, NULL, 0, 0);
    return result;
  }
  if (is_watched(path)) FAIL_IF(judged(MKDIR, path, NULL, 0, 0))
  return real_mkdir(path, mode);
}
