#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of arguments, for the stack. The companion takes far less, and its refusal names the member. */
#define MAX_DEPTH 256

void wipe(void *memory, size_t length) {
  volatile unsigned char *byte = memory;
  while (length-- > 0) *byte++ = 0;
}

static bool text_reserve(text *to, size_t more) {
  if (to->failed || more > SIZE_MAX / 2 - to->length) {
    to->failed = true;
    return false;
  }
  const size_t wanted = to->length + more;
  if (wanted <= to->capacity) return true;
  size_t capacity = to->capacity == 0 ? 256 : to->capacity;
  while (capacity < wanted) capacity *= 2;
  /* Not realloc: it leaves a copy behind. */
  char *bytes = malloc(capacity);
  if (bytes == NULL) {
    to->failed = true;
    return false;
  }
  if (to->length > 0) memcpy(bytes, to->bytes, to->length);
  if (to->bytes != NULL) {
    wipe(to->bytes, to->length);
    free(to->bytes);
  }
  to->bytes = bytes;
  to->capacity = capacity;
  return true;
}

void text_append(text *to, const char *bytes, size_t length) {
  if (length == 0 || !text_reserve(to, length)) return;
  memcpy(to->bytes + to->length, bytes, length);
  to->length += length;
}

void text_append_literal(text *to, const char *literal) { text_append(to, literal, strlen(literal)); }

void text_append_integer(text *to, int64_t value) {
  char digits[24];
  snprintf(digits, sizeof digits, "%" PRId64, value);
  text_append_literal(to, digits);
}

void text_append_quoted(text *to, const char *value) {
  text_append_literal(to, "\"");
  for (const char *start = value;;) {
    const char *plain = start;
    while ((unsigned char)*plain >= 0x20 && *plain != '"' && *plain != '\\') plain++;
    text_append(to, start, (size_t)(plain - start));
    if (*plain == '\0') break;
    char escaped[8];
    snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*plain);
    text_append_literal(to, escaped);
    start = plain + 1;
  }
  text_append_literal(to, "\"");
}

void text_drop(text *from, size_t length) {
  const size_t rest = from->length - length;
  if (rest > 0) memmove(from->bytes, from->bytes + length, rest);
  wipe(from->bytes + rest, length);
  from->length = rest;
}

void text_release(text *released) {
  if (released->bytes != NULL) {
    wipe(released->bytes, released->length);
    free(released->bytes);
  }
  memset(released, 0, sizeof *released);
}

char *copy_of(const char *bytes, size_t length) {
  char *copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, bytes, length);
  copy[length] = '\0';
  return copy;
}

/* Each scanner takes where to start, and returns where it stopped or NULL when what is there is not JSON. */

static const char *skip_space(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
  return at;
}

static bool is_hex(char digit) {
  return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f') || (digit >= 'A' && digit <= 'F');
}

static const char *skip_string(const char *at, const char *end) {
  for (at++; at < end; at++) {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at == '"') return at + 1;
    if (*at != '\\') continue;
    if (++at == end) return NULL;
    if (*at != 'u') {
      if (*at == '\0' || strchr("\"\\/bfnrt", *at) == NULL) return NULL;
      continue;
    }
    for (int digit = 0; digit < 4; digit++) {
      if (++at >= end || !is_hex(*at)) return NULL;
    }
  }
  return NULL;
}

static const char *skip_digits(const char *at, const char *end) {
  const char *first = at;
  while (at < end && *at >= '0' && *at <= '9') at++;
  return at == first ? NULL : at;
}

static const char *skip_number(const char *at, const char *end) {
  if (at < end && *at == '-') at++;
  if (at < end && *at == '0') at++;
  else if ((at = skip_digits(at, end)) == NULL) return NULL;
  if (at < end && *at == '.' && (at = skip_digits(at + 1, end)) == NULL) return NULL;
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    at = skip_digits(at, end);
  }
  return at;
}

static const char *skip_word(const char *at, const char *end, const char *word) {
  const size_t length = strlen(word);
  return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

static const char *skip_value(const char *at, const char *end, int depth);

/* Members or items up to the closing bracket. */
static const char *skip_list(const char *at, const char *end, int depth, bool named) {
  const char closing = named ? '}' : ']';
  at = skip_space(at + 1, end);
  if (at < end && *at == closing) return at + 1;
  for (;;) {
    if (named) {
      if (at >= end || *at != '"' || (at = skip_string(at, end)) == NULL) return NULL;
      at = skip_space(at, end);
      if (at >= end || *at != ':') return NULL;
      at = skip_space(at + 1, end);
    }
    if ((at = skip_value(at, end, depth)) == NULL) return NULL;
    at = skip_space(at, end);
    if (at >= end) return NULL;
    if (*at == closing) return at + 1;
    if (*at != ',') return NULL;
    at = skip_space(at + 1, end);
  }
}

static const char *skip_value(const char *at, const char *end, int depth) {
  if (at >= end || depth == MAX_DEPTH) return NULL;
  switch (*at) {
    case '{':
      return skip_list(at, end, depth + 1, true);
    case '[':
      return skip_list(at, end, depth + 1, false);
    case '"':
      return skip_string(at, end);
    case 't':
      return skip_word(at, end, "true");
    case 'f':
      return skip_word(at, end, "false");
    case 'n':
      return skip_word(at, end, "null");
    default:
      return skip_number(at, end);
  }
}

/* A value of a companion's answer, which is JSON: as deep as it is, without checks inside of it. */
static const char *skip_answer(const char *at, const char *end) {
  if (at >= end || (*at != '{' && *at != '[')) return skip_value(at, end, 0);
  size_t depth = 0;
  while (at < end) {
    if (*at == '"') {
      if ((at = skip_string(at, end)) == NULL) return NULL;
      continue;
    }
    if (*at == '{' || *at == '[') depth++;
    else if (*at == '}' || *at == ']') depth--;
    at++;
    if (depth == 0) return at;
  }
  return NULL;
}

bool json_is_value(span json, char first) {
  const char *at = skip_space(json.start, json.end);
  if (at >= json.end || *at != first) return false;
  at = skip_value(at, json.end, 0);
  return at != NULL && skip_space(at, json.end) == json.end;
}

bool json_member(span object, const char *name, span *value) {
  const char *end = object.end;
  const char *at = skip_space(object.start, end);
  if (at >= end || *at != '{') return false;
  at = skip_space(at + 1, end);
  while (at < end && *at == '"') {
    const span found = {at, skip_string(at, end)};
    if (found.end == NULL) return false;
    at = skip_space(found.end, end);
    if (at >= end || *at != ':') return false;
    at = skip_space(at + 1, end);
    const char *after = skip_answer(at, end);
    if (after == NULL) return false;
    if (json_is_string(found, name)) {
      *value = (span){at, after};
      return true;
    }
    at = skip_space(after, end);
    if (at >= end || *at != ',') return false;
    at = skip_space(at + 1, end);
  }
  return false;
}

bool json_is_string(span value, const char *expected) {
  const size_t length = strlen(expected);
  return (size_t)(value.end - value.start) == length + 2 && value.start[0] == '"' &&
         memcmp(value.start + 1, expected, length) == 0;
}

bool json_is_integer(span value, int64_t expected) {
  char digits[24];
  const int length = snprintf(digits, sizeof digits, "%" PRId64, expected);
  return value.end - value.start == length && memcmp(value.start, digits, (size_t)length) == 0;
}

bool json_is_null(span value) { return value.end - value.start == 4 && memcmp(value.start, "null", 4) == 0; }
