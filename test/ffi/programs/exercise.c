/*
 * Uses every part of the library from several threads, for a run under valgrind. The test answers as the companion:
 * `balance` succeeds, `wallet_unlock` fails with WRONG_PASSWORD, `sync` tells progress twice and then succeeds,
 * `accounts_list` never answers, and `wallet_lock` is followed by a wallet.locked event.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "companion.h"

#define THREADS 8
#define CALLS 25

#define expect(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition);         \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

/* Takes where the answer will be: arguments are evaluated in any order. */
static void expect_answer(companion_code code, companion_code expected, char **answer, const char *part) {
  if (code != expected || *answer == NULL || strstr(*answer, part) == NULL) {
    fprintf(stderr, "%d instead of %d: %s\n", (int)code, (int)expected, *answer == NULL ? "NULL" : *answer);
    exit(1);
  }
  companion_free(*answer);
}

static void *call_often(void *handle) {
  for (int call = 0; call < CALLS; call++) {
    char *answer;
    expect_answer(companion_call(handle, COMPANION_CALL_BALANCE, "{\"account\":0}", &answer), COMPANION_OK, &answer, "\"total_zatoshi\":15");
    expect_answer(companion_call(handle, COMPANION_CALL_WALLET_UNLOCK, "{\"password\":\"no\"}", &answer), COMPANION_WRONG_PASSWORD, &answer, "WRONG_PASSWORD");
    expect(companion_call(handle, COMPANION_CALL_WALLET_EXISTS, NULL, NULL) == COMPANION_OK);
  }
  return NULL;
}

static void *wait_in_vain(void *handle) {
  char *answer;
  expect_answer(companion_call(handle, COMPANION_CALL_ACCOUNTS_LIST, NULL, &answer), COMPANION_UNREACHABLE, &answer, "cut the connection");
  return NULL;
}

static void *wait_for_events(void *handle) {
  char *event;
  expect(companion_next_event(handle, -1, &event) == COMPANION_UNREACHABLE);
  companion_free(event);
  return NULL;
}

typedef struct seen {
  companion *handle;
  int progress;
} seen;

static void on_progress(const char *progress, void *user) {
  seen *so_far = user;
  expect(strstr(progress, "\"committed_height\":640") != NULL);
  so_far->progress++;
  /* Calling from inside is allowed. */
  expect(companion_call(so_far->handle, COMPANION_CALL_SYNC_CANCEL, NULL, NULL) == COMPANION_OK);
}

/* {"name":"AAAA..."}, to be given back with free. */
static char *long_arguments(const char *name, size_t length) {
  char *json = malloc(length + 32);
  expect(json != NULL);
  const int start = sprintf(json, "{\"%s\":\"", name);
  memset(json + start, 'A', length);
  strcpy(json + start + length, "\"}");
  return json;
}

static void refuse_bad_arguments(companion *handle) {
  static const char *const bad[] = {"",          "{",        "[]",          "null",      "{} {}",        "{\"a\":}",
                                    "{\"a\" 1}", "{a:1}",    "{\"a\":01}",  "{\"a\":1,}", "{\"a\":\"\n\"}", "{\"a\":tru}",
                                    "{\"a\":.5}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":1}}"};
  char *answer;
  for (size_t each = 0; each < sizeof bad / sizeof bad[0]; each++) {
    expect_answer(companion_call(handle, "balance", bad[each], &answer), COMPANION_INVALID_REQUEST, &answer,
                  "not one JSON object");
  }
  static const char *const good[] = {"{}", " {\n}\r\n", "{\n\"account\" : 0\n}", "{\"account\":null}"};
  for (size_t each = 0; each < sizeof good / sizeof good[0]; each++) {
    expect_answer(companion_call(handle, "balance", good[each], &answer), COMPANION_OK, &answer, "as_of_height");
  }
  expect_answer(companion_call(handle, "balance", "{\"account\":-1.5e3}", &answer), COMPANION_INVALID_REQUEST, &answer,
                "account");
  expect_answer(companion_call(handle, "balance\",\"id\":\"9", NULL, &answer), COMPANION_NOT_FOUND, &answer, "NOT_FOUND");
  char *large = long_arguments("password", 70000);
  expect_answer(companion_call(handle, COMPANION_CALL_WALLET_UNLOCK, large, &answer), COMPANION_BODY_TOO_LARGE, &answer,
                "64 KiB");
  free(large);
  /* A PCZT may be longer, though not for ever. */
  large = long_arguments("pczt", 3u << 19);
  expect_answer(companion_call(handle, COMPANION_CALL_PCZT_INSPECT, large, &answer), COMPANION_OK, &answer, "missing");
  free(large);
  large = long_arguments("pczt", 3u << 20);
  expect_answer(companion_call(handle, COMPANION_CALL_PCZT_INSPECT, large, &answer), COMPANION_BODY_TOO_LARGE, &answer,
                "2112 KiB");
  free(large);
  char deep[400] = "{\"a\":";
  memset(deep + 5, '[', 300);
  expect_answer(companion_call(handle, "balance", deep, &answer), COMPANION_INVALID_REQUEST, &answer, "JSON");
}

