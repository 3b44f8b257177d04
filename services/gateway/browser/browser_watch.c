/* browser_watch.c: matches watched: attached once, opened once, read by any number. Pure.
 *
 * A match's log holds acts, and views at places among them. It begins at the first act, or
 * BROWSER_PAST_MAX acts before the one at which the match is first watched. It is told once for all
 * readers. A new reader begins with a view behind the last act, which is asked for once for all who
 * came meanwhile. Or it begins with the act behind the last one it has. Then it reads on. A reader
 * that also wants acts before the view begins further up, and nothing is asked for it. */
#include <string.h>

#include "contract/browser_fields.h"
#include "contract/engine_fields.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field.h"

#define IDLE_MS 30000u /* Nobody watches any more: who was cut off finds it as it was. */
#define CROWD_MS 1000u /* How often those who watch are told how many they are. */

struct browser_watch *browser_watch_of(const struct browser *browser, const uint8_t *match_id)
{
    for (uint32_t i = 0; i < browser->settings.watches_max; i++) {
        struct browser_watch *watch = &browser->watches[i];
        if (watch->is_used && memcmp(watch->match_id, match_id, CLIENT_ID_SIZE) == 0)
            return watch;
    }
    return NULL;
}

static struct browser_reading *reading_of(const struct browser *browser, struct browser_tab *tab,
                                          const uint8_t *match_id)
{
    for (uint32_t i = 0; i < BROWSER_WATCHES; i++) {
        struct browser_reading *reading = &tab->reading[i];
        if (reading->watch != BROWSER_NOBODY &&
            memcmp(browser->watches[reading->watch].match_id, match_id, CLIENT_ID_SIZE) == 0)
            return reading;
    }
    return NULL;
}

bool browser_is_watching(const struct browser *browser, const struct browser_tab *tab,
                         const uint8_t *match_id)
{
    return reading_of(browser, (struct browser_tab *) tab, match_id) != NULL;
}

/* Nobody tells us of it any more, so nobody waits for a view of it either. */
static void end_watch(const struct browser_turn *turn, struct browser_watch *watch)
{
    browser_look_lost(turn, watch->match_id, NO_SEAT);
    browser_log_close(&turn->browser->logs, watch->log);
    watch->is_used = false;
}

/* Nobody watches it, and it is told no more. */
static void forget_watch(const struct browser_turn *turn, struct browser_watch *watch)
{
    client_core_detach(turn->browser->client, watch->match_id, NO_SEAT, turn->out);
    end_watch(turn, watch);
}

void browser_stop_reading(const struct browser_turn *turn, struct browser_reading *reading)
{
    if (reading->watch == BROWSER_NOBODY)
        return;
    struct browser_watch *watch = &turn->browser->watches[reading->watch];
    reading->watch = BROWSER_NOBODY;
    watch->followers -= reading->follows;
    if (--watch->readers == 0)
        watch->quiet_ms = turn->now_ms;
}

/* Attaches with this code; "": without. False: no room. */
static bool attach(const struct browser_turn *turn, struct browser_watch *watch, const char *code)
{
    memset(watch->code, 0, sizeof watch->code);
    memcpy(watch->code, code, text_length(code));
    watch->state = WATCH_ATTACHING;
    if (!client_core_attach(turn->browser->client, watch->match_id, NO_SEAT, code, turn->now_ms,
                            turn->out))
        return false;
    client_core_past(turn->browser->client, watch->match_id, NO_SEAT, BROWSER_PAST_MAX);
    return true;
}

/* A place that nobody has, or the one that nobody has read for longest. NULL: all are watched. */
static struct browser_watch *free_place(const struct browser_turn *turn)
{
    struct browser_watch *quiet = NULL;
    for (uint32_t i = 0; i < turn->browser->settings.watches_max; i++) {
        struct browser_watch *watch = &turn->browser->watches[i];
        if (!watch->is_used)
            return watch;
        if (watch->readers == 0 && (quiet == NULL || watch->quiet_ms < quiet->quiet_ms))
            quiet = watch;
    }
    if (quiet != NULL)
        forget_watch(turn, quiet);
    return quiet;
}

