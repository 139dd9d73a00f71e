/* What the library's own files share about calls. */
#ifndef COMPANION_CALLS_H
#define COMPANION_CALLS_H

#include "companion.h"
#include "text.h"

/* Runs a command with the inside of a JSON object as its arguments, and releases (wipes) these. */
companion_code call_with(companion *handle, const char *command, text *arguments, char **answer);
/* How many bytes a request with this command may have. */
size_t request_limit(const char *command);

#endif
