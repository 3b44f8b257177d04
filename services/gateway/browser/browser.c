/* browser.c: the WebSocket door's memory, and which of the house's news goes where. Pure. */
#include "services/gateway/browser/browser.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "base/room.h"
#include "mind/mind.h"
#include "services/gateway/browser/browser_parts.h"

#define PENDINGS_FOR_EACH 4u /* Questions of one tab that wait. */

void browser_defaults(struct browser_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->version = "";
    settings->tabs_max = 4096;
    settings->sessions_max = 4096;
    settings->seats_max = 2048;
    settings->watches_max = 256;
    settings->log_bytes = 64u << 20;
    mind_defaults(&settings->mind);
    settings->mind.setups_max = 8;
    settings->mind.tree_bytes = 4u << 20;
    settings->mind.slice_ms = 2;
    settings->hint_ms = 50;
    settings->hello_ms = 5000;
    settings->burst = 10;
    settings->per_10_s = 30;
    settings->idle_ms = 600000;
    settings->code_ms = 600000;
}

static uint32_t logs_of(const struct browser_settings *settings)
{
    return settings->tabs_max + settings->sessions_max + settings->seats_max +
           settings->watches_max;
}

static uint32_t pendings_of(const struct browser_settings *settings)
{
    return settings->tabs_max * PENDINGS_FOR_EACH + settings->seats_max;
}

size_t browser_bytes(const struct browser_settings *settings)
{
    return room_for(sizeof(struct browser)) +
           room_for(settings->tabs_max * sizeof(struct browser_tab)) +
           room_for(settings->sessions_max * sizeof(struct browser_session)) +
           room_for(settings->seats_max * sizeof(struct browser_seat)) +
           room_for(settings->watches_max * sizeof(struct browser_watch)) +
           room_for(pendings_of(settings) * sizeof(struct browser_pending)) +
           room_for(BROWSER_TABLES * sizeof(struct browser_table)) + room_for(DOWN_BYTES) +
           mind_bytes(&settings->mind) + room_for(logs_of(settings) * sizeof(struct browser_log)) +
           room_for(settings->log_bytes);
}

struct browser_settings *browser_set(struct browser *browser)
{
    return &browser->settings;
}

struct browser *browser_init(void *memory, const struct browser_settings *settings,
                             struct client_core *client)
{
    uint8_t        *at = memory;
    struct browser *browser = room_take(&at, sizeof *browser);
    size_t          log_bytes = settings->log_bytes & ~(size_t) 7;
    assert((uintptr_t) memory % alignof(max_align_t) == 0 && log_bytes >= 4u * DOWN_BYTES);
    memset(memory, 0, browser_bytes(settings) - room_for(settings->log_bytes));
    browser->settings = *settings;
    browser->client = client;
    browser->tabs = room_take(&at, settings->tabs_max * sizeof *browser->tabs);
    browser->sessions = room_take(&at, settings->sessions_max * sizeof *browser->sessions);
    browser->seats = room_take(&at, settings->seats_max * sizeof *browser->seats);
    browser->watches = room_take(&at, settings->watches_max * sizeof *browser->watches);
    browser->pendings_max = pendings_of(settings);
    browser->pendings = room_take(&at, browser->pendings_max * sizeof *browser->pendings);
    browser->tables = room_take(&at, BROWSER_TABLES * sizeof *browser->tables);
    browser->scratch = room_take(&at, DOWN_BYTES);
    browser->mind = mind_init(at, &browser->settings.mind);
    at += mind_bytes(&settings->mind);
    struct browser_log *logs = room_take(&at, logs_of(settings) * sizeof *logs);
    browser_logs_init(&browser->logs, at, log_bytes, logs, logs_of(settings));
    return browser;
}

static bool match_told(const struct browser_turn *turn, const struct client_event *event)
{
    struct browser_seat  *seat = NULL;
    struct browser_watch *watch = NULL;
    if (event->seat == NO_SEAT)
        watch = browser_watch_of(turn->browser, event->match_id);
    else
        seat = browser_seat_of(turn->browser, event->match_id, event->seat);
    if (watch != NULL)
        browser_watch_told(turn, watch, event);
    if (seat != NULL)
        browser_seat_told(turn, seat, event);
    return seat != NULL || watch != NULL;
}

uint64_t browser_stirs(const struct browser *browser)
{
    return browser->stirs;
}

bool browser_told(const struct browser_turn *turn, const struct client_event *event)
{
    turn->browser->stirs++;
    /* Of refusals that name no seat, those for good are about views of those who watch. */
    static const uint8_t none[CLIENT_ID_SIZE];
    bool is_match = event->seat != NO_SEAT || (event->refusal == REFUSAL(TOO_MUCH) &&
                                               memcmp(event->match_id, none, sizeof none) != 0);
    switch (event->kind) {
    case CLIENT_ANSWER: return browser_answer_told(turn, event);
    case CLIENT_REFUSED:
        return is_match ? match_told(turn, event) : browser_answer_told(turn, event);
    case CLIENT_TABLE:
    case CLIENT_TABLE_NOW:
    case CLIENT_TABLE_LOST: return browser_table_told(turn, event);
    case CLIENT_CONNECTED: turn->browser->welcomes++; return false;
    case CLIENT_NOTHING: return false;
    default: return match_told(turn, event);
    }
}

void browser_tick(const struct browser_turn *turn)
{
    turn->browser->stirs++;
    browser_sessions_tick(turn);
    browser_seats_tick(turn);
    browser_dice_tick(turn);
    browser_watches_tick(turn);
}

void browser_stop(const struct browser_turn *turn)
{
    turn->browser->stirs++;
    for (uint32_t i = 0; i < turn->browser->settings.tabs_max; i++)
        if (turn->browser->tabs[i].route != 0)
            browser_close(turn, &turn->browser->tabs[i],
                          "The house is being started anew: come back in a moment.");
}

uint32_t browser_game_of_match(const struct browser *browser, const uint8_t *match_id)
{
    const struct browser_watch *watch = browser_watch_of(browser, match_id);
    for (uint32_t i = 0; i < browser->settings.seats_max; i++)
        if (browser->seats[i].is_used &&
            memcmp(browser->seats[i].match_id, match_id, CLIENT_ID_SIZE) == 0)
            return browser->seats[i].game;
    return watch != NULL ? watch->game : BROWSER_NO_GAME;
}

bool browser_plays_match(const struct browser *browser, const uint8_t *match_id)
{
    for (uint32_t i = 0; i < browser->settings.seats_max; i++)
        if (browser->seats[i].is_used &&
            memcmp(browser->seats[i].match_id, match_id, CLIENT_ID_SIZE) == 0)
            return true;
    return false;
}

struct browser_facts_of browser_facts(const struct browser *browser)
{
    struct browser_facts_of facts = { .refused = browser->refused,
                                      .lost = browser->lost,
                                      .slow = browser->slow,
                                      .seats_full = browser->seats_full };
    for (uint32_t i = 0; i < browser->settings.tabs_max; i++)
        facts.tabs += browser->tabs[i].route != 0;
    for (uint32_t i = 0; i < browser->settings.sessions_max; i++)
        facts.sessions += browser->sessions[i].is_used;
    for (uint32_t i = 0; i < browser->settings.seats_max; i++)
        facts.seats += browser->seats[i].is_used;
    for (uint32_t i = 0; i < browser->settings.watches_max; i++)
        facts.watches += browser->watches[i].is_used;
    return facts;
}
