/* show.c: prints acts and results of a match. */
#include "services/console/faces/show.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "contract/stream.pb-c.h"
#include "services/console/command/terminal.h"
#include "wire/arena.h"
#include "wire/json.h"
#include "wire/order.h"

#define COMMAND_BYTES ((size_t) 1 << 17)

static void put_seat(const struct show *show, uint32_t seat)
{
    const char *name = show->name != NULL ? show->name(show->names, seat) : NULL;
    char        plain[24];
    snprintf(plain, sizeof plain, "seat %" PRIu32, seat);
    terminal_put_in(show->lines.out, show->coloured, COLOUR_BOLD, name != NULL ? name : plain);
    if (name != NULL)
        fprintf(show->lines.out, " (%s)", plain);
}

static void put_seats(const struct show *show, seat_mask seats)
{
    for (uint32_t seat = 0; seat < SEATS_MAX; seat++) {
        if ((seats >> seat & 1) == 0)
            continue;
        put_seat(show, seat);
        seats &= ~(1u << seat);
        fputs(seats != 0 ? ", " : "", show->lines.out);
    }
}

static void put_command(const struct show *show, const struct match_act *act)
{
    static _Alignas(max_align_t) uint8_t memory[COMMAND_BYTES];
    struct arena                         arena;
    struct command                       command;
    arena_init(&arena, memory, sizeof memory);
    put_seat(show, act->actor);
    fputs(": ", show->lines.out);
    if (plan_decode_command(show->commands, act->command, act->command_size, &arena, &command))
        lines_command(&show->lines, &command);
}

/* An event of the house by its name, and its fields as JSON. */
static void put_saying(const struct show *show, const struct match_act *act)
{
    ProtobufCMessage *message = protobuf_c_message_unpack(&arbiter__stream__house_event__descriptor,
                                                          NULL, act->command_size, act->command);
    json_t           *json = message != NULL ? json_of_message(message) : NULL;
    const char       *name = json_object_iter_key(json_object_iter(json));
    char *text = json_dumps(json_object_get(json, name), JSON_COMPACT | JSON_ENSURE_ASCII);
    fputs("the house says ", show->lines.out);
    fputs(name != NULL ? name : "nothing", show->lines.out);
    if (text != NULL)
        fprintf(show->lines.out, " %s", text);
    free(text);
    json_decref(json);
    if (message != NULL)
        protobuf_c_message_free_unpacked(message, NULL);
}

static void put_actor(const struct show *show, const struct match_act *act)
{
    const uint8_t *at = act->command;
    uint32_t       number = act->command_size == 4 ? (uint32_t) order_get(&at, 4) : 0;
    switch (act->actor) {
    case ACTOR_START: fputs("the match begins", show->lines.out); break;
    case ACTOR_TIME:
        fputs("time is up for ", show->lines.out);
        put_seats(show, number);
        break;
    case ACTOR_HOUSE:
        fputs("the house removes ", show->lines.out);
        put_seat(show, number);
        break;
    case ACTOR_ANNUL: fputs("the house ends the match", show->lines.out); break;
    case ACTOR_SAY: put_saying(show, act); break;
    default: put_command(show, act); break;
    }
}

/* Who may know an event, if not everybody does. */
static void put_audience(const struct show *show, audience to)
{
    char text[48] = "";
    if ((to & 0xff00) == TO_SEAT(0))
        snprintf(text, sizeof text, "[only seat %" PRIu32 "] ", to & 0xff);
    else if ((to & 0xff00) == TO_ALL_BUT(0))
        snprintf(text, sizeof text, "[all but seat %" PRIu32 "] ", to & 0xff);
    else if (to == TO_SEATS_NOW)
        snprintf(text, sizeof text, "[seats] ");
    else if (to == TO_SPECTATORS_LATER)
        snprintf(text, sizeof text, "[spectators] ");
    terminal_put_in(show->lines.out, show->coloured, COLOUR_YELLOW, text);
}

void show_act(const struct show *show, const struct match_act *act)
{
    char number[24];
    snprintf(number, sizeof number, "%5" PRIu64 "  ", act->number);
    terminal_put_in(show->lines.out, show->coloured, COLOUR_DIM, number);
    put_actor(show, act);
    fputc('\n', show->lines.out);
    for (const word *event = sink_first(act->events); event != NULL;
         event = sink_next(act->events, event)) {
        fputs("         ", show->lines.out);
        put_audience(show, event_to(event));
        lines_event(&show->lines, event);
        fputc('\n', show->lines.out);
    }
}

void show_end(const struct show *show, const struct match *match)
{
    int32_t   outcome[SEATS_MAX] = { 0 };
    seat_mask awaited = match_to_act(match);
    if (awaited != 0) {
        fprintf(show->lines.out, "after act %" PRIu64 " the match waits for ", match->number);
        put_seats(show, awaited);
        fputc('\n', show->lines.out);
        return;
    }
    match_outcome(match, outcome);
    for (uint32_t seat = 0; seat < match->terms->seats; seat++) {
        put_seat(show, seat);
        fputc(' ', show->lines.out);
        terminal_put_in(show->lines.out, show->coloured,
                        outcome[seat] > 0   ? COLOUR_GREEN
                        : outcome[seat] < 0 ? COLOUR_RED
                                            : COLOUR_NONE,
                        outcome[seat] > 0   ? "wins"
                        : outcome[seat] < 0 ? "loses"
                                            : "draws");
        fputc('\n', show->lines.out);
    }
}
