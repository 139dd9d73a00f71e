/* Windows: a named pipe in place of the socket. */
#if defined(_WIN32)

#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIPE_PREFIX "\\\\.\\pipe\\wallet-companion-"
#define STOP_PATIENCE_MS 15000
/* How long to wait for a free instance of the pipe. */
#define PIPE_BUSY_MS 5000

void platform_lock_init(platform_lock *lock) { InitializeSRWLock(lock); }
void platform_lock_take(platform_lock *lock) { AcquireSRWLockExclusive(lock); }
void platform_lock_leave(platform_lock *lock) { ReleaseSRWLockExclusive(lock); }
void platform_lock_destroy(platform_lock *lock) { (void)lock; }
void platform_condition_init(platform_condition *condition) { InitializeConditionVariable(condition); }
void platform_condition_wait(platform_condition *condition, platform_lock *lock, int32_t timeout_ms) {
  SleepConditionVariableSRW(condition, lock, timeout_ms < 0 ? INFINITE : (DWORD)timeout_ms, 0);
}
void platform_condition_tell_all(platform_condition *condition) { WakeAllConditionVariable(condition); }
void platform_condition_destroy(platform_condition *condition) { (void)condition; }

static wchar_t *wide_of(const char *utf8) {
  const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, NULL, 0);
  if (length <= 0) return NULL;
  wchar_t *wide = malloc((size_t)length * sizeof *wide);
  if (wide != NULL) MultiByteToWideChar(CP_UTF8, 0, utf8, -1, wide, length);
  return wide;
}

static char *utf8_of(const wchar_t *wide) {
  const int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
  if (length <= 0) return NULL;
  char *utf8 = malloc((size_t)length);
  if (utf8 != NULL) WideCharToMultiByte(CP_UTF8, 0, wide, -1, utf8, length, NULL, NULL);
  return utf8;
}

/* The companion names its pipe after the absolute data directory: separators become dashes, letters small. */
char *platform_socket_path(const char *data_dir) {
  wchar_t *given = wide_of(data_dir);
  if (given == NULL) return NULL;
  const DWORD length = GetFullPathNameW(given, 0, NULL, NULL);
  wchar_t *absolute = length == 0 ? NULL : malloc(length * sizeof *absolute);
  if (absolute != NULL) GetFullPathNameW(given, length, absolute, NULL);
  free(given);
  char *path = absolute == NULL ? NULL : utf8_of(absolute);
  free(absolute);
  if (path == NULL) return NULL;
  const size_t size = sizeof PIPE_PREFIX + strlen(path);
  char *pipe = malloc(size);
  if (pipe != NULL) {
    snprintf(pipe, size, "%s%s", PIPE_PREFIX, path);
    for (char *at = pipe + sizeof PIPE_PREFIX - 1; *at != '\0'; at++) {
      if (*at == '\\' || *at == '/' || *at == ':') *at = '-';
      else if (*at >= 'A' && *at <= 'Z') *at = (char)(*at - 'A' + 'a');
    }
  }
  free(path);
  return pipe;
}

char *platform_data_dir(void) {
  const wchar_t *local = _wgetenv(L"LOCALAPPDATA");
  if (local == NULL || local[0] == L'\0') return NULL;
  char *base = utf8_of(local);
  if (base == NULL) return NULL;
  const size_t size = strlen(base) + sizeof "\\wallet-companion";
  char *path = malloc(size);
  if (path != NULL) snprintf(path, size, "%s\\wallet-companion", base);
  free(base);
  return path;
}

struct platform_stream {
  HANDLE pipe;
  HANDLE received;
  HANDLE sent;
  /* Signalled by platform_interrupt. */
  HANDLE interrupted;
};

static TOKEN_USER *user_of(HANDLE process) {
  HANDLE token;
  if (!OpenProcessToken(process, TOKEN_QUERY, &token)) return NULL;
  DWORD size = 0;
  GetTokenInformation(token, TokenUser, NULL, 0, &size);
  TOKEN_USER *user = size == 0 ? NULL : malloc(size);
  if (user != NULL && !GetTokenInformation(token, TokenUser, user, size, &size)) {
    free(user);
    user = NULL;
  }
  CloseHandle(token);
  return user;
}

