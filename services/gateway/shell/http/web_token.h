/* web_token.h: what the operator's page and Prometheus must bring, where the operator wants them to bring something. */
#ifndef ARBITER_GATEWAY_WEB_TOKEN_H
#define ARBITER_GATEWAY_WEB_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

#define WEB_TOKEN_MIN 16
#define WEB_TOKEN_MAX 128

/* Reads the file's first line; no file at all ("") is no token. False, and a sentence: there is none in it. */
bool web_token_read(char token[WEB_TOKEN_MAX + 1], const char *path, struct text *fault);
/* Whether an Authorization header brings it, as RFC 6750 says: `Bearer TOKEN`. */
bool web_token_fits(const char *token, const char *header);

#endif
