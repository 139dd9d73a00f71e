/* A growing text, and the part of JSON that is needed to write arguments and to find members in an answer. */
#ifndef COMPANION_TEXT_H
#define COMPANION_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Overwrites memory in a way that the compiler does not optimise away. */
void wipe(void *memory, size_t length);

/* Growing bytes; released memory is wiped, since it may contain a password. Once out of memory it stays `failed`. */
typedef struct text {
  char *bytes;
  size_t length;
  size_t capacity;
  bool failed;
} text;

void text_append(text *to, const char *bytes, size_t length);
void text_append_literal(text *to, const char *literal);
void text_append_integer(text *to, int64_t value);
/* A JSON string, quotes included. */
void text_append_quoted(text *to, const char *value);
/* Drops the first `length` bytes. */
void text_drop(text *from, size_t length);
void text_release(text *released);
/* A NUL-terminated copy for companion_free, or NULL. */
char *copy_of(const char *bytes, size_t length);

/* A part of a text that another object owns. */
typedef struct span {
  const char *start;
  const char *end;
} span;

/* Whether the span is exactly one valid JSON value that starts with `first` ('{' for an object). */
bool json_is_value(span json, char first);
/* Finds a member of a JSON object. */
bool json_member(span object, const char *name, span *value);
/* Whether the value is this string; for names without escapes. */
bool json_is_string(span value, const char *expected);
/* Whether the value is this integer. */
bool json_is_integer(span value, int64_t expected);
bool json_is_null(span value);

#endif
