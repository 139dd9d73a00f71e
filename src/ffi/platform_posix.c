/* Linux, macOS and the BSDs. */
#if !defined(_WIN32)

#if defined(__linux__)
#define _GNU_SOURCE /* struct ucred, SOCK_CLOEXEC */
#endif

#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define SOCKET_FILE "companion.sock"
/* How long a companion that was asked to end may take: it lets a running scan commit first. */
#define STOP_PATIENCE_MS 15000
#define STOP_POLL_MS 20

#if defined(MSG_NOSIGNAL)
#define SEND_FLAGS MSG_NOSIGNAL
#else
#define SEND_FLAGS 0
#endif

void platform_lock_init(platform_lock *lock) { pthread_mutex_init(lock, NULL); }
void platform_lock_take(platform_lock *lock) { pthread_mutex_lock(lock); }
void platform_lock_leave(platform_lock *lock) { pthread_mutex_unlock(lock); }
void platform_lock_destroy(platform_lock *lock) { pthread_mutex_destroy(lock); }

static struct timespec timespec_of(int64_t ms) {
  return (struct timespec){.tv_sec = (time_t)(ms / 1000), .tv_nsec = (long)(ms % 1000) * 1000000};
}

#if defined(__APPLE__)
void platform_condition_init(platform_condition *condition) { pthread_cond_init(condition, NULL); }

static void wait_at_most(platform_condition *condition, platform_lock *lock, int32_t timeout_ms) {
  const struct timespec left = timespec_of(timeout_ms);
  pthread_cond_timedwait_relative_np(condition, lock, &left);
}
#else
/* By the clock that nobody sets. */
void platform_condition_init(platform_condition *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

static void wait_at_most(platform_condition *condition, platform_lock *lock, int32_t timeout_ms) {
  const struct timespec until = timespec_of(platform_now_ms() + timeout_ms);
  pthread_cond_timedwait(condition, lock, &until);
}
#endif

void platform_condition_wait(platform_condition *condition, platform_lock *lock, int32_t timeout_ms) {
  if (timeout_ms < 0) pthread_cond_wait(condition, lock);
  else wait_at_most(condition, lock, timeout_ms);
}

void platform_condition_tell_all(platform_condition *condition) { pthread_cond_broadcast(condition); }
void platform_condition_destroy(platform_condition *condition) { pthread_cond_destroy(condition); }

static char *joined(const char *first, const char *second) {
  const size_t length = strlen(first) + strlen(second) + 2;
  char *path = malloc(length);
  if (path != NULL) snprintf(path, length, "%s/%s", first, second);
  return path;
}

char *platform_socket_path(const char *data_dir) { return joined(data_dir, SOCKET_FILE); }

static const char *home_dir(void) {
  const char *home = getenv("HOME");
  if (home != NULL && home[0] != '\0') return home;
  const struct passwd *user = getpwuid(getuid());
  return user == NULL ? NULL : user->pw_dir;
}

char *platform_data_dir(void) {
#if !defined(__APPLE__)
  /* XDG base directory specification: a relative value is to be ignored. */
  const char *data_home = getenv("XDG_DATA_HOME");
  if (data_home != NULL && data_home[0] == '/') return joined(data_home, "wallet-companion");
  const char *place = ".local/share/wallet-companion";
#else
  const char *place = "Library/Application Support/wallet-companion";
#endif
  const char *home = home_dir();
  return home == NULL ? NULL : joined(home, place);
}

struct platform_stream {
  int socket;
};

/* The kernel's word on who listens, before a password goes there. */
static bool is_own_user(int socket) {
#if defined(__linux__)
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
#else
  uid_t user;
  gid_t group;
  return getpeereid(socket, &user, &group) == 0 && user == geteuid();
#endif
}

static int open_socket(void) {
#if defined(SOCK_CLOEXEC)
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
#else
  const int opened = socket(AF_UNIX, SOCK_STREAM, 0);
  if (opened >= 0) fcntl(opened, F_SETFD, FD_CLOEXEC);
  return opened;
#endif
}

platform_stream *platform_connect(const char *socket_path) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  if (strlen(socket_path) >= sizeof address.sun_path) return NULL;
  memcpy(address.sun_path, socket_path, strlen(socket_path));
  const int opened = open_socket();
  if (opened < 0) return NULL;
#if defined(SO_NOSIGPIPE)
  const int on = 1;
  setsockopt(opened, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  int connected;
  do connected = connect(opened, (const struct sockaddr *)&address, sizeof address);
  while (connected != 0 && errno == EINTR);
  platform_stream *stream = NULL;
  if (connected == 0 && is_own_user(opened)) stream = malloc(sizeof *stream);
  if (stream == NULL) close(opened);
  else stream->socket = opened;
  return stream;
}

bool platform_send(platform_stream *stream, const char *bytes, size_t length) {
  while (length > 0) {
    const ssize_t sent = send(stream->socket, bytes, length, SEND_FLAGS);
    if (sent < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes += sent;
    length -= (size_t)sent;
  }
  return true;
}

ptrdiff_t platform_receive(platform_stream *stream, char *into, size_t capacity, int32_t timeout_ms) {
  const int64_t until = platform_now_ms() + timeout_ms;
  for (;;) {
    int wait = -1;
    if (timeout_ms >= 0) {
      const int64_t left = until - platform_now_ms();
      wait = left > 0 ? (int)left : 0;
    }
    struct pollfd watched = {.fd = stream->socket, .events = POLLIN, .revents = 0};
    const int ready = poll(&watched, 1, wait);
    if (ready == 0) return PLATFORM_TIMED_OUT;
    if (ready > 0) {
      const ssize_t received = recv(stream->socket, into, capacity, 0);
      if (received >= 0) return received;
    }
    if (errno != EINTR) return PLATFORM_BROKEN;
  }
}

void platform_interrupt(platform_stream *stream) { shutdown(stream->socket, SHUT_RDWR); }

void platform_disconnect(platform_stream *stream) {
  close(stream->socket);
  free(stream);
}

struct platform_process {
  pid_t pid;
  /* The writing end of the child's standard input, which closes when this process ends, however it ends. */
  int held;
  bool ended;
  int32_t exit_code;
};

/* A pipe that only a child gets to which it is given. */
static bool open_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC) == 0;
#else
  if (pipe(ends) != 0) return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return true;
#endif
}

