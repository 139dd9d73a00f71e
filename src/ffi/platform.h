/* What differs between systems: the socket, locks, processes, places. */
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
/* The lock is held before and after. */
void platform_condition_wait(platform_condition *condition, platform_lock *lock);
void platform_condition_tell_all(platform_condition *condition);
void platform_condition_destroy(platform_condition *condition);

/* Where the companion of a data directory listens, or NULL. Free with free(). */
char *platform_socket_path(const char *data_dir);
/* The usual data directory (the same as the companion's own), or NULL. Free with free(). */
char *platform_data_dir(void);

typedef struct platform_stream platform_stream;

/* NULL when nothing listens there, or what listens does not run as our own user. */
platform_stream *platform_connect(const char *socket_path);
bool platform_send(platform_stream *stream, const char *bytes, size_t length);

#define PLATFORM_TIMED_OUT (-1)
#define PLATFORM_BROKEN (-2)
/* Bytes received (0: the other side closed), or one of the above. `timeout_ms` negative: wait for ever. */
ptrdiff_t platform_receive(platform_stream *stream, char *into, size_t capacity, int32_t timeout_ms);
/* Makes a receive that another thread is in return. */
void platform_interrupt(platform_stream *stream);
void platform_disconnect(platform_stream *stream);

typedef struct platform_process platform_process;

/*
 * `arguments[0]` is the program; ends with NULL. The child reads nothing, prints to nowhere and keeps our stderr. NULL when
 * the system could not start it; `why` then says so in its words.
 */
platform_process *platform_start(const char *const *arguments, char *why, size_t why_size);
bool platform_has_ended(platform_process *process);
/* Of one that has ended: its exit code, or -1 when something else ended it. */
int32_t platform_exit_code(const platform_process *process);
/* Asks it to end, waits, and makes it end if it does not. */
void platform_stop(platform_process *process);

int64_t platform_now_ms(void);
void platform_pause_ms(int32_t ms);

#endif
