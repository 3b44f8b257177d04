/* browser_log.h: what was said, kept once for all who read it: numbered logs in one piece of memory. Pure.
 *
 * All logs share a ring of bytes: a new record takes the place of the oldest ones, whosever they
 * are, so memory is flat whatever happens. A reader is a cursor: a log, and a place in it. The
 * number of readers costs nothing. A reader that is too slow finds that the next message is no
 * longer kept. */
#ifndef ARBITER_GATEWAY_BROWSER_LOG_H
#define ARBITER_GATEWAY_BROWSER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BROWSER_NO_LOG UINT32_MAX

/* One log. Its numbers go on for ever: 1, 2, 3, ... */
struct browser_log {
    uint32_t serial;       /* Of this use of the place; 0: free.                                 */
    uint64_t first, last;  /* Where its oldest and newest records stand; first 0: none is kept.  */
    uint64_t first_number; /* Of the oldest one kept; one behind the last: none is.              */
    uint64_t last_number;  /* 0: there was none yet.                                             */
};

/* What a record is, as whoever put it says. */
struct browser_facts {
    uint64_t act;   /* The match's act it is about; 0: about none.                                */
    uint64_t route; /* The tab for which the bytes at its end are; others do without them.        */
    uint32_t tail;  /* So many.                                                                   */
    uint32_t game;  /* Of its fields marked GAME; BROWSER_NO_GAME: it has none.                   */
    bool is_shown;  /* A view, for who begins with it: others pass it by.                         */
    bool is_last;   /* The connection ends behind it.                                             */
};

struct browser_record {
    struct browser_facts facts;
    uint64_t       place;  /* Grows from record to record, over all logs.                         */
    uint64_t       number; /* In its log.                                                         */
    const uint8_t *bytes;  /* Until something is put.                                             */
    size_t         size;
};

struct browser_logs {
    uint8_t            *bytes;
    size_t              capacity;
    uint64_t            begin, end; /* Of what is kept, counted from the first byte ever.         */
    struct browser_log *logs;
    uint32_t            logs_max, serials;
};

/* Where a reader stands. */
struct browser_cursor {
    uint32_t log, serial;
    uint64_t next;   /* The next number. */
    uint64_t behind; /* Where the record before it stood; 0: not known.                           */
};

/* Memory aligned for uint64_t; `capacity` a multiple of 8. */
void     browser_logs_init(struct browser_logs *logs, void *bytes, size_t capacity,
                           struct browser_log *places, uint32_t count);
/* A new log; BROWSER_NO_LOG: there are too many. */
uint32_t browser_log_open(struct browser_logs *logs);
void     browser_log_close(struct browser_logs *logs, uint32_t log);
/* Puts a record behind the others. False: it is larger than all there is. */
bool     browser_log_put(struct browser_logs *logs, uint32_t log, const struct browser_facts *facts,
                         const uint8_t *bytes, size_t size);

/* A reader behind record `number`; the end of the log, if that is where it is. */
struct browser_cursor browser_cursor_behind(const struct browser_logs *logs, uint32_t log,
                                            uint64_t number);
enum browser_read { BROWSER_READ, BROWSER_AT_END, BROWSER_NOT_KEPT };
/* What comes next for it. */
enum browser_read browser_cursor_read(const struct browser_logs *logs,
                                      struct browser_cursor *cursor, struct browser_record *record);
/* The reader has had this record. */
void browser_cursor_pass(struct browser_cursor *cursor, const struct browser_record *record);

#endif
