/* One handle: connections to a companion, each with one call at a time, and a thread-safe stock of idle ones. */

#include "companion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "platform.h"
#include "text.h"

/* Far above the largest answer; a companion that sends more is broken. */
#define MAX_ANSWER_BYTES (64 * 1024 * 1024)
#define RECEIVE_BYTES (16 * 1024)
/* Connections kept for later calls; more are opened when more calls run at a time. */
#define MAX_IDLE 4
#define DEFAULT_START_TIMEOUT_MS 30000
#define START_POLL_MS 25
/* How long a companion may take to answer a subscription, where the caller would wait less for an event. */
#define SUBSCRIBE_PATIENCE_MS 5000
#define MAX_SERVE_ARGUMENTS 64

/* Each connection has one call at a time, so one id is enough. */
#define CALL_ID 1
#define SUBSCRIPTION_ID 0
#define GRANT_ID 2
#define PRESENT "grant_present"

typedef struct connection {
  platform_stream *stream;
  text received;
  /* How much of `received` is known to hold no line end. */
  size_t searched;
  /* The handle's count of presented grants when it was opened. */
  size_t grants;
  struct connection *next;
} connection;

struct companion {
  char *socket_path;
  /* NULL: the default one. */
  char *wallet;
  platform_process *started;
  platform_lock lock;
  platform_condition changed;
  connection *idle;
  size_t idle_count;
  connection *active;
  /* Calls inside the library, which companion_close waits for. */
  size_t running;
  bool closing;
  companion_progress progress;
  void *progress_user;
  /* The request that presents the handle's grant on each new connection; empty: none. */
  text grant;
  size_t grants;
  /* A thread waits for events; the others wait for their turn. */
  bool listening;
  /* Used by that thread. */
  connection *events;
  /* The JSON of the id of the last event that was returned, or of the last one before the first subscription. */
  text last_event_id;
};

/* -------------------------------------------------------------------------------------------------------- problems */

/* The problem record of a failure that no companion reported. */
static companion_code report(companion_code code, const char *detail, char **answer) {
  if (answer == NULL) return code;
  const companion_code_description *description = companion_describe(code);
  text problem = {0};
  text_append_literal(&problem, "{\"type\":\"urn:wallet-companion:problem:");
  text_append_literal(&problem, description->name);
  text_append_literal(&problem, "\",\"title\":");
  text_append_quoted(&problem, description->title);
  text_append_literal(&problem, ",\"status\":");
  text_append_integer(&problem, description->http_status);
  text_append_literal(&problem, ",\"detail\":");
  text_append_quoted(&problem, detail);
  text_append_literal(&problem, ",\"code\":");
  text_append_quoted(&problem, description->name);
  text_append_literal(&problem, description->retryable ? ",\"retryable\":true" : ",\"retryable\":false");
  text_append_literal(&problem, ",\"request_id\":\"libcompanion\"}");
  *answer = problem.failed ? NULL : copy_of(problem.bytes, problem.length);
  text_release(&problem);
  return code;
}

static companion_code report_no_memory(char **answer) {
  return report(COMPANION_INTERNAL, "There is not enough memory.", answer);
}

static companion_code report_lost(char **answer) {
  return report(COMPANION_UNREACHABLE, "The companion ended or cut the connection before it answered.",
                answer);
}

static companion_code report_unreachable(char **answer) {
  return report(COMPANION_UNREACHABLE,
                "No companion of this user answers on the private socket of the data directory. Start one with "
                "\"wallet-companion serve\".",
                answer);
}

void companion_free(char *released) {
  if (released == NULL) return;
  wipe(released, strlen(released));
  free(released);
}

static companion_code report_not_started(const char *why, char **answer) {
  text detail = {0};
  text_append_literal(&detail, "The program could not be started");
  text_append_literal(&detail, why[0] == '\0' ? "" : ": ");
  text_append_literal(&detail, why);
  text_append_literal(&detail, ". Check the path that was given as program (or in WALLET_COMPANION_PROGRAM).");
  text_append(&detail, "", 1);
  const companion_code code = report(COMPANION_UNREACHABLE, detail.failed ? "The program could not be started." : detail.bytes,
                                     answer);
  text_release(&detail);
  return code;
}

