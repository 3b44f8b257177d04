/* gateway.c: which event goes where. Pure. */
#include "services/gateway/gateway.h"
#include "base/room.h"
#include "schema/rest.h"
#include "services/gateway/rest/rest_rows.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#define TICK_MS 250u
#define LIFE_MS 1000u

/* A watchdog's last word. */
struct word {
    uint64_t
        watchdog; /* Its number among our peers; 0: this place is free.                       */
    uint64_t heard_ms;
    size_t   size;
    uint8_t  bytes[64u << 10];
};

struct gateway {
    struct gateway_settings settings;
    struct client_core     *client;
    struct rest             rest;
    struct browser         *browser;
    struct archive         *archive;
    struct gateway_facts    facts;
    uint64_t                now_ms, tick_ms, life_ms;
    struct word             words[GATEWAY_WORDS_MAX];
};

void gateway_defaults(struct gateway_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    client_core_defaults(&settings->client);
    settings->client.seats_max = 4096;
    settings->client.tables_max = 4096;
    settings->client.queue_bytes = 8u << 20;
    settings->client.asks_bytes = 1u << 20;
    settings->client.follow_bytes = 4u << 20;
    settings->client.from_start = true;
    settings->client.files_max = 4;
    settings->client.engine_asks = 20;
    rest_defaults(&settings->rest);
    browser_defaults(&settings->browser);
    archive_defaults(&settings->archive);
}

size_t gateway_bytes(const struct gateway_settings *settings)
{
    return room_for(sizeof(struct gateway)) + room_for(rest_bytes(&settings->rest)) +
           room_for(browser_bytes(&settings->browser)) +
           room_for(archive_bytes(&settings->archive)) + client_core_bytes(&settings->client);
}

struct gateway *gateway_init(void *memory, const struct gateway_settings *settings)
{
    struct gateway *gateway = memory;
    uint8_t        *at = memory;
    assert((uintptr_t) memory % alignof(max_align_t) == 0);
    memset(gateway, 0, sizeof *gateway);
    gateway->settings = *settings;
    at += room_for(sizeof *gateway);
    uint8_t *doors = at + room_for(rest_bytes(&settings->rest));
    uint8_t *archive = doors + room_for(browser_bytes(&settings->browser));
    gateway->client =
        client_core_init(archive + room_for(archive_bytes(&settings->archive)), &settings->client);
    rest_init(&gateway->rest, at, &settings->rest, gateway->client);
    gateway->browser = browser_init(doors, &settings->browser, gateway->client);
    gateway->archive = archive_init(archive, &settings->archive, gateway->client);
    return gateway;
}

/* Whether something is under way for him; else whoever waits, waits for somebody else. */
static bool is_busy(const struct rest_player *player)
{
    bool is_entering = player->state > REST_FREE && player->state < REST_ENTERED;
    bool is_beginning =
        player->state == REST_ATTACHING || player->route != 0 ||
        (player->state == REST_PLAYING && (!player->is_asked || player->is_doubted)) ||
        (player->state == REST_ENTERED && player->has_match);
    return is_entering || is_beginning || player->ask != 0 || player->command != 0;
}

struct gateway_facts gateway_facts(const struct gateway *gateway)
{
    struct gateway_facts facts = gateway->facts;
    facts.games = gateway->rest.games;
    facts.looks = client_core_looks(gateway->client);
    facts.answers = gateway->rest.answers;
    facts.is_open = facts.is_open && gateway->rest.is_loaded;
    facts.lobby_age_ms = gateway->now_ms - client_core_heard_ms(gateway->client);
    for (uint32_t i = 0; i < gateway->settings.rest.players_max; i++) {
        const struct rest_player *player = &gateway->rest.players[i];
        facts.players += player->state != REST_FREE;
        facts.busy += is_busy(player);
        facts.waiting += (uint64_t) player->map.is_held + player->update.is_held;
    }
    return facts;
}

struct browser_settings *gateway_browser_told(struct gateway *gateway)
{
    return browser_set(gateway->browser);
}

struct rest_settings *gateway_rest_told(struct gateway *gateway)
{
    return &gateway->rest.settings;
}

struct browser *gateway_browser(const struct gateway *gateway)
{
    return gateway->browser;
}

