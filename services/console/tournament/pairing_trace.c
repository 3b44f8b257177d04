/* pairing_trace.c: the match file of a tournament's game, written while it is played. */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "services/console/command/interrupt.h"
#include "services/console/tournament/pairing_parts.h"

static void drop_trace(struct pairing *pairing)
{
    if (pairing->trace != NULL)
        (void) trace_close(&pairing->trace, NULL);
    pairing->result->match[0] = '\0';
}

/* A name as part of a file's: what is no letter, digit, "-" or "_" becomes "_", and a number tells it
 * from other such names. */
static void put_name(char *to, size_t room, const char *name)
{
    uint32_t hash = 2166136261u;
    bool     is_plain = true;
    size_t   size = 0;
    for (; *name != '\0' && size + 10 < room; name++) {
        bool is_good = isalnum((unsigned char) *name) || *name == '-' || *name == '_';
        hash = (hash ^ (uint8_t) *name) * 16777619u;
        is_plain = is_plain && is_good;
        to[size++] = (char) (is_good ? *name : '_');
    }
    to[size] = '\0';
    if (!is_plain)
        (void) snprintf(to + size, room - size, "-%08" PRIx32, hash);
}

void pairing_open_trace(struct pairing *pairing)
{
    char                   first[56], second[56], path[PATH_MAX];
    struct pairing_result *result = pairing->result;
    if (pairing->terms->matches == NULL)
        return;
    put_name(first, sizeof first, pairing->entrants[pairing->swapped]->name);
    put_name(second, sizeof second, pairing->entrants[!pairing->swapped]->name);
    (void) snprintf(result->match, sizeof result->match, "%" PRIu64 ".%s.%s.match",
                    pairing->playing.seed, first, second);
    (void) snprintf(path, sizeof path, "%s/%s", pairing->terms->matches, result->match);
    for (uint32_t seat = 0; seat < pairing->terms->table->seats; seat++)
        pairing->playing.names[seat] = pairing->entrants[pairing_entrant(pairing, seat)]->name;
    pairing->trace = trace_open(path);
    if (pairing->trace == NULL || !trace_begin(pairing->trace, &pairing->playing) ||
        !trace_act(pairing->trace, &pairing->playing.act))
        drop_trace(pairing);
}

void pairing_put_trace(struct pairing *pairing)
{
    if (pairing->trace != NULL && !trace_act(pairing->trace, &pairing->playing.act))
        drop_trace(pairing);
}

void pairing_close_trace(struct pairing *pairing)
{
    if (interrupted() || pairing->result->no_start != NULL)
        drop_trace(pairing);
    if (pairing->trace != NULL && !trace_close(&pairing->trace, &pairing->playing))
        pairing->result->match[0] = '\0';
}