static companion_code report_started_in_vain(platform_process *started, char **answer) {
  if (!platform_has_ended(started)) {
    return report(COMPANION_UNREACHABLE,
                  "The program was started and did not answer in time. Give it longer (start_timeout_ms).", answer);
  }
  text detail = {0};
  text_append_literal(&detail, "The program was started and ended");
  const int32_t exit_code = platform_exit_code(started);
  if (exit_code >= 0) {
    text_append_literal(&detail, " with exit code ");
    text_append_integer(&detail, exit_code);
  }
  text_append_literal(&detail, " before it answered; it said why on standard error.");
  text_append(&detail, "", 1);
  const companion_code code =
      report(COMPANION_UNREACHABLE, detail.failed ? "The program was started and ended." : detail.bytes, answer);
  text_release(&detail);
  return code;
}

/* ----------------------------------------------------------------------------------------------------- connections */

static connection *connection_open(const char *socket_path) {
  connection *opened = calloc(1, sizeof *opened);
  if (opened == NULL) return NULL;
  opened->stream = platform_connect(socket_path);
  if (opened->stream != NULL) return opened;
  free(opened);
  return NULL;
}

static void connection_close(connection *closed) {
  if (closed == NULL) return;
  platform_disconnect(closed->stream);
  text_release(&closed->received);
  free(closed);
}

/* The next line, without its end and valid until connection_done_with; a code of the platform's otherwise (0: closed). */
static ptrdiff_t connection_line(connection *from, span *line, int32_t timeout_ms) {
  for (;;) {
    text *received = &from->received;
    const size_t unsearched = received->length - from->searched;
    const char *end = unsearched == 0 ? NULL : memchr(received->bytes + from->searched, '\n', unsearched);
    if (end != NULL) {
      *line = (span){received->bytes, end};
      return 1;
    }
    from->searched = received->length;
    char chunk[RECEIVE_BYTES];
    const ptrdiff_t length = platform_receive(from->stream, chunk, sizeof chunk, timeout_ms);
    if (length > 0) text_append(received, chunk, (size_t)length);
    wipe(chunk, sizeof chunk);
    if (length <= 0) return length;
    if (received->failed || received->length > MAX_ANSWER_BYTES) return PLATFORM_BROKEN;
  }
}

static void connection_done_with(connection *from, span line) {
  text_drop(&from->received, (size_t)(line.end - line.start) + 1);
  from->searched = 0;
}

/*
 * Links a connection in among those that companion_close interrupts, and begins what is sent on it with the handle's
 * grant; false when the handle is closing.
 */
static bool activate(companion *handle, connection *opened, text *opening) {
  platform_lock_take(&handle->lock);
  const bool open = !handle->closing;
  if (open) {
    text_append(opening, handle->grant.bytes, handle->grant.length);
    opened->grants = handle->grants;
    opened->next = handle->active;
    handle->active = opened;
  }
  platform_lock_leave(&handle->lock);
  return open;
}

/* Takes a connection out of the active ones, and keeps it for later calls where that is wanted. */
static void deactivate(companion *handle, connection *used, bool keep) {
  platform_lock_take(&handle->lock);
  connection **place = &handle->active;
  while (*place != used) place = &(*place)->next;
  *place = used->next;
  if (keep && !handle->closing && used->grants == handle->grants && handle->idle_count < MAX_IDLE) {
    used->next = handle->idle;
    handle->idle = used;
    handle->idle_count++;
    used = NULL;
  }
  platform_lock_leave(&handle->lock);
  connection_close(used);
}

static connection *take_idle(companion *handle) {
  platform_lock_take(&handle->lock);
  connection *idle = handle->closing ? NULL : handle->idle;
  if (idle != NULL) {
    handle->idle = idle->next;
    handle->idle_count--;
    idle->next = handle->active;
    handle->active = idle;
  }
  platform_lock_leave(&handle->lock);
  return idle;
}

