/*
 * libcompanion: the wallet companion for C and for every language that can call C.
 *
 * The library holds no wallet, no key and no network code. It drives the companion's own process over the private socket
 * in the companion's data directory: one that already runs, or one that it starts. The answers are therefore the same
 * bodies as those of the HTTP interface (docs/api.md), also for the functions named lwd.
 *
 *     companion *wallet;
 *     char *answer = NULL;
 *     if (companion_open(NULL, &wallet, &answer) == COMPANION_OK) {
 *       companion_code code = companion_call(wallet, COMPANION_CALL_BALANCE, "{\"account\":0}", &answer);
 *       puts(answer);                        // the balance, or the problem record
 *       companion_free(answer);
 *       companion_close(wallet);
 *     }
 *
 * Conventions
 * - companion_call takes every operation by its name, with the members of its input as a JSON object. The names are in
 *   generated/companion_tables.h, each with a description; the functions named lwd are the same call with parameters.
 * - Text is UTF-8 and ends with NUL. Text that is NULL is left out of the call, as are integers that are COMPANION_ABSENT.
 * - Every function that can fail returns a companion_code. Its `answer` receives JSON text: the operation's output, or
 *   an RFC 9457 problem record with the same `code` when it fails. It is NULL only when memory ran out. Release it with
 *   companion_free, which wipes it first: an answer may contain a recovery phrase. `answer` may be NULL when only the
 *   code matters.
 * - Functions may be called from any number of threads with the same handle; each running call has a separate
 *   connection. No function keeps a pointer to its arguments after it returned, except the progress callback and its
 *   `user`.
 * - A call waits as long as the companion works on it: a sync takes minutes. COMPANION_CALL_SYNC_CANCEL from another
 *   thread, or from the progress callback, ends it early.
 */
#ifndef COMPANION_H
#define COMPANION_H

#include <stddef.h>
#include <stdint.h>

#include "generated/companion_tables.h"

#if defined(_WIN32)
#if defined(COMPANION_BUILD)
#define COMPANION_API __declspec(dllexport)
#else
#define COMPANION_API __declspec(dllimport)
#endif
#else
#define COMPANION_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An integer argument that is left out. */
#define COMPANION_ABSENT INT64_MIN

/* A handle for one companion. */
typedef struct companion companion;

typedef struct companion_options {
  /*
   * sizeof(companion_options): later versions add members at the end. Any other size, and a member that the library does
   * not know, is COMPANION_INVALID_REQUEST.
   */
  size_t size;
  /* The companion's data directory. NULL: the environment's WALLET_COMPANION_DATA_DIR, else the default directory. */
  const char *data_dir;
  /* The configuration directory of a companion that the library starts. NULL: the default directory. */
  const char *config_dir;
  /*
   * The wallet-companion program, which the library starts as `serve --port 0` when no companion runs in the data
   * directory. It ends with the handle, or with this process, however that ends. NULL: the environment's WALLET_COMPANION_PROGRAM; without that, no companion is started.
   */
  const char *program;
  /* Further arguments of `serve`, such as "--network", "regtest". Ends with NULL; NULL: none. */
  const char *const *serve_arguments;
  /* How long a started companion may take until it answers. 0: 30 seconds. */
  int32_t start_timeout_ms;
  /*
   * The name of the wallet for the handle's calls and events. NULL: the environment's WALLET_COMPANION_WALLET, else the
   * default wallet. Operations of the whole companion are the same with each wallet.
   */
  const char *wallet;
} companion_options;

/*
 * Connects to the companion of a data directory, or starts one. `options` may be NULL: the defaults.
 * The other side of the socket must run as the current user, which the kernel confirms; otherwise, or when no companion
 * runs and none can be started: COMPANION_UNREACHABLE. On failure `*handle` is NULL and `*problem` (which may be
 * NULL) receives the problem record.
 */
COMPANION_API companion_code companion_open(const companion_options *options, companion **handle, char **problem);

/*
 * Closes the handle, and stops the companion if companion_open started it. Running calls of other threads return
 * COMPANION_UNREACHABLE first; a companion that keeps running still finishes them. The handle must not be used
 * afterwards. NULL is allowed.
 */
COMPANION_API void companion_close(companion *handle);

/*
 * Calls any operation by its name (COMPANION_CALL_BALANCE is "balance") with a JSON object as arguments, or NULL for none.
 * "grant_present" with {"token": ...} makes the handle that grant's, with all calls and events that begin later.
 */
COMPANION_API companion_code companion_call(companion *handle, const char *command, const char *arguments_json,
                                            char **answer);

/*
 * The compact-block server: its own description, its best block, and fetching blocks into the local store. NULL for
 * `compact_server_url` and `db_path` means the configured server, and its store.
 */
COMPANION_API companion_code companion_lwd_info(companion *handle, const char *compact_server_url,
                                                const char *db_path, char **answer);
COMPANION_API companion_code companion_lwd_chain_tip(companion *handle, const char *compact_server_url,
                                                     const char *db_path, char **answer);
/* COMPANION_ABSENT for the heights: from above the store's top to the chain tip. At most 1,000 blocks per call. */
COMPANION_API companion_code companion_lwd_sync_compact(companion *handle, const char *compact_server_url,
                                                        const char *db_path, int64_t start_height,
                                                        int64_t end_height, char **answer);

/*
 * `progress_json` is the `sync.progress` event's data (docs/api.md), valid until the callback returns. The library calls it
 * on the thread that is inside a COMPANION_CALL_SYNC, several times a second at most. The callback may call functions of this
 * library with the same handle, except companion_close.
 */
typedef void (*companion_progress)(const char *progress_json, void *user);

/* Sets, or with NULL removes, the callback for syncs that begin later. */
COMPANION_API void companion_on_progress(companion *handle, companion_progress callback, void *user);

/*
 * Waits for the companion's next event: `*event` receives {"event_id": ..., "event": name, "data": ...}, or NULL when no event
 * arrived within `timeout_ms` (negative: wait for ever). The first call subscribes; earlier events are not delivered. One
 * thread at a time waits; another one's time runs meanwhile. After a failure the next call subscribes again, and goes on
 * after the last event; where the companion no longer has what follows, the next event is "events.missed": read the state
 * again.
 */
COMPANION_API companion_code companion_next_event(companion *handle, int32_t timeout_ms, char **event);

/* Wipes and releases a text that a function of this library returned. NULL is allowed. */
COMPANION_API void companion_free(char *text);

typedef struct companion_code_description {
  /* "WALLET_LOCKED" */
  const char *name;
  const char *title;
  int32_t http_status;
  int32_t exit_status;
  /* Whether the same call may succeed later. */
  int32_t retryable;
} companion_code_description;

/* Never NULL; an unknown code is described as INTERNAL. COMPANION_OK is named "OK". */
COMPANION_API const companion_code_description *companion_describe(companion_code code);

#ifdef __cplusplus
}
#endif

#endif