platform_process *platform_start(const char *const *arguments, char *why, size_t why_size) {
  why[0] = '\0';
  platform_process *process = malloc(sizeof *process);
  if (process == NULL) return NULL;
  process->ended = false;
  process->exit_code = -1;
  int ends[2];
  if (!open_pipe(ends)) {
    snprintf(why, why_size, "%s", strerror(errno));
    free(process);
    return NULL;
  }
  process->held = ends[1];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  /* Ctrl-C in the host's terminal is for the host. */
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  /* posix_spawnp takes the arguments without const for historical reasons, and leaves them alone. */
  const int failed = posix_spawnp(&process->pid, arguments[0], &actions, &attributes, (char *const *)(uintptr_t)arguments,
                                  environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[0]);
  if (failed == 0) return process;
  close(ends[1]);
  snprintf(why, why_size, "%s", strerror(failed));
  free(process);
  return NULL;
}

bool platform_has_ended(platform_process *process) {
  if (!process->ended) {
    int status = 0;
    const pid_t waited = waitpid(process->pid, &status, WNOHANG);
    if (waited == process->pid && WIFEXITED(status)) process->exit_code = WEXITSTATUS(status);
    process->ended = waited == process->pid || (waited < 0 && errno != EINTR);
  }
  return process->ended;
}

int32_t platform_exit_code(const platform_process *process) { return process->exit_code; }

void platform_stop(platform_process *process) {
  if (!platform_has_ended(process)) kill(process->pid, SIGTERM);
  const int64_t until = platform_now_ms() + STOP_PATIENCE_MS;
  while (!platform_has_ended(process)) {
    if (platform_now_ms() > until) {
      kill(process->pid, SIGKILL);
      while (waitpid(process->pid, NULL, 0) < 0 && errno == EINTR) continue;
      break;
    }
    platform_pause_ms(STOP_POLL_MS);
  }
  close(process->held);
  free(process);
}

int64_t platform_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void platform_pause_ms(int32_t ms) {
  const struct timespec pause = timespec_of(ms);
  nanosleep(&pause, NULL);
}

#else
/* ISO C wants one declaration in each file. */
typedef int companion_not_posix;
#endif
