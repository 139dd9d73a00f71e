/* Functions for calls that the library's own files share. */
#ifndef COMPANION_CALLS_H
#define COMPANION_CALLS_H

#include "companion.h"
#include "text.h"

/* Runs a command with the members of a JSON object as its arguments, and releases (wipes) these. */
companion_code call_with(companion *handle, const char *command, text *arguments, char **answer);
/* The limit in bytes of a request with this command. */
size_t request_limit(const char *command);

#endif