static struct browser_watch *begin_watch(const struct browser_turn *turn, const uint8_t *match_id)
{
    struct browser       *browser = turn->browser;
    struct browser_watch *watch = free_place(turn);
    if (watch == NULL)
        return NULL;
    *watch = (struct browser_watch){ .game = BROWSER_NO_GAME };
    memcpy(watch->match_id, match_id, CLIENT_ID_SIZE);
    if (!attach(turn, watch, ""))
        return NULL;
    watch->is_used = true;
    watch->log = browser_log_open(&browser->logs);
    return watch;
}

/* The first act kept from `from` on, and the number of the record before it; 0: none is kept. */
static uint64_t find_act(const struct browser *browser, const struct browser_watch *watch,
                         uint64_t from, uint64_t *number)
{
    const struct browser_log *log = &browser->logs.logs[watch->log];
    struct browser_cursor     cursor =
        browser_cursor_behind(&browser->logs, watch->log, log->first_number - 1);
    struct browser_record record;
    while (browser_cursor_read(&browser->logs, &cursor, &record) == BROWSER_READ) {
        *number = record.number - 1;
        if (record.facts.act >= from)
            return record.facts.act;
        browser_cursor_pass(&cursor, &record);
    }
    return 0;
}

/* Whether it has had all acts up to one from which it can go on without a view. */
static bool goes_on(const struct browser *browser, const struct browser_watch *watch,
                    struct browser_reading *reading, uint64_t *number)
{
    if (!reading->has_after)
        return false;
    *number = browser->logs.logs[watch->log].last_number;
    reading->from = reading->after + 1;
    return reading->after == watch->last_act ||
           find_act(browser, watch, reading->from, number) == reading->from;
}

/* Those who begin with a view: the first act, and the number of the record behind which they begin to read. */
static uint64_t begins(const struct browser *browser, const struct browser_watch *watch,
                       struct browser_reading *reading)
{
    uint64_t view = watch->shown_act, number;
    reading->shown = watch->shown;
    reading->from = view > reading->past ? view - reading->past + 1 : 1;
    if (reading->has_after && reading->after < view)
        reading->from = reading->after + 1;
    if (view >= reading->from && find_act(browser, watch, reading->from, &number) != 0 &&
        number < watch->shown)
        return number;
    return watch->shown - 1;
}

/* The match as it is now is asked for, once for all who want it. */
static void look(const struct browser_turn *turn, struct browser_watch *watch)
{
    if (!watch->is_looking)
        watch->is_looking = client_core_look(turn->browser->client, watch->match_id, NO_SEAT,
                                             turn->now_ms, turn->out) != 0;
}

/* Puts a reader where it begins, or has the match shown. */
static void place(const struct browser_turn *turn, struct browser_watch *watch,
                  struct browser_reading *reading)
{
    struct browser           *browser = turn->browser;
    const struct browser_log *log = &browser->logs.logs[watch->log];
    uint64_t                  number = 0;
    if (watch->state != WATCH_IN)
        return;
    if (goes_on(browser, watch, reading, &number)) {
        reading->is_placed = true;
    } else if (watch->shown >= log->first_number && watch->shown != 0 &&
               (watch->shown_act == watch->last_act || watch->is_over)) {
        reading->is_placed = true;
        number = begins(browser, watch, reading);
    } else {
        look(turn, watch);
    }
    if (reading->is_placed)
        reading->cursor = browser_cursor_behind(&browser->logs, watch->log, number);
}

/* A private match is watched by who knows its code. */
static bool may_read(const struct browser_watch *watch, const struct browser_reading *reading)
{
    return watch->code[0] == '\0' || memcmp(watch->code, reading->code, sizeof watch->code) == 0;
}

static void refuse_reader(const struct browser_turn *turn, struct browser_tab *tab,
                          struct browser_reading *reading, const char *sentence)
{
    browser_stop_reading(turn, reading);
    browser_refuse(turn, tab, reading->request, REFUSAL(NOT_YOURS), sentence, 0);
}

static const char needs_code[] = "The table is private: its code is needed to watch.";
static const char too_large[] = "The match is too large to be shown.";