/* Dropped members would have the host work on the default wallet. */
static void refuse_bad_options(const char *data_dir) {
  struct {
    companion_options known;
    const char *newer;
  } options = {.known = {.data_dir = data_dir}, .newer = NULL};
  companion *handle;
  char *answer;
  const size_t sizes[] = {0, sizeof(size_t), sizeof options.known - 1};
  for (size_t each = 0; each < sizeof sizes / sizeof sizes[0]; each++) {
    options.known.size = sizes[each];
    expect_answer(companion_open(&options.known, &handle, &answer), COMPANION_INVALID_REQUEST, &answer, "member size");
    expect(handle == NULL);
  }
  options.known.size = sizeof options;
  expect(companion_open(&options.known, &handle, NULL) == COMPANION_OK);
  companion_close(handle);
  options.newer = "x";
  expect_answer(companion_open(&options.known, &handle, &answer), COMPANION_INVALID_REQUEST, &answer, "behind wallet");
}

int main(int count, char **words) {
  expect(count == 2);
  refuse_bad_options(words[1]);
  companion_options options = {.size = sizeof options, .data_dir = "/nonexistent"};
  companion *handle;
  char *answer;
  expect_answer(companion_open(&options, &handle, &answer), COMPANION_UNREACHABLE, &answer, "wallet-companion serve");
  expect(handle == NULL);
  companion_close(NULL);
  companion_free(NULL);

  options.data_dir = words[1];
  expect(companion_open(&options, &handle, &answer) == COMPANION_OK);
  expect(answer == NULL);

  pthread_t threads[THREADS];
  for (int thread = 0; thread < THREADS; thread++) pthread_create(&threads[thread], NULL, call_often, handle);
  for (int thread = 0; thread < THREADS; thread++) pthread_join(threads[thread], NULL);

  refuse_bad_arguments(handle);

  seen so_far = {.handle = handle, .progress = 0};
  companion_on_progress(handle, on_progress, &so_far);
  expect_answer(companion_call(handle, COMPANION_CALL_SYNC, "{\"start_height\":5,\"source\":\"node\"}", &answer),
                COMPANION_OK, &answer, "\"caught_up\"");
  expect(so_far.progress == 2);
  companion_on_progress(handle, NULL, NULL);
  expect(companion_call(handle, COMPANION_CALL_SYNC, "{\"start_height\":5,\"end_height\":9}", NULL) == COMPANION_OK);
  expect(so_far.progress == 2);

  expect(companion_next_event(handle, 0, &answer) == COMPANION_OK && answer == NULL);
  expect(companion_call(handle, COMPANION_CALL_WALLET_LOCK, NULL, NULL) == COMPANION_OK);
  expect_answer(companion_next_event(handle, 1800000, &answer), COMPANION_OK, &answer, "\"wallet.locked\"");

  expect(strcmp(companion_describe(COMPANION_WALLET_LOCKED)->name, "WALLET_LOCKED") == 0);
  expect(companion_describe((companion_code)9999) == companion_describe(COMPANION_INTERNAL));

  /* Closing ends what waits. Its own handle for events of another wallet: the companion sees its subscription, so it is known to wait. */
  companion *events;
  options.wallet = "savings";
  expect(companion_open(&options, &events, NULL) == COMPANION_OK);
  pthread_create(&threads[0], NULL, wait_in_vain, handle);
  pthread_create(&threads[1], NULL, wait_for_events, events);
  while (companion_call(handle, COMPANION_CALL_CONFIG_THEME, "{\"theme\":\"dark\"}", NULL) != COMPANION_OK) sched_yield();
  companion_close(handle);
  companion_close(events);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  puts("done");
  return 0;
}
