/* lobby_sources.h: where players come from, and how much one source may take. */
#ifndef ARBITER_LOBBY_SOURCES_H
#define ARBITER_LOBBY_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

struct lobby;
struct asking;
struct outbox;

/* An address, hashed by gateways, or a native key, hashed by us. */
struct source {
    uint64_t from;     /* 0: not known, and without a bound.                                      */
    bool     is_crowd; /* Many may come from there: a listed network, a key.                      */
};

/* What sources take. */
enum taken { TAKEN_NAME, TAKEN_TABLE, TAKEN_SEAT, TAKEN_KINDS };

/* What one source took lately: milli-pieces, less with time. */
struct spending {
    uint64_t from, at_ms;
    uint64_t spent[TAKEN_KINDS];
};
#define SPENDINGS_WAYS 4u
#define SPENDINGS_MAX 4096u /* Sources whose last minute is remembered. */

/* How many each source holds, while room is made. */
struct tally {
    uint64_t from;
    uint32_t count;
};

/* Who speaks comes from there; a player is remembered with it. */
void lobby_source_speaks(struct lobby *lobby, struct asking *asking);
/* One more, unless that is too much at once or in this minute: then the ask is refused. */
bool lobby_source_may(struct lobby *lobby, struct asking *asking, enum taken kind);
/* How much of these bounds the source has that has most; crowds aside. What counts a minute is refused, and not shown. */
void lobby_source_bounds(const struct lobby *lobby, struct fullness *bounds);
/* Names are nearly all taken: those go who came from where most came from. False: the asker's source has most itself, and
 * what is left is for others. */
bool lobby_names_make_way(struct lobby *lobby, struct asking *asking);
/* The same for tables: those of the source with most are closed, unless they are played at. */
bool lobby_tables_make_way(struct lobby *lobby, struct asking *asking);
/* Matches at tables of the source with most, which end if nobody does anything: whether this is one. */
void lobby_tally_tables(struct lobby *lobby);
bool lobby_is_greedy(const struct lobby *lobby, uint32_t table);

#endif