static connection *open_active(companion *handle, text *opening) {
  connection *opened = connection_open(handle->socket_path);
  if (opened == NULL || activate(handle, opened, opening)) return opened;
  connection_close(opened);
  return NULL;
}

static void close_idle(companion *handle) {
  while (handle->idle != NULL) {
    connection *next = handle->idle->next;
    connection_close(handle->idle);
    handle->idle = next;
  }
  handle->idle_count = 0;
}

/*
 * An active connection on which the request has been sent, or NULL. One that lay idle may be of a companion that has
 * ended since: when not even sending works, nothing was asked, and the next one is tried.
 */
static connection *send_request(companion *handle, const text *request) {
  connection *used;
  while ((used = take_idle(handle)) != NULL) {
    if (platform_send(used->stream, request->bytes, request->length)) return used;
    deactivate(handle, used, false);
  }
  text opening = {0};
  used = open_active(handle, &opening);
  if (used == NULL) return NULL;
  text_append(&opening, request->bytes, request->length);
  const bool sent = !opening.failed && platform_send(used->stream, opening.bytes, opening.length);
  text_release(&opening);
  if (sent) return used;
  deactivate(handle, used, false);
  return NULL;
}

/* ----------------------------------------------------------------------------------------------------------- calls */

static bool enter(companion *handle) {
  platform_lock_take(&handle->lock);
  const bool open = !handle->closing;
  if (open) handle->running++;
  platform_lock_leave(&handle->lock);
  return open;
}

static void leave(companion *handle) {
  platform_lock_take(&handle->lock);
  handle->running--;
  if (handle->running == 0) platform_condition_tell_all(&handle->changed);
  platform_lock_leave(&handle->lock);
}

static companion_code code_of(span problem) {
  span name;
  if (!json_member(problem, "code", &name)) return COMPANION_INTERNAL;
  for (int code = 1; code < COMPANION_CODE_END; code++) {
    if (json_is_string(name, companion_describe((companion_code)code)->name)) return (companion_code)code;
  }
  return COMPANION_INTERNAL;
}

/* Sets `*code` and `*answer` from the answer to a request. */
static void read_answer(span line, companion_code *code, char **answer) {
  span body;
  if (json_member(line, "result", &body)) {
    *code = COMPANION_OK;
  } else if (json_member(line, "error", &body)) {
    *code = code_of(body);
  } else {
    *code = report(COMPANION_INTERNAL, "The companion's answer cannot be read.", answer);
    return;
  }
  if (answer == NULL) return;
  *answer = copy_of(body.start, (size_t)(body.end - body.start));
  if (*answer == NULL) *code = COMPANION_INTERNAL;
}

/* Whether the line answers this request. A null id: the companion could not read what was sent, which was this alone. */
static bool answers(span line, int64_t wanted) {
  span id;
  return json_member(line, "id", &id) && (json_is_integer(id, wanted) || json_is_null(id));
}

static void tell_progress(span line, companion_progress progress, void *user) {
  span event, data;
  if (!json_member(line, "event", &event) || !json_is_string(event, "sync.progress")) return;
  if (!json_member(line, "data", &data)) return;
  char *copy = copy_of(data.start, (size_t)(data.end - data.start));
  if (copy == NULL) return;
  progress(copy, user);
  companion_free(copy);
}

/* Listens until the answer has come. */
static companion_code await_answer(connection *used, companion_progress progress, void *user, bool *whole,
                                   char **answer) {
  for (;;) {
    span line;
    if (connection_line(used, &line, -1) <= 0) {
      *whole = false;
      return report_lost(answer);
    }
    companion_code code = COMPANION_INTERNAL;
    const bool answered = answers(line, CALL_ID);
    if (answered) read_answer(line, &code, answer);
    else if (progress != NULL) tell_progress(line, progress, user);
    connection_done_with(used, line);
    if (answered) return code;
  }
}

/* What a request begins with. */
static void append_head(text *request, const companion *handle, int64_t id, const char *command) {
  text_append_literal(request, "{\"id\":");
  text_append_integer(request, id);
  if (handle->wallet != NULL) {
    text_append_literal(request, ",\"wallet\":");
    text_append_quoted(request, handle->wallet);
  }
  text_append_literal(request, ",\"command\":");
  text_append_quoted(request, command);
}