/* Whether the process on the other side runs as our own user. */
static bool is_own_user(HANDLE pipe) {
  ULONG id;
  if (!GetNamedPipeServerProcessId(pipe, &id)) return false;
  HANDLE server = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, id);
  if (server == NULL) return false;
  TOKEN_USER *theirs = user_of(server);
  TOKEN_USER *ours = user_of(GetCurrentProcess());
  const bool same = theirs != NULL && ours != NULL && EqualSid(theirs->User.Sid, ours->User.Sid);
  free(theirs);
  free(ours);
  CloseHandle(server);
  return same;
}

static HANDLE open_pipe(const wchar_t *name) {
  for (;;) {
    /* Identification only: a server that is not ours must not act in our name. */
    HANDLE pipe = CreateFileW(name, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                              FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, NULL);
    if (pipe != INVALID_HANDLE_VALUE) return pipe;
    if (GetLastError() != ERROR_PIPE_BUSY || !WaitNamedPipeW(name, PIPE_BUSY_MS)) return NULL;
  }
}

platform_stream *platform_connect(const char *socket_path) {
  wchar_t *name = wide_of(socket_path);
  if (name == NULL) return NULL;
  HANDLE pipe = open_pipe(name);
  free(name);
  if (pipe == NULL) return NULL;
  platform_stream *stream = is_own_user(pipe) ? calloc(1, sizeof *stream) : NULL;
  if (stream == NULL) {
    CloseHandle(pipe);
    return NULL;
  }
  stream->pipe = pipe;
  stream->received = CreateEventW(NULL, TRUE, FALSE, NULL);
  stream->sent = CreateEventW(NULL, TRUE, FALSE, NULL);
  stream->interrupted = CreateEventW(NULL, TRUE, FALSE, NULL);
  if (stream->received != NULL && stream->sent != NULL && stream->interrupted != NULL) return stream;
  platform_disconnect(stream);
  return NULL;
}

bool platform_send(platform_stream *stream, const char *bytes, size_t length) {
  while (length > 0) {
    OVERLAPPED operation = {.hEvent = stream->sent};
    const DWORD part = length > 0x10000 ? 0x10000 : (DWORD)length;
    DWORD sent = 0;
    if (!WriteFile(stream->pipe, bytes, part, NULL, &operation) && GetLastError() != ERROR_IO_PENDING) return false;
    if (!GetOverlappedResult(stream->pipe, &operation, &sent, TRUE)) return false;
    bytes += sent;
    length -= sent;
  }
  return true;
}

ptrdiff_t platform_receive(platform_stream *stream, char *into, size_t capacity, int32_t timeout_ms) {
  OVERLAPPED operation = {.hEvent = stream->received};
  DWORD received = 0;
  if (!ReadFile(stream->pipe, into, (DWORD)capacity, NULL, &operation)) {
    const DWORD error = GetLastError();
    if (error == ERROR_BROKEN_PIPE) return 0;
    if (error != ERROR_IO_PENDING) return PLATFORM_BROKEN;
  }
  const HANDLE either[] = {stream->received, stream->interrupted};
  const DWORD woken = WaitForMultipleObjects(2, either, FALSE, timeout_ms < 0 ? INFINITE : (DWORD)timeout_ms);
  if (woken != WAIT_OBJECT_0) CancelIoEx(stream->pipe, &operation);
  if (GetOverlappedResult(stream->pipe, &operation, &received, TRUE)) return (ptrdiff_t)received;
  if (GetLastError() == ERROR_BROKEN_PIPE) return 0;
  return woken == WAIT_TIMEOUT ? PLATFORM_TIMED_OUT : PLATFORM_BROKEN;
}

void platform_interrupt(platform_stream *stream) { SetEvent(stream->interrupted); }

