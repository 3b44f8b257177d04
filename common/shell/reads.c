/* reads.c: reads that a core asked for: done after the commit, fed back row by row. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "shell/shell_private.h"

/* The query's cells point into an outbox that is about to be emptied. */
static void copy_cell(struct cell *cell, uint8_t **at)
{
    if (cell->kind != CELL_BYTES && cell->kind != CELL_TEXT)
        return;
    if (cell->size > 0)
        memcpy(*at, cell->bytes, cell->size);
    cell->bytes = *at;
    *at += cell->size;
}

static size_t size_of(const struct cell *cell)
{
    return cell->kind == CELL_BYTES || cell->kind == CELL_TEXT ? cell->size : 0;
}

void shell_keep_query(struct shell *shell, const struct query *query)
{
    size_t bytes = size_of(&query->from) + size_of(&query->to);
    for (uint32_t i = 0; i < query->prefix_count; i++)
        bytes += size_of(&query->prefix[i]);
    struct reading *reading = malloc(sizeof *reading + bytes);
    assert(reading != NULL); /* A key's worth: a machine that has not got that must not go on. */
    uint8_t *at = (uint8_t *) (reading + 1);
    reading->next = NULL;
    reading->query = *query;
    for (uint32_t i = 0; i < query->prefix_count; i++)
        copy_cell(&reading->query.prefix[i], &at);
    copy_cell(&reading->query.from, &at);
    copy_cell(&reading->query.to, &at);
    if (shell->last_reading != NULL)
        shell->last_reading->next = reading;
    else
        shell->first_reading = reading;
    shell->last_reading = reading;
}

static struct reading *take_query(struct shell *shell)
{
    struct reading *reading = shell->first_reading;
    if (reading != NULL) {
        shell->first_reading = reading->next;
        if (shell->first_reading == NULL)
            shell->last_reading = NULL;
    }
    return reading;
}

void shell_forget_queries(struct shell *shell)
{
    for (struct reading *reading = take_query(shell); reading != NULL; reading = take_query(shell))
        free(reading);
}

/* Who takes the rows of one read. */
struct taker {
    struct shell *shell;
    uint32_t      tag;
    uint64_t      rows;
};

static bool take_row(void *argument, const struct row *row)
{
    struct taker *taker = argument;
    struct event  event = shell_event(taker->shell, EVENT_ROW);
    event.tag = taker->tag;
    event.row = row;
    taker->rows++;
    atomic_store(&taker->shell->beat.is_reading, false);
    shell_step(taker->shell, &event);
    atomic_store(&taker->shell->beat.is_reading, true);
    return !taker->shell->is_over;
}

void shell_read(struct shell *shell)
{
    for (struct reading *reading = take_query(shell); reading != NULL && !shell->is_over;
         reading = take_query(shell)) {
        struct taker taker = { .shell = shell, .tag = reading->query.tag };
        atomic_store(&shell->beat.is_reading, true);
        bool is_read = shell->settings.keeper.read(shell->settings.keeper.reader, &reading->query,
                                                   take_row, &taker);
        atomic_store(&shell->beat.is_reading, false);
        struct event done = shell_event(shell, EVENT_READ_DONE);
        done.tag = taker.tag;
        done.rows = taker.rows;
        done.failed = !is_read;
        free(reading);
        if (shell->is_over)
            return;
        if (!is_read)
            log_print(shell->settings.log, SAY_ERROR, "a read failed: %s",
                      shell->settings.keeper.fault(shell->settings.keeper.reader));
        shell_step(shell, &done);
    }
}