static void append_call(text *request, const companion *handle, int64_t id, const char *command,
                        const text *arguments) {
  append_head(request, handle, id, command);
  text_append_literal(request, ",\"args\":{");
  text_append(request, arguments->bytes, arguments->length);
  text_append_literal(request, "}}\n");
}

static companion_code exchange(companion *handle, const text *request, bool with_progress, char **answer) {
  platform_lock_take(&handle->lock);
  const companion_progress progress = with_progress ? handle->progress : NULL;
  void *user = handle->progress_user;
  platform_lock_leave(&handle->lock);
  text subscribing = {0};
  if (progress != NULL) {
    append_head(&subscribing, handle, SUBSCRIPTION_ID, "events_subscribe");
    text_append_literal(&subscribing, "}\n");
    text_append(&subscribing, request->bytes, request->length);
    if (subscribing.failed) {
      text_release(&subscribing);
      return report_no_memory(answer);
    }
  }
  connection *used = send_request(handle, progress == NULL ? request : &subscribing);
  text_release(&subscribing);
  if (used == NULL) return report_unreachable(answer);
  bool whole = true;
  const companion_code code = await_answer(used, progress, user, &whole, answer);
  /* A connection that is subscribed would fill with events that nobody reads. */
  deactivate(handle, used, whole && progress == NULL);
  return code;
}

/* What the companion would refuse, and cut the connection. */
static companion_code report_too_large(size_t limit, char **answer) {
  char detail[64];
  snprintf(detail, sizeof detail, "The input must be at most %u KiB.", (unsigned)(limit / 1024));
  return report(COMPANION_BODY_TOO_LARGE, detail, answer);
}

companion_code call_with(companion *handle, const char *command, text *arguments, char **answer) {
  if (answer != NULL) *answer = NULL;
  text request = {0};
  append_call(&request, handle, CALL_ID, command, arguments);
  companion_code code;
  if (request.failed || arguments->failed) {
    code = report_no_memory(answer);
  } else if (request.length > request_limit(command)) {
    code = report_too_large(request_limit(command), answer);
  } else if (!enter(handle)) {
    code = report_lost(answer);
  } else {
    code = exchange(handle, &request, strcmp(command, COMPANION_CALL_SYNC) == 0, answer);
    leave(handle);
  }
  text_release(&request);
  text_release(arguments);
  return code;
}

/* A request is one line; in valid JSON a raw line break is white space. */
static void one_line(text *json) {
  for (size_t at = 0; at < json->length; at++) {
    if (json->bytes[at] == '\n' || json->bytes[at] == '\r') json->bytes[at] = ' ';
  }
}

/* All connections that carry later calls are the grant's; running calls end as they began. */
static companion_code present(companion *handle, text *arguments, char **answer) {
  text request = {0};
  append_call(&request, handle, GRANT_ID, PRESENT, arguments);
  if (request.failed) {
    text_release(&request);
    text_release(arguments);
    return report_no_memory(answer);
  }
  const companion_code code = call_with(handle, PRESENT, arguments, answer);
  /* A token that holds no more takes the place of the owner's rights too. */
  if (code == COMPANION_OK || code == COMPANION_GRANT_REQUIRED || code == COMPANION_GRANT_EXPIRED) {
    platform_lock_take(&handle->lock);
    const text before = handle->grant;
    handle->grant = request;
    request = before;
    handle->grants++;
    close_idle(handle);
    if (handle->events != NULL) platform_interrupt(handle->events->stream);
    platform_lock_leave(&handle->lock);
  }
  text_release(&request);
  return code;
}

