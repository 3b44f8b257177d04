/* web_token.c: see web_token.h. */
#include "services/gateway/shell/http/web_token.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_token(const char *text)
{
    size_t size = strlen(text);
    for (const char *at = text; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~')
            return false;
    return size >= WEB_TOKEN_MIN && size <= WEB_TOKEN_MAX;
}

bool web_token_read(char token[WEB_TOKEN_MAX + 1], const char *path, struct text *fault)
{
    char line[WEB_TOKEN_MAX + 3] = "";
    token[0] = '\0';
    if (path[0] == '\0')
        return true;
    FILE *file = fopen(path, "re");
    bool  is_read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL)
        (void) fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    if (is_read && is_token(line)) {
        memcpy(token, line, strlen(line) + 1);
        return true;
    }
    text_clear(fault);
    text_put(fault, is_read ? "the first line of " : "the operator's token cannot be read from ");
    text_put(fault, path);
    if (is_read)
        text_put(fault, " is no token: 16 to 128 letters, digits and signs, without blanks");
    sodium_memzero(line, sizeof line);
    return false;
}

bool web_token_fits(const char *token, const char *header)
{
    static const char scheme[] = "Bearer ";
    size_t            size = strlen(token);
    if (strncasecmp(header, scheme, sizeof scheme - 1) != 0)
        return false;
    header += sizeof scheme - 1;
    return strlen(header) == size && sodium_memcmp(header, token, size) == 0;
}