void browser_watch(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                   const Arbiter__Browser__Watch *ask)
{
    struct browser         *browser = turn->browser;
    struct browser_reading *reading = NULL;
    size_t                  size = ask->code == NULL ? 0 : text_length(ask->code);
    for (uint32_t i = 0; i < BROWSER_WATCHES && reading == NULL; i++)
        if (tab->reading[i].watch == BROWSER_NOBODY)
            reading = &tab->reading[i];
    if (ask->match_id.len != CLIENT_ID_SIZE || size >= BROWSER_WATCH_CODE) {
        browser_refuse(turn, tab, request, REFUSAL(MALFORMED), "A match's id has 16 bytes.", 0);
        return;
    }
    browser_unwatch(turn, tab, ask->match_id.data); /* Said twice, the last one counts. */
    struct browser_watch *watch = browser_watch_of(browser, ask->match_id.data);
    if (watch == NULL && reading != NULL)
        watch = begin_watch(turn, ask->match_id.data);
    if (watch == NULL && reading != NULL)
        outbox_full(turn->out, BOUND_WATCHES);
    if (watch == NULL || reading == NULL) {
        browser_refuse(turn, tab, request, REFUSAL(FULL), "So many are not watched at once.", 0);
        return;
    }
    *reading = (struct browser_reading){ .watch = (uint32_t) (watch - browser->watches),
                                         .request = request,
                                         .past = ask->past < BROWSER_PAST_MAX ? ask->past
                                                                              : BROWSER_PAST_MAX,
                                         .has_after = ask->has_after,
                                         .follows = ask->has_follow && ask->follow,
                                         .after = ask->after };
    if (size > 0)
        memcpy(reading->code, ask->code, size);
    watch->readers++;
    watch->followers += reading->follows;
    if (watch->state == WATCH_IN && !may_read(watch, reading))
        refuse_reader(turn, tab, reading, needs_code);
    else
        place(turn, watch, reading);
}

void browser_unwatch(const struct browser_turn *turn, struct browser_tab *tab,
                     const uint8_t *match_id)
{
    struct browser_reading *reading = reading_of(turn->browser, tab, match_id);
    if (reading != NULL)
        browser_stop_reading(turn, reading);
}

static void put(const struct browser_turn *turn, const struct browser_watch *watch,
                const struct down *down, uint32_t kind, struct browser_facts facts)
{
    size_t size;
    facts.game = watch->game;
    if (down->is_short) {
        turn->browser->lost++;
        return;
    }
    const uint8_t *bytes = down_finish(down, kind, 0, 0, NULL, &size);
    if (!browser_log_put(&turn->browser->logs, watch->log, &facts, bytes, size))
        turn->browser->lost++;
}

/* Everybody who waits for the match. `reading` is taken from one to the next; NULL first. */
static struct browser_reading *next_reader(const struct browser       *browser,
                                           const struct browser_watch *watch, uint32_t *at,
                                           struct browser_tab **tab)
{
    uint32_t index = (uint32_t) (watch - browser->watches);
    for (; *at < browser->settings.tabs_max * BROWSER_WATCHES; ++*at) {
        *tab = &browser->tabs[*at / BROWSER_WATCHES];
        struct browser_reading *reading = &(*tab)->reading[*at % BROWSER_WATCHES];
        if ((*tab)->route != 0 && reading->watch == index) {
            ++*at;
            return reading;
        }
    }
    return NULL;
}

static void read_game(const struct browser *browser, struct browser_watch *watch,
                      const struct client_event *event)
{
    struct wire_field field, fact;
    for (struct reader in = { event->bytes, event->bytes + event->size }; wire_field(&in, &field);)
        for (struct reader facts = field.body;
             field.number == FIELD_ENGINE_ATTACHED_MATCH && wire_field(&facts, &fact);)
            if (fact.number == FIELD_ENGINE_MATCH_FACTS_GAME)
                watch->game = browser_game_named(browser, fact.body.at,
                                                 (size_t) (fact.body.end - fact.body.at));
}

