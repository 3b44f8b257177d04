/* slow.h: slow commands as watchdogs tell them, and as people read them. */
#ifndef ARBITER_CONSOLE_SLOW_H
#define ARBITER_CONSOLE_SLOW_H

#include <stdio.h>

#include "core/peers.h"
#include "core/trace.h"

#define SLOW_ROWS_MAX 1200u /* Of several watchdogs. */
#define SLOW_SHOWN 20u

struct slow_row {
    char     service[PEER_NAME_MAX]; /* Who says so. */
    uint8_t  id[TRACE_ID_SIZE], match_id[TRACE_ID_SIZE];
    uint32_t seat;
    uint64_t number; /* The act; 0: none. */
    uint64_t at_ms, us[TRACE_COUNT];
};

struct slow_rows {
    /* What is asked for: of any match if it is zeros, of any act if it is 0. */
    uint8_t  match_id[TRACE_ID_SIZE];
    uint64_t number;

    uint32_t        answers;
    uint32_t        count;
    struct slow_row row[SLOW_ROWS_MAX];
};

/* A watchdog's answer. What another one has told already is told once. */
void     slow_take(struct slow_rows *rows, const Arbiter__Watchdog__SlowList *list);
uint64_t slow_sum_us(const struct slow_row *row);
/* The slowest ones, a line each. */
void     slow_put_table(FILE *out, struct slow_rows *rows);
/* All of them, an object on each line. */
void     slow_put_json(FILE *out, const struct slow_rows *rows);
/* One act, part by part, as each process says it. */
void     slow_put_act(FILE *out, const struct slow_rows *rows);

#endif