companion_code companion_call(companion *handle, const char *command, const char *arguments_json, char **answer) {
  text arguments = {0};
  if (arguments_json != NULL) {
    const span json = {arguments_json, arguments_json + strlen(arguments_json)};
    if (!json_is_value(json, '{')) {
      if (answer != NULL) *answer = NULL;
      return report(COMPANION_INVALID_REQUEST, "The arguments are not one JSON object, or nested too deep.", answer);
    }
    const char *inside = strchr(arguments_json, '{') + 1;
    text_append(&arguments, inside, (size_t)(strrchr(arguments_json, '}') - inside));
    one_line(&arguments);
  }
  if (strcmp(command, PRESENT) == 0) return present(handle, &arguments, answer);
  return call_with(handle, command, &arguments, answer);
}

/* ---------------------------------------------------------------------------------------------------------- events */

void companion_on_progress(companion *handle, companion_progress callback, void *user) {
  platform_lock_take(&handle->lock);
  handle->progress = callback;
  handle->progress_user = user;
  platform_lock_leave(&handle->lock);
}

/* How much time is left until then; negative: for ever. */
static int32_t left_until(int64_t until) {
  if (until < 0) return -1;
  const int64_t left = until - platform_now_ms();
  return left > 0 ? (int32_t)left : 0;
}

/* The old id is dropped last: out of memory an event comes twice rather than never. */
static void keep_event_id(companion *handle, span id) {
  text *kept = &handle->last_event_id;
  const size_t old = kept->length;
  text_append(kept, id.start, (size_t)(id.end - id.start));
  if (!kept->failed) text_drop(kept, old);
}

/*
 * Subscribes, and waits until the companion says that it tells events from now on. A code of the platform's otherwise (0:
 * closed); 1 with a code that is not COMPANION_OK: refused.
 */
static ptrdiff_t subscribe(companion *handle, connection *opened, text *opening, int64_t until,
                           companion_code *code, char **problem) {
  const text *after = &handle->last_event_id;
  append_head(opening, handle, SUBSCRIPTION_ID, "events_subscribe");
  if (after->length > 0) {
    text_append_literal(opening, ",\"args\":{\"last_event_id\":");
    text_append(opening, after->bytes, after->length);
    text_append_literal(opening, "}");
  }
  text_append_literal(opening, "}\n");
  if (opening->failed || !platform_send(opened->stream, opening->bytes, opening->length)) return PLATFORM_BROKEN;
  for (;;) {
    span line;
    const ptrdiff_t received = connection_line(opened, &line, left_until(until));
    if (received <= 0) return received;
    const bool answered = answers(line, SUBSCRIPTION_ID);
    span result, id;
    if (answered) {
      read_answer(line, code, problem);
      if (after->length == 0 && json_member(line, "result", &result) && json_member(result, "last_event_id", &id))
        keep_event_id(handle, id);
    }
    connection_done_with(opened, line);
    if (answered) return received;
  }
}

/* Opens the subscribed connection. NULL with COMPANION_OK: the time is over. */
static companion_code open_events(companion *handle, int64_t until, connection **from, char **problem) {
  text opening = {0};
  connection *opened = open_active(handle, &opening);
  *from = NULL;
  if (opened == NULL) return report_unreachable(problem);
  companion_code code = COMPANION_OK;
  /* Longer than a short wait, so that one that does not wait at all subscribes too. */
  const int64_t patient_until = platform_now_ms() + SUBSCRIBE_PATIENCE_MS;
  if (until >= 0 && until < patient_until) until = patient_until;
  const ptrdiff_t received = subscribe(handle, opened, &opening, until, &code, problem);
  text_release(&opening);
  if (received > 0 && code == COMPANION_OK) {
    companion_free(*problem);
    *problem = NULL;
    *from = opened;
    return COMPANION_OK;
  }
  deactivate(handle, opened, false);
  if (received > 0) return code;
  return received == PLATFORM_TIMED_OUT ? COMPANION_OK : report_lost(problem);
}

/* The subscribed connection; a grant that was presented since is not its. */
static connection *current_events(companion *handle) {
  platform_lock_take(&handle->lock);
  connection *from = handle->events;
  const bool current = from != NULL && from->grants == handle->grants;
  if (!current) handle->events = NULL;
  platform_lock_leave(&handle->lock);
  if (current || from == NULL) return from;
  deactivate(handle, from, false);
  return NULL;
}

