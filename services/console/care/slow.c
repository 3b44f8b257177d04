/* slow.c: see slow.h. */
#include "services/console/care/slow.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HEX (2 * TRACE_ID_SIZE + 1)

/* Watchdogs repeat each other: one service says a command's times once. */
static bool is_same(const struct slow_row *one, const struct slow_row *other)
{
    return strcmp(one->service, other->service) == 0 &&
           memcmp(one->id, other->id, sizeof one->id) == 0 && one->at_ms == other->at_ms &&
           memcmp(one->us, other->us, sizeof one->us) == 0;
}

static bool is_told(const struct slow_rows *rows, const struct slow_row *row)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (is_same(&rows->row[i], row))
            return true;
    return false;
}

void slow_take(struct slow_rows *rows, const Arbiter__Watchdog__SlowList *list)
{
    rows->answers++;
    for (size_t i = 0; i < list->n_commands && rows->count < SLOW_ROWS_MAX; i++) {
        const Arbiter__Watchdog__SlowCommand *command = list->commands[i];
        struct slow_row                       row;
        memset(&row, 0, sizeof row);
        if (command->id.len != sizeof row.id || command->match_id.len != sizeof row.match_id ||
            command->took == NULL || command->service == NULL)
            continue;
        (void) snprintf(row.service, sizeof row.service, "%s", command->service);
        memcpy(row.id, command->id.data, sizeof row.id);
        memcpy(row.match_id, command->match_id.data, sizeof row.match_id);
        row.seat = command->seat;
        row.number = command->number;
        row.at_ms = command->at_ms;
        trace_take(row.us, command->took);
        if (!is_told(rows, &row))
            rows->row[rows->count++] = row;
    }
}

uint64_t slow_sum_us(const struct slow_row *row)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < TRACE_COUNT; i++)
        sum += row->us[i];
    return sum;
}

static int slowest_first(const void *one, const void *other)
{
    uint64_t us = slow_sum_us(one), others = slow_sum_us(other);
    return us < others ? 1 : us > others ? -1 : 0;
}

static uint32_t longest(const struct slow_row *row)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < TRACE_COUNT; i++)
        if (row->us[i] > row->us[found])
            found = i;
    return found;
}

static const char *clock_of(const struct slow_row *row, char text[16])
{
    time_t    seconds = (time_t) (row->at_ms / 1000);
    struct tm local;
    if (localtime_r(&seconds, &local) == NULL || strftime(text, 16, "%H:%M:%S", &local) == 0)
        memcpy(text, "-", 2);
    return text;
}

/* Their names are an operator's, and whoever speaks for a service could say any. */
static const char *plain(const char *name, char text[PEER_NAME_MAX])
{
    size_t i = 0;
    for (; i < PEER_NAME_MAX - 1 && name[i] != '\0'; i++)
        text[i] =
            name[i] > ' ' && name[i] <= '~' && name[i] != '"' && name[i] != '\\' ? name[i] : '_';
    text[i] = '\0';
    return text;
}

void slow_put_table(FILE *out, struct slow_rows *rows)
{
    qsort(rows->row, rows->count, sizeof rows->row[0], slowest_first);
    fprintf(out, "%-9s%-11s%-33s%5s%9s %s\n", "WHEN", "SERVICE", "MATCH", "ACT", "MS", "MOSTLY");
    for (uint32_t i = 0; i < rows->count && i < SLOW_SHOWN; i++) {
        const struct slow_row *row = &rows->row[i];
        char                   when[16], match[HEX], act[24] = "-", name[PEER_NAME_MAX];
        if (row->number > 0)
            (void) snprintf(act, sizeof act, "%" PRIu64, row->number);
        fprintf(out, "%-9s%-11s%-33s%5s%9.1f %s\n", clock_of(row, when), plain(row->service, name),
                sodium_bin2hex(match, sizeof match, row->match_id, sizeof row->match_id), act,
                (double) slow_sum_us(row) / 1000, trace_names[longest(row)]);
    }
    if (rows->count == 0)
        fputs("no slow command is known\n", out);
}

void slow_put_json(FILE *out, const struct slow_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct slow_row *row = &rows->row[i];
        char                   id[HEX], match[HEX], name[PEER_NAME_MAX];
        fprintf(out, "{\"service\":\"%s\",\"id\":\"%s\",\"match_id\":\"%s\",\"seat\":%" PRIu32,
                plain(row->service, name), sodium_bin2hex(id, sizeof id, row->id, sizeof row->id),
                sodium_bin2hex(match, sizeof match, row->match_id, sizeof row->match_id),
                row->seat);
        if (row->number > 0)
            fprintf(out, ",\"act\":%" PRIu64, row->number);
        fprintf(out, ",\"at_ms\":%" PRIu64 ",\"total_ms\":%.3f", row->at_ms,
                (double) slow_sum_us(row) / 1000);
        for (uint32_t part = 0; part < TRACE_COUNT; part++)
            if (row->us[part] > 0)
                fprintf(out, ",\"%s_ms\":%.3f", trace_names[part], (double) row->us[part] / 1000);
        fputs("}\n", out);
    }
}

void slow_put_act(FILE *out, const struct slow_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct slow_row *row = &rows->row[i];
        char                   when[16], id[HEX], name[PEER_NAME_MAX];
        fprintf(out, "%s: command %s of seat %" PRIu32 ", over at %s by its clock\n",
                plain(row->service, name), sodium_bin2hex(id, sizeof id, row->id, sizeof row->id),
                row->seat, clock_of(row, when));
        for (uint32_t part = 0; part < TRACE_COUNT; part++)
            if (row->us[part] > 0)
                fprintf(out, "  %-9s%10.1f ms\n", trace_names[part], (double) row->us[part] / 1000);
        fprintf(out, "  %-9s%10.1f ms\n", "in all", (double) slow_sum_us(row) / 1000);
    }
}
