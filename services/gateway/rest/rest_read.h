/* rest_read.h: a message of 2017 from its elements: lenient in names and order, strict in what they say. Pure.
 *
 * The shell takes the XML apart (shell/xml.h) and says which elements stand below the root, and their text.
 * Any order, either spelling, aliases, anything unknown between them: all that is a matter of course here. */
#ifndef ARBITER_GATEWAY_REST_READ_H
#define ARBITER_GATEWAY_REST_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/gateway.pb-c.h"

#define REST_ROOT_MAX 64

enum rest_element {
    REST_ID,
    REST_FIRST_NAME,
    REST_SUR_NAME,
    REST_NUMBER,
    REST_MAP_HALF,
    REST_PLAYER_X,
    REST_PLAYER_Y,
    REST_WANTED_X,
    REST_WANTED_Y,
    REST_TURNS,
    REST_ELEMENTS
};

struct rest_text {
    const char *text;
    size_t      size;
    uint32_t    times; /* It stood there so often. */
};

/* What could be read of a document. */
struct rest_paper {
    bool is_whole; /* It is XML, and of a kind that is read.                               */
    bool is_cut;   /* Not whole, and perhaps only because its end is missing.              */
    char root[REST_ROOT_MAX]; /* "": longer than any of ours.                              */
    bool is_int_number; /* REST_NUMBER came as the int that the other dialect sends.         */
    struct rest_text element[REST_ELEMENTS];
};

/* Which element this is; REST_ELEMENTS: none. `is_int` is set if it is "matrikelnummer". */
enum rest_element rest_element_of(const char *name, size_t size, bool *is_int);

/* Where a request's texts may be written. */
struct rest_words {
    char *half; /* As long as the text of REST_MAP_HALF, and one more. */
    char  person[512];
};

/* The path of a request; REST_PATH_UNSPECIFIED: there is none. A slash at the end counts for nothing. */
Arbiter__Gateway__RestPath rest_path_of(const char *path, size_t size);
/* Whether this media type, NULL for none, is read here. */
bool                       rest_type_fits(const char *type, size_t size);

/* Fills in the request. */
void rest_read(const struct rest_paper *paper, Arbiter__Gateway__RestPath path,
               struct rest_words *words, Arbiter__Gateway__RestAsk *ask);

/* Before the XML: the declaration, if there is one, judged and skipped, and a byte order mark. Returns
 * where the document goes on; NULL: its encoding is none of ours. */
const char *rest_skip_declaration(const char *text, size_t size);

#endif