static void set_events(companion *handle, connection *from) {
  platform_lock_take(&handle->lock);
  handle->events = from;
  platform_lock_leave(&handle->lock);
}

static companion_code wait_for_event(companion *handle, int64_t until, char **event) {
  for (;;) {
    connection *from = current_events(handle);
    if (from == NULL) {
      const companion_code code = open_events(handle, until, &from, event);
      if (from == NULL) return code;
      set_events(handle, from);
    }
    span line;
    const ptrdiff_t received = connection_line(from, &line, left_until(until));
    if (received == PLATFORM_TIMED_OUT) return COMPANION_OK;
    if (received <= 0) {
      /* Interrupted for a grant: the connection is not the current one. */
      if (current_events(handle) == NULL) continue;
      set_events(handle, NULL);
      deactivate(handle, from, false);
      return report_lost(event);
    }
    span name, id;
    const bool is_event = json_member(line, "event", &name);
    if (is_event) *event = copy_of(line.start, (size_t)(line.end - line.start));
    if (*event != NULL && json_member(line, "event_id", &id)) keep_event_id(handle, id);
    connection_done_with(from, line);
    if (is_event) return *event == NULL ? COMPANION_INTERNAL : COMPANION_OK;
  }
}

companion_code companion_next_event(companion *handle, int32_t timeout_ms, char **event) {
  *event = NULL;
  if (!enter(handle)) return report_lost(event);
  const int64_t until = timeout_ms < 0 ? -1 : platform_now_ms() + timeout_ms;
  companion_code code = COMPANION_OK;
  platform_lock_take(&handle->lock);
  while (handle->listening && !handle->closing && left_until(until) != 0)
    platform_condition_wait(&handle->changed, &handle->lock, left_until(until));
  const bool turn = !handle->listening && !handle->closing;
  if (turn) handle->listening = true;
  else if (handle->closing) code = report_lost(event);
  platform_lock_leave(&handle->lock);
  if (turn) {
    code = wait_for_event(handle, until, event);
    platform_lock_take(&handle->lock);
    handle->listening = false;
    platform_condition_tell_all(&handle->changed);
    platform_lock_leave(&handle->lock);
  }
  leave(handle);
  return code;
}

/* --------------------------------------------------------------------------------------------------- open and close */

