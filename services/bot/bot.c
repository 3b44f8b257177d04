/* bot.c: the bot as a core: what it is made of, and who in it hears of what. Pure. */
#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "base/room.h"
#include "dice/kinds.h"
#include "services/bot/bot_parts.h"

void bot_defaults(struct bot_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    client_core_defaults(&settings->client);
    settings->client.seats_max = 256;
    settings->client.tables_max = 256;
    settings->client.queue_bytes = 4u << 20;
    settings->think_ms = 300;
    settings->seldom_one_in = 1000;
    settings->refusals_max = 8;
    settings->think_most_ms = 1000;
    mind_defaults(&settings->mind);
}

size_t bot_bytes(const struct bot_settings *settings)
{
    return room_for(sizeof(struct bot)) + room_for(BOT_PATTERNS_MAX * sizeof(struct pattern)) +
           room_for(BOT_VALUES_MAX * sizeof(word)) +
           room_for(settings->client.tables_max * sizeof(struct place)) +
           room_for(settings->client.seats_max * sizeof(struct chair)) +
           mind_bytes(&settings->mind) + client_core_bytes(&settings->client);
}

struct bot_settings *bot_told(struct bot *bot)
{
    return &bot->settings;
}

struct bot *bot_init(void *memory, const struct bot_settings *settings)
{
    uint8_t    *at = memory;
    struct bot *bot = memory;
    assert((uintptr_t) memory % alignof(max_align_t) == 0);
    memset(memory, 0, bot_bytes(settings));
    bot->settings = *settings;
    at += room_for(sizeof *bot);
    bot->legal.list.pattern = room_take(&at, BOT_PATTERNS_MAX * sizeof(struct pattern));
    bot->legal.list.patterns_max = BOT_PATTERNS_MAX;
    bot->legal.list.value = room_take(&at, BOT_VALUES_MAX * sizeof(word));
    bot->legal.list.values_max = BOT_VALUES_MAX;
    bot->places = room_take(&at, settings->client.tables_max * sizeof(struct place));
    bot->chairs = room_take(&at, settings->client.seats_max * sizeof(struct chair));
    bot->mind = mind_init(at, &bot->settings.mind);
    at += mind_bytes(&settings->mind);
    bot->thinking.chair = NOBODY;
    bot->client = client_core_init(at, &settings->client);
    return bot;
}

struct bot_facts bot_facts(const struct bot *bot)
{
    return bot->facts;
}

static void act_on(const struct turn *turn, const struct client_event *event)
{
    switch (event->kind) {
    case CLIENT_TABLE: bot_on_table(turn, event); break;
    case CLIENT_TABLE_LOST: bot_on_table_lost(turn, event); break;
    case CLIENT_ANSWER: bot_on_answer(turn, event); break;
    case CLIENT_ATTACHED: bot_on_attached(turn, event); break;
    case CLIENT_LEGAL: bot_on_legal(turn, event); break;
    case CLIENT_VIEW: bot_on_view(turn, event); break;
    case CLIENT_REPLY: bot_on_reply(turn, event); break;
    case CLIENT_REFUSED:
        bot_on_answer(turn, event);
        bot_on_match(turn, event);
        break;
    default: bot_on_match(turn, event); break;
    }
}

static void step(void *memory, const struct event *event, struct outbox *out)
{
    struct bot         *bot = memory;
    const struct turn   turn = { bot, event->now_ms, out };
    struct client_event told;
    if (!bot->has_dice) {
        uint64_t seed;
        memcpy(&seed, event->entropy, sizeof seed);
        dice_splitmix(&bot->dice, seed);
        bot->has_dice = true;
    }
    client_core_ops.step(bot->client, event, out);
    while (client_core_next(bot->client, &told))
        act_on(&turn, &told);
    bot_leave(&turn);
    bot_ask_what_to_do(&turn);
    bot_think(&turn, event->kind == EVENT_TIME);
}

/* It keeps nothing. */
static void settle(void *memory, enum store_outcome outcome, struct outbox *out)
{
    (void) memory, (void) outcome, (void) out;
}

const struct core_ops bot_ops = { .step = step, .settle = settle, .schema = NULL };
