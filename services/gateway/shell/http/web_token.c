/* web_token.c: see web_token.h. */
#include "services/gateway/shell/http/web_token.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "wire/utf8.h"

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

static bool complain_of(struct text *fault, const char *path, uint32_t line, const char *what)
{
    text_clear(fault);
    text_put(fault, path);
    if (line > 0) {
        text_put(fault, ":");
        text_put_number(fault, line);
    }
    text_put(fault, what);
    return false;
}

/* A line of the file; false: it is none. */
static bool read_who(struct web_who *who, char *line)
{
    char *rest = NULL, *token = strtok_r(line, " \t", &rest), *name = strtok_r(NULL, " \t", &rest);
    char *role = strtok_r(NULL, " \t", &rest);
    if (role == NULL || strtok_r(NULL, " \t", &rest) != NULL || !is_token(token) ||
        strlen(name) > WEB_WHO_MAX || !utf8_is_string((const uint8_t *) name, strlen(name)))
        return false;
    who->is_helper = strcmp(role, "helper") == 0;
    memcpy(who->token, token, strlen(token) + 1);
    memcpy(who->name, name, strlen(name) + 1);
    return who->is_helper || strcmp(role, "operator") == 0;
}

/* Reads on to the end of a line. Whether there was more of it. */
static bool skip_rest(FILE *file)
{
    int  byte = getc(file);
    bool is_more = byte != EOF && byte != '\n';
    while (byte != EOF && byte != '\n')
        byte = getc(file);
    return is_more;
}

static bool read_others(struct web_whos *whos, FILE *file, const char *path, struct text *fault)
{
    char line[WEB_TOKEN_MAX + WEB_WHO_MAX + 32];
    for (uint32_t number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        bool is_long = strchr(line, '\n') == NULL && skip_rest(file);
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || (!is_long && line[strspn(line, " \t")] == '\0'))
            continue;
        if (whos->count == WEB_WHOS_MAX)
            return complain_of(fault, path, number, ": 31 such tokens are the most");
        if (is_long || !read_who(&whos->list[whos->count++], line))
            return complain_of(
                fault, path, number,
                ": a line is TOKEN NAME operator, or TOKEN NAME helper, with a token of 16 to 128 "
                "letters, digits and signs");
    }
    return true;
}

bool web_whos_read(struct web_whos *whos, const char *operators, const char *others,
                   struct text *fault)
{
    memset(whos, 0, sizeof *whos);
    if (!web_token_read(whos->list[0].token, operators, fault))
        return false;
    whos->count = whos->list[0].token[0] != '\0';
    memcpy(whos->list[0].name, "operator", sizeof "operator");
    if (others[0] == '\0')
        return true;
    FILE *file = fopen(others, "re");
    if (file == NULL)
        return complain_of(fault, others, 0, ": the tokens for the page cannot be read");
    bool is_good = read_others(whos, file, others, fault);
    (void) fclose(file);
    return is_good;
}

/* All are compared, so that time tells nothing of them. */
const struct web_who *web_whos_find(const struct web_whos *whos, const char *header)
{
    const struct web_who *found = NULL;
    for (uint32_t i = 0; i < whos->count; i++)
        if (web_token_fits(whos->list[i].token, header))
            found = &whos->list[i];
    return found;
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
