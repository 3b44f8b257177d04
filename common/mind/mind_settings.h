/* mind_settings.h: what whoever thinks ahead is given, for headers that need no rules. */
#ifndef ARBITER_MIND_SETTINGS_H
#define ARBITER_MIND_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

struct game;
struct plan;
struct crypto_ops;

/* A game, and how its words become bytes and back. */
struct mind_game {
    const struct game *game;
    const struct plan *commands, *event, *view;
};

/* A set-up as a match has it. */
struct mind_text {
    const char *setup, *options; /* NULL: none.                                                   */
    size_t      setup_size, options_size;
};

struct mind_settings {
    const struct crypto_ops *crypto;
    /* Reads and compiles a set-up into `setup`. Returns the bytes it takes; 0: it is none, or takes more
     * than `capacity`. NULL: nobody thinks ahead. */
    size_t (*compile)(const struct game *game, const struct mind_text *text, void *setup,
                      size_t capacity);
    uint32_t setups_max;  /* Different set-ups that are thought about at a time.                  */
    uint32_t setup_bytes; /* The largest of them, compiled.                                       */
    uint32_t tree_bytes;  /* For the one tree.                                                    */
    uint32_t slice_ms;    /* A slice takes about so long: at most the next message waits for it.  */
};

/* Good settings for one machine; crypto and `compile` are left to fill in. */
void mind_defaults(struct mind_settings *settings);

#endif
