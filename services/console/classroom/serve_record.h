/* serve_record.h: what a match leaves behind for whoever must judge it: `arbiter serve --record FOLDER`.
 *
 *     FOLDER/0001.match    the match file (proto/match.proto), for `arbiter verify` and `replay`
 *     FOLDER/0001.jsonl    who said what and who was told what, as recordings of the dead are written
 *     FOLDER/0001.json     the set-up
 *     FOLDER/index.jsonl   a line for each match: how it ended, who played, where the files are
 *
 * Accepted commands and what came of them are taken from the match file when all is over. The door
 * notes the rest while it happens: the registration, and commands that failed. A note stands behind
 * the act that was the last one at its time. */
#ifndef ARBITER_SERVE_RECORD_H
#define ARBITER_SERVE_RECORD_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

struct serve_door;
struct serve_table;

/* `arbiter conform` numbers clients below 128; later strangers share the last number. */
#define RECORD_CLIENTS_MAX 128u

/* How a match ended. The values from SERVE_BROKEN_OFF on are exit codes, too. */
enum serve_ending {
    SERVE_GOES_ON = 0,
    SERVE_FINISHED = 1,
    SERVE_BROKEN_OFF = 10, /* The registration was broken off by a command.                       */
    SERVE_NOT_BEGUN = 11,  /* Nobody began in time.                                               */
    SERVE_OUT_OF_TIME =
        12,             /* The match's last act was that somebody's time ran out.              */
    SERVE_ANNULLED = 13 /* The house ended the match.                                          */
};

struct serve_record {
    const char *folder;
    char        name[16]; /* "0001". */
    json_t     *notes;    /* {"after": act, "line": {...}}, in their order. */
    json_t     *players;  /* {"comm": ..., "name": ...}, as they registered. */
    json_t     *said;     /* The command that is carried out now; NULL: none that can be written. */
    uint64_t    route[RECORD_CLIENTS_MAX];
    uint32_t    clients;
    bool     is_noting; /* Answers to `said` are noted ...                                      */
    uint64_t after;     /* ... behind this act.                                                 */
};

/* Takes the next number in the folder, which is made if it is not there, and writes the set-up. False,
 * and a sentence. */
bool     serve_record_open(struct serve_record *record, const char *folder,
                           const struct serve_table *table, struct text *fault);
/* Writes all files. `match_id`: NULL if no match began. A console_exit; what is wrong has been said. */
int      serve_record_close(struct serve_record *record, struct serve_door *door,
                            const struct serve_table *table, enum serve_ending ending);
/* Gives the number back: nothing came of it. */
void     serve_record_forget(struct serve_record *record);
/* The number of a client in the recording. */
uint32_t serve_record_client(struct serve_record *record, uint64_t route);

/* Notes, each of which does nothing if `record` is NULL. */

/* A client says a command of the game. It is kept as `said`, and noted by serve_note_said. */
void serve_note_command(struct serve_record *record, struct serve_door *door, uint64_t route,
                        const uint8_t *bytes, size_t size);
/* The command was heard after this act; answers follow until serve_note_done. */
void serve_note_said(struct serve_record *record, uint64_t after);
void serve_note_done(struct serve_record *record);
/* A client is told this event; TOLD_ALL: all are. The same one said to all again is one line. */
void serve_note_event(struct serve_record *record, struct serve_door *door, uint32_t to,
                      const uint8_t *bytes, size_t size, bool is_setup);
void serve_note_timeout(struct serve_record *record);
void serve_note_player(struct serve_record *record, uint64_t route, const char *name);

/* A client goes on over another connection. */
void serve_record_moved(struct serve_record *record, uint64_t from, uint64_t to);

/* serve_transcript.c: the lines of a match from its file, with the notes among them. */
struct transcript_end {
    const char
            *word; /* "win", "lose", "all-left", "over", "open", "aborted": of index.jsonl.      */
    uint64_t acts;
    json_t  *outcome; /* Of each seat; NULL: it is not over.                                     */
};
bool    serve_transcript(FILE *out, struct serve_record *record, struct serve_door *door,
                         const struct serve_table *table, const char *match_path,
                         struct transcript_end *end);
/* An event as a line, in the recordings' form: what is for one names that one. NULL: it is none. */
json_t *serve_line(struct serve_record *record, struct serve_door *door, uint32_t to,
                   const uint8_t *bytes, size_t size);

#endif
