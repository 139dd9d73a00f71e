/* The functions that the specification names. Written by hand: a member that the table gains later must not change the
 * parameters of a function that programs are compiled with. */

#include "calls.h"

static void add_name(text *arguments, const char *name) {
  if (arguments->length > 0) text_append_literal(arguments, ",");
  text_append_quoted(arguments, name);
  text_append_literal(arguments, ":");
}

static void add_text(text *arguments, const char *name, const char *value) {
  if (value == NULL) return;
  add_name(arguments, name);
  text_append_quoted(arguments, value);
}

static void add_integer(text *arguments, const char *name, int64_t value) {
  if (value == COMPANION_ABSENT) return;
  add_name(arguments, name);
  text_append_integer(arguments, value);
}

static text server(const char *compact_server_url, const char *db_path) {
  text arguments = {0};
  add_text(&arguments, "compact_server_url", compact_server_url);
  add_text(&arguments, "db_path", db_path);
  return arguments;
}

companion_code companion_lwd_info(companion *handle, const char *compact_server_url, const char *db_path,
                                  char **answer) {
  text arguments = server(compact_server_url, db_path);
  return call_with(handle, COMPANION_CALL_LWD_INFO, &arguments, answer);
}

companion_code companion_lwd_chain_tip(companion *handle, const char *compact_server_url, const char *db_path,
                                       char **answer) {
  text arguments = server(compact_server_url, db_path);
  return call_with(handle, COMPANION_CALL_LWD_CHAIN_TIP, &arguments, answer);
}

companion_code companion_lwd_sync_compact(companion *handle, const char *compact_server_url, const char *db_path,
                                          int64_t start_height, int64_t end_height, char **answer) {
  text arguments = server(compact_server_url, db_path);
  add_integer(&arguments, "start_height", start_height);
  add_integer(&arguments, "end_height", end_height);
  return call_with(handle, COMPANION_CALL_LWD_SYNC_COMPACT, &arguments, answer);
}