static void hear_tab(const struct browser_turn *turn, const struct event *event)
{
    const ProtobufCMessageDescriptor *kind = event->body->descriptor;
    uint64_t                          route = event->caller.route;
    if (kind == &arbiter__gateway__browser_open__descriptor)
        browser_open(turn, route, BODY(Arbiter__Gateway__BrowserOpen, event));
    else if (kind == &arbiter__browser__up__descriptor)
        browser_hear(turn, route, BODY(Arbiter__Browser__Up, event), event->bytes, event->size);
    else
        browser_hang_up(turn, route);
}

/* Whoever waited has gone: one of the two knows who that was. */
static void hear(const struct rest_turn *turn, const struct archive_turn *past,
                 const struct event *event)
{
    const ProtobufCMessageDescriptor *kind = event->body->descriptor;
    if (kind == &arbiter__gateway__rest_ask__descriptor)
        rest_hear(turn, event->caller.route, BODY(Arbiter__Gateway__RestAsk, event));
    else if (kind == &arbiter__gateway__hangup__descriptor)
        rest_hang_up(turn, event->caller.route, (BODY(Arbiter__Gateway__Hangup, event))->half);
    archive_hear(past, event);
}

/* A watchdog's own place, or a free one, or that of whoever has been silent longest. */
static struct word *place_of(struct gateway *gateway, uint64_t watchdog)
{
    struct word *found = &gateway->words[0];
    for (uint32_t i = 0; i < GATEWAY_WORDS_MAX; i++) {
        struct word *word = &gateway->words[i];
        if (word->watchdog == watchdog)
            return word;
        if (word->heard_ms < found->heard_ms)
            found = word;
    }
    return found;
}

/* What /metrics and /readyz look at. */
static void keep_word(struct gateway *gateway, const struct client_event *told)
{
    struct word *word = place_of(gateway, told->number);
    if (told->size > sizeof word->bytes)
        return;
    if (told->size > 0)
        memcpy(word->bytes, told->bytes, told->size);
    word->size = told->size;
    word->watchdog = told->number;
    word->heard_ms = gateway->now_ms;
}

uint32_t gateway_words(const struct gateway *gateway, struct gateway_word words[GATEWAY_WORDS_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < GATEWAY_WORDS_MAX; i++) {
        const struct word *word = &gateway->words[i];
        if (word->watchdog != 0)
            words[count++] =
                (struct gateway_word){ word->bytes, word->size, gateway->now_ms - word->heard_ms };
    }
    return count;
}

/* Before anybody has answered, more often: /readyz waits for it. */
static void ask_watchdogs(struct gateway *gateway, struct outbox *out)
{
    struct gateway_word words[GATEWAY_WORDS_MAX];
    if (gateway->now_ms < gateway->life_ms)
        return;
    client_core_ask_life(gateway->client, out);
    gateway->life_ms = gateway->now_ms + (gateway_words(gateway, words) > 0 ? LIFE_MS : TICK_MS);
}

/* The library found that the house broke a promise: the operator reads which one, and of which match. */
static void say_fault(struct gateway *gateway, const struct client_event *told, struct outbox *out)
{
    static const char        digits[] = "0123456789abcdef";
    static const char *const what[] = {
        [CLIENT_FAULT_FORK] = " is told in two ways: a store was set back",
        [CLIENT_FAULT_ROLLBACK] =
            " was shown to players, and its engine lost it: a store was set back",
        [CLIENT_FAULT_BOX] = " has a box that its seat's key does not open",
        [CLIENT_FAULT_DICE] = " has other bytes in its dice than were contributed",
        [CLIENT_FAULT_SECRETS] = " shows other secrets than the match began with",
    };
    struct text text;
    gateway->facts.faults++;
    gateway->facts.forks +=
        told->fault == CLIENT_FAULT_FORK || told->fault == CLIENT_FAULT_ROLLBACK;
    text_clear(&text);
    text_put(&text, "match ");
    for (uint32_t i = 0; i < CLIENT_ID_SIZE; i++) {
        text_put_bytes(&text, &digits[told->match_id[i] >> 4], 1);
        text_put_bytes(&text, &digits[told->match_id[i] & 15], 1);
    }
    text_put(&text, ", act ");
    text_put_number(&text, (int64_t) told->number);
    text_put(&text, what[told->fault]);
    outbox_say(out, SAY_ERROR, &text);
}

/* What was played by either door is over, and its act is told. */
static void note_time(struct gateway *gateway, const struct client_event *told, struct outbox *out)
{
    struct trace trace = { 0 };
    if (client_core_took(gateway->client, told->match_id, told->seat, gateway->now_ms, &trace))
        *outbox_took(out) = trace;
}

