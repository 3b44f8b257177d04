/* value.h: a set-up as a tree of values, and how rules read one and report every fault in it.
 *
 * A person writes a set-up as JSON; the wire layer parses it into this tree; a game's `configure`
 * reads the tree and never sees text. Each reading function judges one thing: is it present, of the
 * right type, in range? It reports a fault at the place of the fault, and goes on with a safe
 * value. So one run finds every fault and not only the first. A game that has read an object ends
 * with `value_only`, which reports every key it did not ask for.
 *
 * The tree is transient: it lives as long as the text it was parsed from. */
#ifndef ARBITER_VALUE_H
#define ARBITER_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum value_kind {
    VALUE_NULL,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_REAL,
    VALUE_STRING,
    VALUE_LIST,
    VALUE_OBJECT
};

struct value {
    enum value_kind     kind;
    uint32_t            index;     /* Place among its siblings, from 0.                         */
    uint32_t            count;     /* Children of a list or an object.                          */
    uint32_t            key_size;  /* Bytes of `key`; 0 outside an object.                      */
    uint32_t            text_size; /* Bytes of `text`.                                          */
    const char         *key;       /* Its name in the object around it, else NULL.              */
    bool                beyond;    /* VALUE_INT: does not fit; `number` is the nearest that does. */
    const char         *text;   /* VALUE_STRING: UTF-8, not NUL-terminated; a number as written. */
    int64_t             number; /* VALUE_INT; 0 or 1 for VALUE_BOOL.                         */
    const struct value *parent; /* The list or object around it; NULL at the top.            */
    const struct value *first;  /* First child.                                              */
    const struct value *next;   /* Next sibling.                                             */
};

/* Where faults go. The owner sets `report`; `count` tells afterwards whether there were any. */
struct faults {
    uint32_t count;
    void (*report)(struct faults *faults, const struct value *at, const char *key,
                   const char *what);
};

/* Reports a fault at a value, or, with `key`, at that (perhaps missing) member of an object. */
void fault(struct faults *faults, const struct value *at, const char *key, const char *what);

/* The same as one sentence with two numbers in it: "has 5 characters, must have at least 8: two ...".
 * The pieces are put one behind the other as they are. */
void fault_numbers(struct faults *faults, const struct value *at, const char *key,
                   const char *before, int64_t number, const char *between, int64_t limit,
                   const char *after);

/* The JSON pointer of a value: "/locations/3/cards/7", "" for the top. */
void value_place(struct text *place, const struct value *value);

/* The member of an object, or NULL; never reports. Safe on NULL and on what is no object. */
const struct value *value_get(const struct value *object, const char *key);
/* The same; reports it if it is missing, and that it must be what is `wanted`: "an object". */
const struct value *value_need(const struct value *object, const char *key, const char *wanted,
                               struct faults *faults);

/* A whole number from `least` to `most`. Missing, of another type or out of range is reported and
 * gives `least`. */
int64_t value_int(const struct value *object, const char *key, int64_t least, int64_t most,
                  struct faults *faults);
/* The same, but a missing member is no fault and gives `otherwise`. */
int64_t value_int_or(const struct value *object, const char *key, int64_t least, int64_t most,
                     int64_t otherwise, struct faults *faults);
/* The same judgement of a value that is no member, such as an element of a list. */
int64_t value_as_int(const struct value *value, int64_t least, int64_t most, struct faults *faults);
bool    value_bool_or(const struct value *object, const char *key, bool otherwise,
                      struct faults *faults);
/* A list or an object or a string under `key`; missing or of another type is reported, gives NULL. */
const struct value *value_list(const struct value *object, const char *key, struct faults *faults);
const struct value *value_object(const struct value *object, const char *key,
                                 struct faults *faults);
const struct value *value_string(const struct value *object, const char *key,
                                 struct faults *faults);
/* Whether the value is an object, such as an element of a list must be; else it is reported. */
bool                value_as_object(const struct value *value, struct faults *faults);
/* The one member of an object that must have exactly one, with its key among those of the
 * NULL-terminated list; `which` becomes the key's index. Every unknown key, and a count other than one,
 * is reported; of several known ones the first is given. NULL (and -1) if there is none. */
const struct value *value_choice(const struct value *object, const char *const *keys, int *which,
                                 struct faults *faults);
/* The index of a member's key in a NULL-terminated list of keys, or -1. For a game that allows one
 * of several members and still reads each. */
int                 value_key(const struct value *member, const char *const *keys);
/* The index of the value's text in a NULL-terminated list of words; -1 and a fault naming the allowed
 * words if it is none of them. */
int  value_word(const struct value *value, const char *const *words, struct faults *faults);
/* The same of the member under `key`, which must be there. */
int  value_word_of(const struct value *object, const char *key, const char *const *words,
                   struct faults *faults);
/* Reports that a value is of the wrong type, and what is wanted: "is null, must be a string". */
void value_fault_kind(struct faults *faults, const struct value *value, const char *wanted);
/* Appends a whole number; one that does not fit into 64 bits, as it was written. */
void value_put_number(struct text *what, const struct value *value);
/* Whether the value is a string spelling `word`. */
bool value_is(const struct value *value, const char *word);
/* Reports every member whose key is not in the NULL-terminated list. */
void value_only(const struct value *object, const char *const *keys, struct faults *faults);
/* Whether two values are the same in kind, content and order of lists (order of members apart). */
bool value_same(const struct value *one, const struct value *other);

#endif
