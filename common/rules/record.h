/* record.h: what a game keeps of its matches beside the journal: rows in tables of its own, and lines.
 *
 * For games whose rules ask for it (tables of a tournament, a log of every action). After each act
 * the owner of a match shows the game the `state` behind it. The game answers with rows, which
 * replace whatever stood under their key, and with lines for the log. The rows are kept in the
 * transaction of the act, so a crash loses neither or both. It is as pure as the rules. */
#ifndef ARBITER_RECORD_H
#define ARBITER_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "rules/command.h"

#define RECORD_COLUMNS_MAX 24
#define RECORD_TABLES_MAX 8

struct record_column {
    const char *name; /* In small letters: not every database minds them alike.                  */
    bool        is_text;
};

struct record_table {
    const char                 *name; /* As above, and no other table's of any game.             */
    const struct record_column *columns;
    uint32_t                    column_count;
    uint32_t                    key_count; /* The first ones tell rows apart and are never empty. */
};

/* A number, or a text if `text` is set; a number that is ABSENT is no value at all. */
struct record_cell {
    word        number;
    const char *text;
    size_t      size;
};

/* Who sits there, or has registered. The lobby gives persons their numbers, once and for good. The
 * numbers that can be guessed are the lower half of the positive 31-bit ones. */
#define PERSON_SIZE 16
#define RECORD_NUMBER_MAX ((uint32_t) INT32_MAX)
struct record_seat {
    uint32_t number; /* In the tables, from 1; 0: the match is older than such numbers. */
    const uint8_t
        *player; /* The house's id of the person, PERSON_SIZE bytes.                          */
    const char
          *person; /* What the person registered with (registration.h), else the name: lines.    */
    size_t person_size;
};

/* What rules do not know of a match. */
struct record_facts {
    uint64_t    number;       /* Of the matches that are recorded, from 1.                   */
    uint64_t    beginning_ms; /* Since 1970.                                       */
    uint64_t    now_ms;       /* Of the act.                                       */
    const char *dice;         /* Their kind.                                       */
    const char *secret;       /* Open dice: the seed; hosted ones: their key in 64       */
                              /* hexadecimal digits once the match is over, NULL before. */
    const char *config;       /* As the set-up was written.                              */
    size_t      config_size;
    const struct record_seat *seats;
};

/* What was done. */
struct record_deed {
    uint32_t              seat;    /* Of a command.                                              */
    const struct command *command; /* NULL: the match began, time ran out, or the house acted.   */
    bool                  begins;
};

enum record_level { RECORD_DEBUG, RECORD_INFO, RECORD_WARNING };

/* Takes what a game has to say; bytes are copied. */
struct recorder {
    void *owner;
    /* One cell for each column of the game's table of this index. */
    void (*put)(void *owner, uint32_t table, const struct record_cell *cells);
    void (*say)(void *owner, enum record_level level, const struct text *line);
};

struct game_record {
    const struct record_table *tables;
    uint32_t                   table_count;
    void (*tell)(const void *setup, const void *state, const struct record_facts *facts,
                 const struct record_deed *deed, const struct recorder *to);
    /* The row of a person who registered for a match that may never begin. It is written only if
     * there is none under this number. NULL: no table knows persons, and the lobby numbers
     * nobody. */
    void (*enter)(const struct record_seat *who, const struct recorder *to);
    /* A person who sat there is to be forgotten. The row that may know the person stands in this
     * table under this key (`number` as in record_facts). */
    uint32_t person_table;
    word (*person_key)(const struct record_seat *who, word number, uint32_t seat);
    /* True: it does, and now `cells` do not; new texts are constant or lie in `room`. */
    bool (*forget)(const struct record_seat *who, struct record_cell *cells, struct text *room);
    /* The same for a row to which no seat leads, because the person never played. Does it belong to
     * somebody called so, by all their names or the present one? */
    bool (*forget_named)(const char *name, size_t size, struct record_cell *cells,
                         struct text *room);
};

#endif
