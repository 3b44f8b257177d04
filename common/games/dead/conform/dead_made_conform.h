/* dead_made_conform.h: makes up games that show much of the rules.
 *
 * For each game several are made up, or read from recordings, and played by the rules alone. The
 * one that shows most of what no game before has shown is taken. So all follows from the seed. */
#ifndef ARBITER_DEAD_MADE_CONFORM_H
#define ARBITER_DEAD_MADE_CONFORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "games/dead/conform/dead_script_conform.h"

struct dead_maker;

/* What one game should be like. */
struct dead_wish {
    bool is_recorded; /* One of the recordings, if there are any.                                 */
    bool has_silence; /* Time runs out in it; else it never does.                                 */
    uint32_t silent_in; /* Where it runs out: an enum dead_phase; 0: anywhere.                   */
    bool is_plain;   /* The set-up as it is, and the seed that the maker was given.              */
    bool breaks_off; /* Its registration comes to no game. Not of recordings.                    */
};

/* NULL: no memory. */
struct dead_maker *dead_maker_new(uint64_t seed);
void               dead_maker_destroy(struct dead_maker **held);
/* A set-up that games are made of. `text` is copied. */
void     dead_maker_add_setup(struct dead_maker *maker, const char *name, const char *text,
                              const char *edition);
/* A recording that may be chosen; it is read when it is looked at. */
void     dead_maker_add_recording(struct dead_maker *maker, const char *path);
/* Whether there is anything to make games of. */
bool     dead_maker_has_any(const struct dead_maker *maker);
/* The next game; the caller closes it. False: the recordings cannot be read, with the reason printed. */
bool     dead_maker_next(struct dead_maker *maker, const struct dead_wish *wish,
                         struct dead_script *script, FILE *complaints);
/* So many different situations the games so far have shown. */
uint32_t dead_maker_seen(const struct dead_maker *maker);

#endif