static void show(const void *memory, struct figures *figures)
{
    const struct gateway *gateway = memory;
    figures->forks = gateway->facts.forks;
}

static void step(void *memory, const struct event *event, struct outbox *out)
{
    struct gateway           *gateway = memory;
    const struct rest_turn    turn = { &gateway->rest, event->now_ms, event->entropy, out };
    const struct browser_turn tabs = { gateway->browser, event->now_ms, event->entropy, out,
                                       event->came_ms };
    const struct archive_turn past = { gateway->archive, event->now_ms, out };
    struct client_event       told;
    gateway->now_ms = event->now_ms;
    bool is_side = event->kind == EVENT_MESSAGE && event->caller.door == DOOR_SIDE;
    if (event->kind == EVENT_STARTED)
        rest_rows_read(&gateway->rest, out);
    if (is_side && (event->caller.route & BROWSER_ROUTE) != 0)
        hear_tab(&tabs, event);
    else if (is_side)
        hear(&turn, &past, event);
    else if (event->kind == EVENT_ROW)
        rest_rows_take(&gateway->rest, event);
    else if (event->kind == EVENT_READ_DONE)
        rest_rows_taken(&gateway->rest, event, out);
    else
        client_core_ops.step(gateway->client, event, out);
    while (client_core_next(gateway->client, &told)) {
        gateway->facts.is_open = gateway->facts.is_open || told.kind == CLIENT_CONNECTED;
        if (told.kind == CLIENT_FAULT)
            say_fault(gateway, &told, out);
        if (told.kind == CLIENT_REPLY)
            note_time(gateway, &told, out);
        if (told.kind == CLIENT_LIFE)
            keep_word(gateway, &told);
        else if (!archive_told(&past, &told) && !browser_told(&tabs, &told))
            rest_told(&turn, &told);
    }
    if (event->kind == EVENT_STOP) {
        rest_stop(&turn);
        browser_stop(&tabs);
    } else if (event->now_ms >= gateway->tick_ms) {
        rest_tick(&turn);
        browser_tick(&tabs);
    }
    browser_think(&tabs, event->kind == EVENT_TIME);
    rest_rows_write(&gateway->rest, out);
    archive_tick(&past);
    ask_watchdogs(gateway, out);
    if (event->now_ms >= gateway->tick_ms)
        gateway->tick_ms = event->now_ms + TICK_MS;
    outbox_wake(out, gateway->tick_ms);
}

/* An id that could not be kept was not given out either; what else was to be said in that batch is lost with
 * it. Whoever begins anew finds all of it in the house. */
static void settle(void *memory, enum store_outcome outcome, struct outbox *out)
{
    struct text line;
    (void) memory;
    if (outcome == STORE_COMMITTED)
        return;
    text_clear(&line);
    text_put(&line, "what must outlive this process cannot be kept, so it ends here");
    outbox_say(out, SAY_ERROR, &line);
    outbox_exit(out);
}

static void show_bounds(const void *memory, struct fullness *bounds)
{
    const struct gateway          *gateway = memory;
    const struct browser_settings *most = &gateway->settings.browser;
    struct browser_facts_of        tabs = browser_facts(gateway->browser);
    bounds->of[BOUND_TABS] = (struct bound_use){ tabs.tabs, most->tabs_max, 0 };
    bounds->of[BOUND_SESSIONS] = (struct bound_use){ tabs.sessions, most->sessions_max, 0 };
    /* Half of the setting is theirs, the other half that of the door of 2017. */
    bounds->of[BOUND_SEATS] = (struct bound_use){ 2 * tabs.seats, 2 * most->seats_max, 0 };
    bounds->of[BOUND_WATCHES] = (struct bound_use){ tabs.watches, most->watches_max, 0 };
    bounds->of[BOUND_PLAYERS] =
        (struct bound_use){ gateway_facts(gateway).players, gateway->settings.rest.players_max, 0 };
    bounds->of[BOUND_PLAYERS_OF_ONE] = (struct bound_use){ rest_most_from_one(&gateway->rest),
                                                           gateway->rest.settings.per_address, 0 };
}

const struct core_ops gateway_ops = {
    .step = step,
    .settle = settle,
    .schema = &rest_schema,
    .figures = show,
    .bounds = show_bounds,
};