void platform_disconnect(platform_stream *stream) {
  CloseHandle(stream->pipe);
  if (stream->received != NULL) CloseHandle(stream->received);
  if (stream->sent != NULL) CloseHandle(stream->sent);
  if (stream->interrupted != NULL) CloseHandle(stream->interrupted);
  free(stream);
}

struct platform_process {
  HANDLE process;
  /* The writing end of the child's standard input, which closes when this process ends, however it ends. */
  HANDLE held;
};

static size_t append_wide(wchar_t *to, size_t at, wchar_t letter, size_t times) {
  while (times-- > 0) to[at++] = letter;
  return at;
}

/* One argument as CommandLineToArgvW reads it back: quoted, backslashes doubled before a quote. */
static size_t append_argument(wchar_t *to, size_t at, const wchar_t *argument) {
  at = append_wide(to, at, L'"', 1);
  size_t slashes = 0;
  for (; *argument != L'\0'; argument++) {
    if (*argument == L'\\') {
      slashes++;
      continue;
    }
    at = append_wide(to, at, L'\\', *argument == L'"' ? 2 * slashes + 1 : slashes);
    slashes = 0;
    to[at++] = *argument;
  }
  at = append_wide(to, at, L'\\', 2 * slashes);
  return append_wide(to, at, L'"', 1);
}

static wchar_t *command_line(const char *const *arguments) {
  size_t size = 1;
  for (size_t each = 0; arguments[each] != NULL; each++) size += 2 * strlen(arguments[each]) + 3;
  wchar_t *line = malloc(size * sizeof *line);
  size_t at = 0;
  for (size_t each = 0; line != NULL && arguments[each] != NULL; each++) {
    wchar_t *argument = wide_of(arguments[each]);
    if (argument == NULL) {
      free(line);
      return NULL;
    }
    if (each > 0) line[at++] = L' ';
    at = append_argument(line, at, argument);
    free(argument);
  }
  if (line != NULL) line[at] = L'\0';
  return line;
}

platform_process *platform_start(const char *const *arguments, char *why, size_t why_size) {
  why[0] = '\0';
  wchar_t *line = command_line(arguments);
  platform_process *started = calloc(1, sizeof *started);
  SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
  STARTUPINFOW startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES};
  PROCESS_INFORMATION information;
  startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  if (line != NULL && started != NULL && CreatePipe(&startup.hStdInput, &started->held, &inherited, 0) &&
      SetHandleInformation(started->held, HANDLE_FLAG_INHERIT, 0) &&
      CreateProcessW(NULL, line, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP, NULL, NULL, &startup,
                     &information)) {
    CloseHandle(information.hThread);
    started->process = information.hProcess;
  } else {
    const DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
    if (FormatMessageA(flags, NULL, GetLastError(), 0, why, (DWORD)why_size, NULL) == 0) why[0] = '\0';
    if (started != NULL && started->held != NULL) CloseHandle(started->held);
    free(started);
    started = NULL;
  }
  if (startup.hStdInput != NULL) CloseHandle(startup.hStdInput);
  free(line);
  return started;
}

bool platform_has_ended(platform_process *process) {
  return WaitForSingleObject(process->process, 0) == WAIT_OBJECT_0;
}

int32_t platform_exit_code(const platform_process *process) {
  DWORD code = 0;
  return GetExitCodeProcess(process->process, &code) ? (int32_t)code : -1;
}

void platform_stop(platform_process *process) {
  /* Works where both have a console; otherwise the companion is ended, which its store survives by design. */
  GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, GetProcessId(process->process));
  if (WaitForSingleObject(process->process, STOP_PATIENCE_MS) != WAIT_OBJECT_0) TerminateProcess(process->process, 1);
  CloseHandle(process->process);
  CloseHandle(process->held);
  free(process);
}

int64_t platform_now_ms(void) { return (int64_t)GetTickCount64(); }

void platform_pause_ms(int32_t ms) { Sleep((DWORD)ms); }

#else
/* ISO C wants one declaration in each file. */
typedef int companion_not_windows;
#endif
