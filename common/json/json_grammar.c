/* json_grammar.c: has jansson judge the grammar of a text, and says in our words what is wrong.
 *
 * jansson knows line and column of the first mistake, but it also refuses what is right by the
 * grammar and only wrong as a value: numbers beyond a double, \\u0000, half a surrogate pair. It
 * would hide every other fault of a set-up behind these. So it is shown a copy in which each of
 * them is replaced by something harmless of the same length. The reader of such a value names the
 * fault at its place. */
#include "json/json_grammar.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32

static void fault_at_line(struct faults *faults, int line, int column, const char *what)
{
    struct text text;
    text_clear(&text);
    text_put(&text, "line ");
    text_put_number(&text, line);
    text_put(&text, ", column ");
    text_put_number(&text, column);
    text_put(&text, ": ");
    text_put(&text, what);
    fault(faults, NULL, NULL, text.bytes);
}

/* Looks at brackets only, outside of strings, before anything recursive meets the text. */
static bool depth_is_bearable(const char *text, size_t size, struct faults *faults)
{
    bool quoted = false;
    int  depth = 0, line = 1, column = 0;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        column++;
        if (c == '\n') {
            line++;
            column = 0;
        } else if (quoted) {
            if (c == '\\' && i + 1 < size) {
                i++;
                column++;
            } else if (c == '"') {
                quoted = false;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > DEPTH_MAX) {
                fault_at_line(faults, line, column,
                              "lists and objects nest deeper than 32, which is the most allowed");
                return false;
            }
        } else if (c == ']' || c == '}') {
            depth--;
        }
    }
    return true;
}

/* Escapes. */

/* False if these are no four digits. */
static bool hex4(const char *digits, const char *end, uint32_t *code)
{
    if (end - digits < 4)
        return false;
    *code = 0;
    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        char letter = (char) (c | 0x20);
        if (c >= '0' && c <= '9')
            *code = *code * 16 + (uint32_t) (c - '0');
        else if (letter >= 'a' && letter <= 'f')
            *code = *code * 16 + (uint32_t) (letter - 'a' + 10);
        else
            return false;
    }
    return true;
}

size_t json_escape(const char *from, const char *end, uint32_t *code)
{
    uint32_t low;
    if (!hex4(from + 1, end, code))
        return 0;
    if (*code < 0xd800 || *code >= 0xdc00 || end - from < 11 || from[5] != '\\' || from[6] != 'u' ||
        !hex4(from + 7, end, &low) || low < 0xdc00 || low >= 0xe000)
        return 5;
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    return 11;
}

/* The copy. */

/* Steps over an escape, whose backslash is at `at`; one that jansson would refuse becomes a space. */
static char *calm_escape(char *at, const char *end)
{
    uint32_t code;
    size_t   size = end - at > 1 && at[1] == 'u' ? json_escape(at + 1, end, &code) : 0;
    if (size == 5 && (code == 0 || (code >= 0xd800 && code < 0xe000)))
        memcpy(at + 2, "0020", 4);
    return at + (size > 0 ? size + 1 : end - at > 1 ? 2 : 1);
}

static char *calm_string(char *at, const char *end)
{
    for (at++; at < end && *at != '"';)
        at = *at == '\\' ? calm_escape(at, end) : at + 1;
    return at < end ? at + 1 : at;
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

/* The end of the JSON number that begins here; NULL if none does. */
static const char *number_end(const char *at, const char *end)
{
    if (at < end && *at == '-')
        at++;
    const char *whole = at;
    at = skip_digits(at, end);
    if (at == whole || (*whole == '0' && at - whole > 1))
        return NULL;
    if (at < end && *at == '.') {
        const char *fraction = ++at;
        at = skip_digits(at, end);
        if (at == fraction)
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        const char *exponent = at;
        at = skip_digits(at, end);
        if (at == exponent)
            return NULL;
    }
    return at;
}

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* A number becomes 0 and spaces; what is none is left for jansson to complain of. */
static char *calm_number(char *at, const char *end)
{
    const char *behind = number_end(at, end);
    char       *last = at;
    while (last < end && is_of_number(*last))
        last++;
    if (behind == last) {
        memset(at, ' ', (size_t) (last - at));
        *at = '0';
    }
    return last;
}

static void calm(char *text, size_t size)
{
    const char *end = text + size;
    while (text < end)
        if (*text == '"')
            text = calm_string(text, end);
        else if (*text == '-' || (*text >= '0' && *text <= '9'))
            text = calm_number(text, end);
        else
            text++;
}

/* What jansson found, as a sentence. What it says of the text nearby is of the copy, and left out. */
static void fault_grammar(struct faults *faults, const json_error_t *error)
{
    struct text what;
    const char *near = strstr(error->text, " near ");
    text_clear(&what);
    switch (json_error_code(error)) {
    case json_error_premature_end_of_input:
        text_put(&what, "the text ends too early, a list, an object or a string must be closed");
        break;
    case json_error_end_of_input_expected:
        text_put(&what, "something stands behind the end, must be one value only");
        break;
    case json_error_invalid_utf8: text_put(&what, "is not UTF-8, must be"); break;
    default:
        text_put(&what, "is no JSON: ");
        text_put_bytes(&what, error->text,
                       near != NULL ? (size_t) (near - error->text) : strlen(error->text));
    }
    /* It counts what it has read of a line; where it has read nothing as yet, the first column is meant. */
    fault_at_line(faults, error->line, error->column > 0 ? error->column : 1, what.bytes);
}

static bool begins_well(const char *text, size_t size, struct faults *faults)
{
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        fault_at_line(faults, 1, 1, "begins with a byte order mark, must be without one");
        return false;
    }
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\0' || strchr(" \t\r\n", text[i]) == NULL)
            return true;
    fault(faults, NULL, NULL, "is empty, must be one JSON value");
    return false;
}

bool json_grammar(const char *text, size_t size, struct faults *faults)
{
    json_error_t error;
    if (!begins_well(text, size, faults) || !depth_is_bearable(text, size, faults))
        return false;
    char *copy = malloc(size);
    if (copy == NULL) {
        fault(faults, NULL, NULL, "is too big for the memory there is");
        return false;
    }
    memcpy(copy, text, size);
    calm(copy, size);
    json_t *json = json_loadb(copy, size, JSON_DECODE_ANY, &error);
    free(copy);
    if (json == NULL)
        fault_grammar(faults, &error);
    json_decref(json);
    return json != NULL;
}
