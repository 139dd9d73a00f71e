/* What differs between systems: the socket, locks, processes, directories. */
#ifndef COMPANION_PLATFORM_H
#define COMPANION_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#include <windows.h>
typedef SRWLOCK platform_lock;
typedef CONDITION_VARIABLE platform_condition;
#else
#include <pthread.h>
typedef pthread_mutex_t platform_lock;
typedef pthread_cond_t platform_condition;
#endif

void platform_lock_init(platform_lock *lock);
void platform_lock_take(platform_lock *lock);
void platform_lock_leave(platform_lock *lock);
void platform_lock_destroy(platform_lock *lock);
void platform_condition_init(platform_condition *condition);
/* The caller holds the lock before and after. `timeout_ms` negative: wait for ever. May return early. */
void platform_condition_wait(platform_condition *condition, platform_lock *lock, int32_t timeout_ms);
void platform_condition_tell_all(platform_condition *condition);
void platform_condition_destroy(platform_condition *condition);

/* The socket of a data directory's companion, or NULL. Free with free(). */
char *platform_socket_path(const char *data_dir);
/* The default data directory (the same as the companion's), or NULL. Free with free(). */
char *platform_data_dir(void);

typedef struct platform_stream platform_stream;

/* NULL when no process listens there, or when it does not run as the current user. */
platform_stream *platform_connect(const char *socket_path);
bool platform_send(platform_stream *stream, const char *bytes, size_t length);

#define PLATFORM_TIMED_OUT (-1)
#define PLATFORM_BROKEN (-2)
/* Bytes received (0: the other side closed), or one of the above. `timeout_ms` negative: wait for ever. */
ptrdiff_t platform_receive(platform_stream *stream, char *into, size_t capacity, int32_t timeout_ms);
/* Makes a platform_receive in another thread return. */
void platform_interrupt(platform_stream *stream);
void platform_disconnect(platform_stream *stream);

typedef struct platform_process platform_process;

/*
 * `arguments[0]` is the program; the list ends with NULL. The child's standard input is a pipe that ends with this
 * process, its stdout is discarded, it inherits stderr, and signals of the terminal do not reach it. NULL when the system could not start it; `why` then contains the system's message.
 */
platform_process *platform_start(const char *const *arguments, char *why, size_t why_size);
bool platform_has_ended(platform_process *process);
/* The exit code of an ended process, or -1 when it did not exit by itself. */
int32_t platform_exit_code(const platform_process *process);
/* Requests its end, waits, and kills it if it does not end. */
void platform_stop(platform_process *process);

int64_t platform_now_ms(void);
void platform_pause_ms(int32_t ms);

#endif
