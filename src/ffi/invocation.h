/* What the generated functions are made of. */
#ifndef COMPANION_INVOCATION_H
#define COMPANION_INVOCATION_H

#include "companion.h"
#include "text.h"

/* The arguments of one call, as the inside of a JSON object. */
typedef struct invocation {
  text members;
} invocation;

void invocation_text(invocation *call, const char *name, const char *value);
void invocation_integer(invocation *call, const char *name, int64_t value);
void invocation_flag(invocation *call, const char *name, int32_t value);
/* A list of the names between commas. */
void invocation_names(invocation *call, const char *name, const char *value);
/* A list that is JSON text already. */
void invocation_json(invocation *call, const char *name, const char *value);
/* How many bytes a request with this command may have. */
size_t invocation_limit(const char *command);
/* Runs the command and releases the arguments. */
companion_code invocation_run(invocation *call, companion *handle, const char *command, char **answer);

#endif
