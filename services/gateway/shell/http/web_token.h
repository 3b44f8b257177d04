/* web_token.h: what the operator's page and Prometheus must bring, where the operator wants them to bring something. */
#ifndef ARBITER_GATEWAY_WEB_TOKEN_H
#define ARBITER_GATEWAY_WEB_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define WEB_TOKEN_MIN 16
#define WEB_TOKEN_MAX 128
#define WEB_WHOS_MAX 32
#define WEB_WHO_MAX 32 /* Bytes of a name, as the lobby has it.                               */

/* Reads the file's first line; no file at all ("") is no token. False, and a sentence: there is none in it. */
bool web_token_read(char token[WEB_TOKEN_MAX + 1], const char *path, struct text *fault);
/* Somebody who looks after the house by its page. */
struct web_who {
    char token[WEB_TOKEN_MAX + 1];
    char name[WEB_WHO_MAX + 1]; /* For the audit. */
    bool is_helper;
};

struct web_whos {
    struct web_who list[WEB_WHOS_MAX];
    uint32_t       count;
};

/* The operator's token in one file, and others' in another: a line each, "TOKEN NAME operator" or "TOKEN NAME helper";
 * "" is no file. False, and a sentence. */
bool web_whos_read(struct web_whos *whos, const char *operators, const char *others,
                   struct text *fault);
/* Whose token an Authorization header brings; NULL: nobody's. */
const struct web_who *web_whos_find(const struct web_whos *whos, const char *header);

/* Whether an Authorization header brings it, as RFC 6750 says: `Bearer TOKEN`. */
bool web_token_fits(const char *token, const char *header);

#endif