/* The match as it is behind its last act: all who wait begin with it. */
static void on_shown(const struct browser_turn *turn, struct browser_watch *watch,
                     const struct client_event *event)
{
    struct down             down = down_begin(turn->browser->scratch);
    struct browser_reading *reading;
    struct browser_tab     *tab;
    uint32_t                at = 0;
    if (event->kind == CLIENT_ATTACHED)
        read_game(turn->browser, watch, event);
    watch->state = WATCH_IN;
    watch->is_looking = false;
    watch->last_act = event->number;
    down_shown(&down, event);
    put(turn, watch, &down, FIELD_BROWSER_DOWN_SHOWN, (struct browser_facts){ .is_shown = true });
    watch->shown = turn->browser->logs.logs[watch->log].last_number;
    watch->shown_act = event->number;
    while ((reading = next_reader(turn->browser, watch, &at, &tab)) != NULL) {
        if (!may_read(watch, reading))
            refuse_reader(turn, tab, reading, needs_code);
        else if (!reading->is_placed)
            place(turn, watch, reading);
    }
}

/* Its view has got too large for a message: who waits for one waits in vain, the others read on. */
static void on_not_shown(const struct browser_turn *turn, struct browser_watch *watch)
{
    struct browser_reading *reading;
    struct browser_tab     *tab;
    uint32_t                at = 0;
    watch->is_looking = false;
    while ((reading = next_reader(turn->browser, watch, &at, &tab)) != NULL)
        if (!reading->is_placed)
            refuse_reader(turn, tab, reading, too_large);
}

/* Refused: perhaps it is private, and one of those who wait brought its code. */
static bool try_code(const struct browser_turn *turn, struct browser_watch *watch)
{
    struct browser_reading *reading;
    struct browser_tab     *tab;
    uint32_t                at = 0;
    char                    tried[BROWSER_WATCH_CODE], next[BROWSER_WATCH_CODE];
    bool                    has_next = false;
    memcpy(tried, watch->code, sizeof tried);
    while ((reading = next_reader(turn->browser, watch, &at, &tab)) != NULL) {
        if (memcmp(reading->code, tried, sizeof tried) == 0 || reading->code[0] == '\0') {
            refuse_reader(turn, tab, reading, needs_code);
        } else if (!has_next) {
            memcpy(next, reading->code, sizeof next);
            has_next = true;
        }
    }
    return has_next && attach(turn, watch, next);
}

static const char *why_refused(uint32_t refusal)
{
    if (refusal == REFUSAL(TOO_MUCH))
        return too_large;
    if (refusal == REFUSAL(QUARANTINED))
        return BROWSER_HELD;
    return "There is no such match, or it is not watched.";
}

/* All who watched it are told why they see no more of it. */
static void tell_gone(const struct browser_turn *turn, struct browser_watch *watch,
                      const char *sentence)
{
    struct browser_reading *reading;
    struct browser_tab     *tab;
    uint32_t                at = 0;
    while ((reading = next_reader(turn->browser, watch, &at, &tab)) != NULL) {
        struct down down = down_begin(turn->browser->scratch);
        down_match(&down, watch->match_id, NO_SEAT);
        down_text(&down, FIELD_BROWSER_GONE_SENTENCE, sentence);
        browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_GONE, 0, BROWSER_NO_GAME);
        browser_stop_reading(turn, reading);
    }
}

static void on_lost(const struct browser_turn *turn, struct browser_watch *watch,
                    const struct client_event *event)
{
    struct browser_reading *reading;
    struct browser_tab     *tab;
    uint32_t                at = 0;
    bool                    was_in = watch->state == WATCH_IN;
    if (!was_in && event->refusal == REFUSAL(NOT_YOURS) && try_code(turn, watch))
        return;
    while (!was_in && (reading = next_reader(turn->browser, watch, &at, &tab)) != NULL)
        refuse_reader(turn, tab, reading, why_refused(event->refusal));
    tell_gone(turn, watch,
              event->refusal == REFUSAL(QUARANTINED) ? BROWSER_HELD
                                                     : "The match is not here any more.");
    end_watch(turn, watch);
}

