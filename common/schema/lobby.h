/* lobby.h: the tables in which the lobby keeps its records.
 *
 *     meta     id                      how often it started, how much it has counted
 *     keys     place                   admissions, the player of each, its last answer
 *     players  place                   accounts; bans; a guest's last answer
 *     tables   place                   phase, set-up, match id and stage, ...
 *     texts    table                   a set-up of one's own, as it was written
 *     desks    table                   where the game's registration stands
 *     seats    table, seat             who holds it, vacant or promised
 *     members  table, member           who is there
 *     votes    table, seat, voter
 *     events   table, number % kept    what members may have missed
 *     results  number
 *     persons  place                   who has registered, until an engine has the row (version 3)
 *     audit    number                  who did what to people and matches (version 6)
 *
 * A place is a record's index in its pool. Seats and members are rows of their own, written only when
 * they change. The lobby writes and reads rows from the left to the right; others know a few columns by name. */
#ifndef ARBITER_SCHEMA_LOBBY_H
#define ARBITER_SCHEMA_LOBBY_H

#include "core/row.h"

enum lobby_table {
    LOBBY_META,
    LOBBY_KEYS,
    LOBBY_PLAYERS,
    LOBBY_TABLES,
    LOBBY_TEXTS,
    LOBBY_DESKS,
    LOBBY_SEATS,
    LOBBY_MEMBERS,
    LOBBY_VOTES,
    LOBBY_EVENTS,
    LOBBY_RESULTS,
    LOBBY_PERSONS,
    LOBBY_AUDIT,
    LOBBY_TABLES_COUNT
};

/* The first columns of `keys`. */
enum { KEYS_PLACE, KEYS_KEY, KEYS_ROLE, KEYS_NAME, KEYS_ADMITTED };

/* The columns of `audit`; a target is a player's or a match's id, or a key. */
enum {
    AUDIT_NUMBER,
    AUDIT_AT_MS,
    AUDIT_DEED,
    AUDIT_UNDONE,
    AUDIT_VERDICT,
    AUDIT_HELPER,
    AUDIT_KEY,
    AUDIT_NAME,
    AUDIT_TOKEN,
    AUDIT_TARGET,
    AUDIT_UNTIL_MS,
    AUDIT_TEXT,
    AUDIT_REASON
};

extern const struct schema lobby_schema;

#endif