static const char *first_given(const char *option, const char *variable) {
  const char *value = option != NULL ? option : getenv(variable);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static char *locate_socket(const companion_options *options) {
  const char *given = first_given(options->data_dir, "WALLET_COMPANION_DATA_DIR");
  if (given != NULL) return platform_socket_path(given);
  char *usual = platform_data_dir();
  char *path = usual == NULL ? NULL : platform_socket_path(usual);
  free(usual);
  return path;
}

static platform_process *start_program(const companion_options *options, const char *program, char *why,
                                       size_t why_size) {
  const char *arguments[MAX_SERVE_ARGUMENTS + 10];
  size_t count = 0;
  arguments[count++] = program;
  arguments[count++] = "serve";
  arguments[count++] = "--port";
  arguments[count++] = "0";
  arguments[count++] = "--end-with-stdin";
  if (options->data_dir != NULL) {
    arguments[count++] = "--data-dir";
    arguments[count++] = options->data_dir;
  }
  if (options->config_dir != NULL) {
    arguments[count++] = "--config-dir";
    arguments[count++] = options->config_dir;
  }
  for (size_t more = 0; options->serve_arguments != NULL && options->serve_arguments[more] != NULL; more++) {
    if (more == MAX_SERVE_ARGUMENTS) {
      snprintf(why, why_size, "more than %d serve_arguments", MAX_SERVE_ARGUMENTS);
      return NULL;
    }
    arguments[count++] = options->serve_arguments[more];
  }
  arguments[count] = NULL;
  return platform_start(arguments, why, why_size);
}

/* Starts a companion and waits until it answers. */
static connection *start_and_connect(companion *handle, const companion_options *options, const char *program,
                                     char *why, size_t why_size) {
  handle->started = start_program(options, program, why, why_size);
  if (handle->started == NULL) return NULL;
  const int32_t patience = options->start_timeout_ms > 0 ? options->start_timeout_ms : DEFAULT_START_TIMEOUT_MS;
  const int64_t until = platform_now_ms() + patience;
  for (;;) {
    /* Looked at first: a companion that lost the directory to another one has ended, and the other one may answer. */
    const bool ended = platform_has_ended(handle->started);
    connection *opened = connection_open(handle->socket_path);
    if (opened != NULL || ended || platform_now_ms() > until) return opened;
    platform_pause_ms(START_POLL_MS);
  }
}

/* The options of the first version of this header; the members behind them came later. */
#define FIRST_OPTIONS_SIZE offsetof(companion_options, wallet)

/* Copies the options. A member that would be dropped decides about the wallet, so it is refused. */
static companion_code read_options(const companion_options *given, companion_options *wanted, char **problem) {
  if (given == NULL) return COMPANION_OK;
  const size_t known = sizeof *wanted;
  if (given->size != FIRST_OPTIONS_SIZE && given->size < known) {
    return report(COMPANION_INVALID_REQUEST,
                  "The member size of companion_options is none that a version of the header has. Set it to "
                  "sizeof(companion_options); without it no other member is read.",
                  problem);
  }
  for (size_t at = known; at < given->size; at++) {
    if (((const char *)given)[at] == 0) continue;
    return report(COMPANION_INVALID_REQUEST,
                  "A member of companion_options behind wallet is set, which this version of the library does not "
                  "have. Leave it out, or use the library of that header.",
                  problem);
  }
  memcpy(wanted, given, given->size < known ? given->size : known);
  return COMPANION_OK;
}

companion_code companion_open(const companion_options *options, companion **opened, char **problem) {
  companion_options wanted = {0};
  char why[256] = "";
  *opened = NULL;
  if (problem != NULL) *problem = NULL;
  if (read_options(options, &wanted, problem) != COMPANION_OK) return COMPANION_INVALID_REQUEST;
  companion *handle = calloc(1, sizeof *handle);
  if (handle == NULL) return report_no_memory(problem);
  platform_lock_init(&handle->lock);
  platform_condition_init(&handle->changed);
  handle->socket_path = locate_socket(&wanted);
  const char *wallet = first_given(wanted.wallet, "WALLET_COMPANION_WALLET");
  if (wallet != NULL && (handle->wallet = copy_of(wallet, strlen(wallet))) == NULL) {
    companion_close(handle);
    return report_no_memory(problem);
  }
  const char *program = first_given(wanted.program, "WALLET_COMPANION_PROGRAM");
  if (handle->socket_path != NULL) {
    handle->idle = connection_open(handle->socket_path);
    if (handle->idle == NULL && program != NULL) {
      handle->idle = start_and_connect(handle, &wanted, program, why, sizeof why);
      if (handle->idle == NULL) {
        const companion_code code = handle->started == NULL ? report_not_started(why, problem)
                                                            : report_started_in_vain(handle->started, problem);
        companion_close(handle);
        return code;
      }
    }
  }
  if (handle->idle == NULL) {
    companion_close(handle);
    return report_unreachable(problem);
  }
  handle->idle_count = 1;
  *opened = handle;
  return COMPANION_OK;
}

void companion_close(companion *handle) {
  if (handle == NULL) return;
  platform_lock_take(&handle->lock);
  handle->closing = true;
  for (connection *used = handle->active; used != NULL; used = used->next) platform_interrupt(used->stream);
  platform_condition_tell_all(&handle->changed);
  while (handle->running > 0) platform_condition_wait(&handle->changed, &handle->lock, -1);
  platform_lock_leave(&handle->lock);
  if (handle->events != NULL) deactivate(handle, handle->events, false);
  close_idle(handle);
  text_release(&handle->grant);
  text_release(&handle->last_event_id);
  if (handle->started != NULL) platform_stop(handle->started);
  platform_condition_destroy(&handle->changed);
  platform_lock_destroy(&handle->lock);
  free(handle->socket_path);
  free(handle->wallet);
  free(handle);
}
