/* utf8.h: whether bytes are UTF-8 that may travel as a string, or be shown to a person. Pure. */
#ifndef ARBITER_UTF8_H
#define ARBITER_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Well-formed by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. And without a
 * NUL, which would end the string early in C and nowhere else. */
bool   utf8_is_string(const uint8_t *bytes, size_t size);
/* The bytes of the well-formed character that begins here, and which one it is; 0 if none does. */
size_t utf8_character(const uint8_t *bytes, size_t left, uint32_t *code);
/* Whether a character may be shown as it is. Control characters, C0 or C1, may not: a terminal
 * would obey them. Nor may characters that are invisible or turn the direction of writing
 * (Unicode's general category Cf and other blank ones). So what is shown is what is there. */
bool   utf8_is_shown(uint32_t code);
/* Whether a person or a table may be called so. A name has at least one character, and only visible
 * ones, so that two names never differ by something invisible. Letters of all scripts, their
 * accents and emoji are good. A joiner or a variation selector is not, though it stands inside some
 * emoji: a heart with one and a heart without one look the same. utf8_ranges.h is the table. */
bool   utf8_is_name(const uint8_t *bytes, size_t size);
/* Whether this character may stand in such a name. */
bool   utf8_is_of_name(uint32_t code);
/* Whether it may stand behind `before` there; 0: it is the first. A mark needs a letter to stand on:
 * alone or on a blank it is hardly seen. */
bool   utf8_may_follow(uint32_t before, uint32_t code);
/* What is seen of a text, without what may stand in no name; at most as long as before. */
size_t utf8_seen(uint8_t *to, const uint8_t *bytes, size_t size);

#endif
