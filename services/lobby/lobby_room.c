/* lobby_room.c: when tables run short, those at which nothing happens make room. Pure.
 *
 * Tables that are open, or over, are closed after a while of silence in any case, and sooner the fewer places are left.
 * Of matches the lobby hears nothing while they are played. One without a time for each turn may have been left by
 * everybody: when few tables are left, engines are asked one match after the other to end it if nobody has done anything
 * for long. They alone know. */
#include "services/lobby/lobby_parts.h"

/* Room is scarce when less than this part of it is left. Whoever opens a table has so long to invite somebody. */
#define SCARCE 8u
#define IDLE_LEAST_MS 120000u
/* Engines are asked about so many matches a second. */
#define ASKED_AT_ONCE 16u

static uint32_t tables_left(const struct lobby *lobby)
{
    uint32_t left = lobby->settings.tables_max;
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        left -= table_of(lobby, i)->used != 0;
    return left;
}

static uint32_t texts_left(const struct lobby *lobby)
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

/* So long the lobby has heard nothing of it; whether it was played meanwhile it does not know. */
static bool may_be_abandoned(const struct lobby *lobby, uint32_t place)
{
    const struct table *table = table_of(lobby, place);
    return table->used && table->phase == PHASE(PLAYING) && table->stage == STAGE_STARTED &&
           lobby->now_ms - lobby->clocks[place].happened_ms >= lobby->settings.abandoned_ms;
}

static void ask_engines(struct lobby *lobby, struct outbox *out)
{
    uint32_t max = lobby->settings.tables_max, asked = 0;
    for (uint32_t i = 0; i < max && asked < ASKED_AT_ONCE; i++) {
        uint32_t place = lobby->abandoned_at++ % max;
        if (!may_be_abandoned(lobby, place))
            continue;
        lobby_send_abort_if_idle(lobby, place, lobby->settings.abandoned_ms, out);
        asked++;
    }
}

void lobby_tables_make_room(struct lobby *lobby, struct outbox *out)
{
    lobby->tables_left = tables_left(lobby);
    lobby->texts_left = texts_left(lobby);
    if (lobby->tables_left < lobby->settings.tables_max / SCARCE)
        ask_engines(lobby, out);
}
