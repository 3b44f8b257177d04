/* text.h: a sentence built in a bounded buffer, by code that may not call the C library.
 *
 * Rules and cores explain what is wrong with a set-up in words, yet link against nothing but
 * memcpy, memset and memcmp. What does not fit is cut, never written past the end; the text is
 * always closed by a NUL. */
#ifndef ARBITER_TEXT_H
#define ARBITER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_MAX 240

struct text {
    uint32_t size;            /* Bytes in use, the closing NUL not counted. */
    char     bytes[TEXT_MAX]; /* Closed by a NUL.                           */
};

/* Empties the text. */
void text_clear(struct text *text);
/* Appends a NUL-terminated string. */
void text_put(struct text *text, const char *string);
/* Appends `size` bytes, which need not end in a NUL. */
void text_put_bytes(struct text *text, const char *bytes, size_t size);
/* Appends a number in decimal. */
void text_put_number(struct text *text, int64_t number);

/* The length of a NUL-terminated string. */
size_t text_length(const char *string);
/* Copies a string (NULL: an empty one) and clears what is behind it; false, and nothing changed: there is no room. */
bool   text_copy(char *to, size_t capacity, const char *from);
/* Whether `size` bytes spell exactly the NUL-terminated string. */
bool   text_is(const char *bytes, size_t size, const char *string);

#endif
