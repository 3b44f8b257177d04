/* lobby_room.c: when tables run short, those at which nothing happens make room. Pure.
 *
 * Tables that are open, or over, are closed after a while of silence in any case, and sooner the
 * fewer places are left. Of matches the lobby hears nothing while they are played. One without a
 * time for each turn may have been left by everybody. When few tables are left, the lobby asks
 * engines, one match after the other, to end it if nobody has done anything for long. They alone
 * know. The same goes for matches with bots while somebody waits for one that does not come. */
#include "services/lobby/lobby_parts.h"

/* Room is scarce when less than this part of it is left. Whoever opens a table has so long to invite somebody. */
#define SCARCE 8u
#define IDLE_LEAST_MS 120000u
/* A bot that was called comes at once, unless all are busy. */
#define BOT_LATE_MS 10000u
/* Engines are asked about so many matches a second. */
#define ASKED_AT_ONCE 16u
/* Who has most tables loses a match sooner. */
#define GREEDY_IDLE_MS 60000u
/* Operators hear the same once a minute. */
#define TOLD_APART_MS 60000u

uint32_t lobby_tables_left(const struct lobby *lobby)
{
    uint32_t left = lobby->settings.tables_max;
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        left -= table_of(lobby, i)->used != 0;
    return left;
}

uint32_t lobby_texts_left(const struct lobby *lobby)
{
    uint32_t left = lobby->settings.texts_max;
    for (uint32_t i = 0; i < lobby->settings.texts_max; i++)
        left -= ((const struct text_owner *) record_of(lobby, RECORD_TEXT, i))->tables > 0;
    return left;
}

/* What stays of `whole` when of `max` places only so many are left. */
static uint64_t shrink(uint64_t whole, uint32_t left, uint32_t max)
{
    uint32_t enough = max / SCARCE;
    if (whole <= IDLE_LEAST_MS || left >= enough)
        return whole;
    return IDLE_LEAST_MS + (whole - IDLE_LEAST_MS) * left / enough;
}

uint64_t lobby_idle_until(const struct lobby *lobby, uint32_t place)
{
    const struct lobby_settings *settings = &lobby->settings;
    uint64_t idle_ms = shrink(settings->idle_ms, lobby->tables_left, settings->tables_max);
    if (table_of(lobby, place)->text != NOBODY)
        idle_ms = shrink(idle_ms, lobby->texts_left, settings->texts_max);
    return lobby->clocks[place].happened_ms + idle_ms;
}

static bool has_bot(const struct lobby *lobby, const struct table *table)
{
    for (uint32_t i = 0; i < table->match_seats; i++)
        if (table->seat[i].player != NOBODY && player_of(lobby, table->seat[i].player)->bot)
            return true;
    return false;
}

/* Of those who wait for a bot one has waited for long: the services are busy, or none is there. */
static bool is_short_of_bots(const struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++) {
        const struct table *table = table_of(lobby, i);
        if (!table->used || lobby->now_ms - lobby->clocks[i].happened_ms < BOT_LATE_MS)
            continue;
        for (uint32_t seat = 0; seat < table->seat_count; seat++)
            if (table->seat[seat].promised != NOBODY &&
                player_of(lobby, table->seat[seat].promised)->bot)
                return true;
    }
    return false;
}

/* So long the lobby has heard nothing of it; whether it was played meanwhile it does not know. */
static bool may_be_abandoned(const struct lobby *lobby, uint32_t place, bool only_with_bots)
{
    const struct table *table = table_of(lobby, place);
    return table->used && (!only_with_bots || has_bot(lobby, table)) &&
           table->phase == PHASE(PLAYING) && table->stage == STAGE_STARTED &&
           lobby->now_ms - lobby->clocks[place].happened_ms >= lobby->settings.abandoned_ms;
}

/* Matches of who has most tables. */
static void ask_about_greedy(struct lobby *lobby, struct outbox *out)
{
    uint32_t max = lobby->settings.tables_max, asked = 0;
    lobby_tally_tables(lobby);
    for (uint32_t i = 0; i < max && asked < ASKED_AT_ONCE; i++) {
        uint32_t            place = lobby->greedy_at++ % max;
        const struct table *table = table_of(lobby, place);
        if (!table->used || table->phase != PHASE(PLAYING) || table->stage != STAGE_STARTED ||
            lobby->now_ms - lobby->clocks[place].happened_ms < GREEDY_IDLE_MS ||
            !lobby_is_greedy(lobby, place))
            continue;
        lobby_send_abort_if_idle(lobby, place, GREEDY_IDLE_MS, out);
        asked++;
    }
}

static void ask_engines(struct lobby *lobby, bool only_with_bots, struct outbox *out)
{
    uint32_t max = lobby->settings.tables_max, asked = 0;
    for (uint32_t i = 0; i < max && asked < ASKED_AT_ONCE; i++) {
        uint32_t place = lobby->abandoned_at++ % max;
        if (!may_be_abandoned(lobby, place, only_with_bots))
            continue;
        lobby_send_abort_if_idle(lobby, place, lobby->settings.abandoned_ms, out);
        asked++;
    }
}

void lobby_tables_make_room(struct lobby *lobby, struct outbox *out)
{
    lobby->tables_left = lobby_tables_left(lobby);
    lobby->texts_left = lobby_texts_left(lobby);
    bool is_short_of_tables = lobby->tables_left < lobby->settings.tables_max / SCARCE;
    if (is_short_of_tables || is_short_of_bots(lobby))
        ask_engines(lobby, !is_short_of_tables, out);
    if (is_short_of_tables)
        ask_about_greedy(lobby, out);
}

bool lobby_may_tell(const struct lobby *lobby, uint64_t *again_ms)
{
    if (lobby->now_ms < *again_ms)
        return false;
    *again_ms = lobby->now_ms + TOLD_APART_MS;
    return true;
}
