/* bot_tables.c: calls of the lobby's are followed, and tables left when there is nothing more to play. Pure. */
#include <string.h>

#include "services/bot/bot_parts.h"

#define PAST_MOST 5000u /* Acts that are told to a seat of a match that goes on. */

struct place *bot_place_of(struct bot *bot, const uint8_t *player)
{
    for (uint32_t i = 0; i < bot->settings.client.tables_max; i++)
        if (bot->places[i].is_used && memcmp(bot->places[i].player, player, CLIENT_ID_SIZE) == 0)
            return &bot->places[i];
    return NULL;
}

static struct place *free_place(struct bot *bot)
{
    for (uint32_t i = 0; i < bot->settings.client.tables_max; i++)
        if (!bot->places[i].is_used)
            return &bot->places[i];
    return NULL;
}

/* The lobby calls until we sit, so a call that is not followed now is followed later. */
static void on_call(const struct turn *turn, const struct client_event *event,
                    const struct bot_table_event *call)
{
    uint8_t       ask[BOT_ASK_MAX];
    struct place *place = bot_place_of(turn->bot, event->player);
    if (place == NULL)
        place = free_place(turn->bot);
    if (place == NULL || place->is_used)
        return;
    memset(place, 0, sizeof *place);
    memcpy(place->player, event->player, CLIENT_ID_SIZE);
    memcpy(place->table, event->table, CLIENT_ID_SIZE);
    place->seat = call->seat;
    memcpy(place->policy, call->policy, sizeof place->policy);
    size_t size = bot_write_join(ask, event->player, event->table, call);
    place->ask = client_core_ask(turn->bot->client, ask, size, turn->now_ms, turn->out);
    place->is_used = place->ask != 0;
}

static void leave(const struct turn *turn, struct place *place)
{
    uint8_t ask[BOT_ASK_MAX];
    if (!place->is_used || !place->gets_up || place->is_leaving || place->ask != 0)
        return;
    size_t size = bot_write_leave(ask, place->player, place->table);
    place->ask = client_core_ask(turn->bot->client, ask, size, turn->now_ms, turn->out);
    place->is_leaving = place->ask != 0;
}

/* Its seat is taken in a moment. One who thinks ahead wants to know what was told before that. */
static void hear_from_start(const struct turn *turn, const struct place *place,
                            const uint8_t *match_id)
{
    size_t size = text_length(place->policy);
    bool   is_simple = size == 0 || text_is(place->policy, size, "random") ||
                     text_is(place->policy, size, "greedy");
    if (match_id != NULL && turn->bot->mind != NULL && !is_simple)
        client_core_past(turn->bot->client, match_id, place->seat, PAST_MOST);
}

void bot_on_table(const struct turn *turn, const struct client_event *event)
{
    struct bot_table_event happened;
    if (!bot_read_table_event(event->bytes, event->size, &happened))
        return;
    if (event->number == 0) {
        if (happened.kind == BOT_INVITED)
            on_call(turn, event, &happened);
        return;
    }
    struct place *place = bot_place_of(turn->bot, event->player);
    if (place == NULL)
        return;
    if (happened.kind == BOT_MATCH_BEGINS)
        hear_from_start(turn, place, happened.match_id);
    if (happened.kind == BOT_MATCH_ENDED)
        place->gets_up = true; /* If a table wants the bot again, it calls it again. */
    if (happened.kind == BOT_TABLE_CLOSED)
        place->is_used = false;
}

void bot_on_answer(const struct turn *turn, const struct client_event *event)
{
    const uint8_t *match_id = NULL;
    bool           is_done =
        event->kind == CLIENT_ANSWER && bot_read_done(event->bytes, event->size, &match_id);
    for (uint32_t i = 0; i < turn->bot->settings.client.tables_max; i++) {
        struct place *place = &turn->bot->places[i];
        if (!place->is_used || place->ask != event->request)
            continue;
        place->ask = 0;
        if (!is_done || place->is_leaving)
            place->is_used = false;
        else
            hear_from_start(turn, place, match_id);
    }
}

const struct place *bot_place_at(const struct bot *bot, const struct bot_match *match,
                                 uint32_t seat)
{
    for (uint32_t i = 0; i < bot->settings.client.tables_max && match->table != NULL; i++) {
        const struct place *place = &bot->places[i];
        if (place->is_used && place->seat == seat &&
            memcmp(place->table, match->table, CLIENT_ID_SIZE) == 0)
            return place;
    }
    return NULL;
}

void bot_on_table_lost(const struct turn *turn, const struct client_event *event)
{
    struct place *place = bot_place_of(turn->bot, event->player);
    if (place != NULL)
        place->is_used = false;
}

void bot_leave(const struct turn *turn)
{
    for (uint32_t i = 0; i < turn->bot->settings.client.tables_max; i++)
        leave(turn, &turn->bot->places[i]);
}
