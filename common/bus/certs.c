/* certs.c: see certs.h. */
#include "bus/certs.h"

#include <czmq.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* What zcert_save_secret would write, but in memory: it writes over files that are there, and syncs none. */
char *certs_compose(const struct bus_keys *keys)
{
    char       text[BUS_KEY_TEXT];
    zconfig_t *root = zconfig_new("root", NULL);
    zconfig_set_comment(root, " A CURVE certificate of Arbiter, in ZeroMQ's format (zcert).");
    zconfig_set_comment(root, " Others need its public key; nobody needs the secret one.");
    zconfig_put(root, "metadata/role", keys->role);
    bus_key_write(text, keys->public_key);
    zconfig_put(root, "curve/public-key", text);
    bus_key_write(text, keys->secret_key);
    zconfig_put(root, "curve/secret-key", text);
    char *bytes = zconfig_str_save(root);
    sodium_memzero(zconfig_get(root, "curve/secret-key", NULL), sizeof text - 1);
    sodium_memzero(text, sizeof text);
    zconfig_destroy(&root);
    return bytes;
}

bool certs_find_line(const char *bytes, const char *name, char *word, size_t word_max)
{
    size_t name_size = strlen(name);
    for (const char *line = bytes; line != NULL && *line != '\0';) {
        size_t      size = strcspn(line, "\n");
        const char *next = line[size] == '\n' ? line + size + 1 : NULL;
        if (size > name_size && memcmp(line, name, name_size) == 0 && line[name_size] == ' ') {
            size_t word_size = size - name_size - 1;
            if (word_size >= word_max)
                return false;
            memcpy(word, line + name_size + 1, word_size);
            word[word_size] = '\0';
            return true;
        }
        line = next;
    }
    return false;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The value behind "NAME =", indented or not, in quotes or not, cut to its room; false: no such line. zconfig would
 * read these lines, too, but prints those that it does not understand on the standard output, secrets as well. */
static bool find_value(const char *bytes, const char *name, char *value, size_t value_max)
{
    size_t name_size = strlen(name);
    for (const char *line = bytes; *line != '\0'; line += *line == '\n') {
        const char *end = line + strcspn(line, "\n"), *at = skip_blanks(line, end);
        bool        is_it = (size_t) (end - at) > name_size && memcmp(at, name, name_size) == 0;
        at = is_it ? skip_blanks(at + name_size, end) : end;
        line = end;
        if (at == end || *at != '=')
            continue;
        at = skip_blanks(at + 1, end);
        while (end > at && strchr(" \t\r", end[-1]) != NULL)
            end--;
        if (end - at >= 2 && (*at == '"' || *at == '\'') && end[-1] == *at) {
            at++;
            end--;
        }
        (void) snprintf(value, value_max, "%.*s", (int) (end - at), at);
        return true;
    }
    return false;
}

bool certs_read(struct certs_words *words, const char *bytes)
{
    memset(words, 0, sizeof *words);
    /* As we wrote them once. */
    if (certs_find_line(bytes, "public", words->public_text, BUS_KEY_TEXT))
        return certs_find_line(bytes, "role", words->role, sizeof words->role) &&
               certs_find_line(bytes, "secret", words->secret_text, BUS_KEY_TEXT);
    (void) find_value(bytes, "role", words->role, sizeof words->role);
    (void) find_value(bytes, "secret-key", words->secret_text, sizeof words->secret_text);
    return find_value(bytes, "public-key", words->public_text, sizeof words->public_text);
}