/* It is told in two ways: nobody is shown both as one. Who watches anew sees what its owner has. */
static void on_fault(const struct browser_turn *turn, struct browser_watch *watch,
                     const struct client_event *event)
{
    if (!browser_is_set_back(event))
        return;
    tell_gone(turn, watch, BROWSER_SET_BACK);
    forget_watch(turn, watch);
}

static void on_over(const struct browser_turn *turn, struct browser_watch *watch,
                    const struct client_event *event)
{
    struct down down = down_begin(turn->browser->scratch);
    watch->is_over = true;
    down_match(&down, watch->match_id, NO_SEAT);
    down_number(&down, FIELD_BROWSER_OVER_DICE, (event->proof & CLIENT_PROOF_DICE) != 0);
    put(turn, watch, &down, FIELD_BROWSER_DOWN_OVER, (struct browser_facts){ .act = 0 });
}

void browser_watch_told(const struct browser_turn *turn, struct browser_watch *watch,
                        const struct client_event *event)
{
    struct down down;
    switch (event->kind) {
    case CLIENT_ATTACHED: on_shown(turn, watch, event); break;
    case CLIENT_VIEW:
        on_shown(turn, watch, event);
        browser_looked(turn, event, watch->game);
        break;
    case CLIENT_ACT:
        if (event->number > watch->last_act)
            watch->last_act = event->number;
        down = down_begin(turn->browser->scratch);
        down_happened(&down, event);
        put(turn, watch, &down, FIELD_BROWSER_DOWN_HAPPENED,
            (struct browser_facts){ .act = event->number });
        if (watch->followers > 0 && watch->state == WATCH_IN && event->number == watch->last_act)
            look(turn, watch);
        break;
    case CLIENT_REFUSED: on_not_shown(turn, watch); break;
    case CLIENT_OVER: on_over(turn, watch, event); break;
    case CLIENT_LOST: on_lost(turn, watch, event); break;
    case CLIENT_FAULT: on_fault(turn, watch, event); break;
    default: break;
    }
}

static void down_crowd(struct down *down, const uint8_t *match_id, uint32_t watching)
{
    down_bytes(down, FIELD_BROWSER_CROWD_MATCH_ID, match_id, CLIENT_ID_SIZE);
    down_number(down, FIELD_BROWSER_CROWD_WATCHING, watching);
}

/* How many watch, to those who watch and to those who play. */
static void tell_crowd(const struct browser_turn *turn, struct browser_watch *watch)
{
    const struct browser *browser = turn->browser;
    struct down           down = down_begin(browser->scratch);
    watch->told = watch->readers;
    watch->crowd_ms = turn->now_ms;
    down_crowd(&down, watch->match_id, watch->readers);
    put(turn, watch, &down, FIELD_BROWSER_DOWN_CROWD, (struct browser_facts){ .act = 0 });
    for (uint32_t i = 0; i < browser->settings.seats_max; i++)
        if (browser->seats[i].is_used &&
            memcmp(browser->seats[i].match_id, watch->match_id, CLIENT_ID_SIZE) == 0)
            browser_tell_player(turn, &browser->sessions[browser->seats[i].session], &down,
                                FIELD_BROWSER_DOWN_CROWD, BROWSER_NO_GAME, 0, 0);
}

void browser_crowd_for(const struct browser_turn *turn, struct browser_tab *tab,
                       const uint8_t *match_id)
{
    const struct browser_watch *watch = browser_watch_of(turn->browser, match_id);
    struct down                 down = down_begin(turn->browser->scratch);
    if (watch == NULL || watch->told == 0)
        return;
    down_crowd(&down, match_id, watch->told);
    browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_CROWD, 0, BROWSER_NO_GAME);
}

void browser_watches_tick(const struct browser_turn *turn)
{
    for (uint32_t i = 0; i < turn->browser->settings.watches_max; i++) {
        struct browser_watch *watch = &turn->browser->watches[i];
        if (!watch->is_used)
            continue;
        if (watch->readers == 0 && turn->now_ms - watch->quiet_ms >= IDLE_MS) {
            forget_watch(turn, watch);
            continue;
        }
        if (watch->state == WATCH_IN && watch->readers != watch->told &&
            turn->now_ms - watch->crowd_ms >= CROWD_MS)
            tell_crowd(turn, watch);
    }
}
