/* browser_tab.c: tabs: what is put for them, what they read next, and how much they may say. Pure. */
#include <assert.h>
#include <string.h>

#include "contract/browser_fields.h"
#include "contract/envelope_fields.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field.h"

#define OVERDRAWN_MAX 60u /* Messages beyond its limit, one after the other: it is no page. */

struct browser_tab *browser_tab_of(const struct browser *browser, uint64_t route)
{
    struct browser_tab *tab = &browser->tabs[(route & ~BROWSER_ROUTE) % browser->settings.tabs_max];
    return route != 0 && tab->route == route ? tab : NULL;
}

void browser_put(const struct browser_turn *turn, uint32_t log, const struct down *down,
                 uint32_t kind, uint64_t number, uint32_t request, struct browser_facts facts)
{
    size_t         size;
    bool           is_for_one = facts.route != 0 && number != 0;
    const uint8_t *bytes;
    if (down->is_short) {
        turn->browser->lost++;
        return;
    }
    bytes = down_finish(down, kind, number, request, is_for_one ? &facts.tail : NULL, &size);
    if (!browser_log_put(&turn->browser->logs, log, &facts, bytes, size))
        turn->browser->lost++;
}

void browser_tell(const struct browser_turn *turn, struct browser_tab *tab, const struct down *down,
                  uint32_t kind, uint32_t request, uint32_t game)
{
    if (!tab->is_closing)
        browser_put(
            turn, tab->own.log, down, kind, 0, request,
            (struct browser_facts){ .game = game, .is_last = kind == FIELD_BROWSER_DOWN_CLOSING });
}

void browser_tell_player(const struct browser_turn *turn, struct browser_session *session,
                         const struct down *down, uint32_t kind, uint32_t game, uint64_t route,
                         uint32_t request)
{
    uint64_t number = turn->browser->logs.logs[session->log].last_number + 1;
    browser_put(turn, session->log, down, kind, number, request,
                (struct browser_facts){ .game = game, .route = route });
}

void browser_refuse(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                    uint32_t refusal, const char *sentence, uint64_t after_ms)
{
    struct down down = down_begin(turn->browser->scratch);
    down_number(&down, FIELD_WIRE_REFUSED_REFUSAL, refusal);
    down_text(&down, FIELD_WIRE_REFUSED_SENTENCE, sentence);
    if (after_ms != 0)
        down_number(&down, FIELD_WIRE_REFUSED_AFTER_MS, after_ms);
    turn->browser->refused++;
    browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_REFUSED, request, BROWSER_NO_GAME);
}

static void say_closing(const struct browser_turn *turn, struct browser_tab *tab,
                        const char *sentence, bool is_elsewhere, const char *pass)
{
    struct down down = down_begin(turn->browser->scratch);
    down_text(&down, FIELD_BROWSER_CLOSING_SENTENCE, sentence);
    if (is_elsewhere)
        down_number(&down, FIELD_BROWSER_CLOSING_ELSEWHERE, 1);
    if (pass != NULL)
        down_text(&down, FIELD_BROWSER_CLOSING_PASS, pass);
    browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_CLOSING, 0, BROWSER_NO_GAME);
    tab->is_closing = true;
}

void browser_close(const struct browser_turn *turn, struct browser_tab *tab, const char *sentence)
{
    say_closing(turn, tab, sentence, false, NULL);
}

void browser_close_with_pass(const struct browser_turn *turn, struct browser_tab *tab,
                             const char *sentence, const char *word)
{
    say_closing(turn, tab, sentence, false, word);
}

void browser_close_for_another(const struct browser_turn *turn, struct browser_tab *tab)
{
    say_closing(turn, tab, "You are here in eight other places: come back when you look here.",
                true, NULL);
}

void browser_open(const struct browser_turn *turn, uint64_t route,
                  const Arbiter__Gateway__BrowserOpen *open)
{
    struct browser     *browser = turn->browser;
    struct browser_tab *tab = &browser->tabs[(route & ~BROWSER_ROUTE) % browser->settings.tabs_max];
    uint32_t            log = browser_log_open(&browser->logs);
    assert(tab->route == 0 && log != BROWSER_NO_LOG); /* There is a log for each. */
    memset(tab, 0, sizeof *tab);
    tab->route = route;
    tab->state = TAB_NEW;
    tab->is_page = open->has_page && open->page;
    tab->from = open->has_from ? open->from : 0;
    tab->is_crowd = open->has_crowd && open->crowd;
    tab->came_ms = tab->credit_ms = turn->now_ms;
    tab->credit = UINT64_C(1000) * browser->settings.burst;
    tab->session = BROWSER_NOBODY;
    tab->own = browser_cursor_behind(&browser->logs, log, 0);
    for (uint32_t i = 0; i < BROWSER_WATCHES; i++)
        tab->reading[i].watch = BROWSER_NOBODY;
    if (open->secret.len == BROWSER_SECRET_SIZE)
        memcpy(tab->secret, open->secret.data, BROWSER_SECRET_SIZE);
    memcpy(tab->drawn, open->drawn.len == BROWSER_SECRET_SIZE ? open->drawn.data : tab->secret,
           BROWSER_SECRET_SIZE);
}

void browser_tab_free(const struct browser_turn *turn, struct browser_tab *tab)
{
    struct browser *browser = turn->browser;
    for (uint32_t i = 0; i < BROWSER_WATCHES; i++)
        browser_stop_reading(turn, &tab->reading[i]);
    struct browser_session *session =
        tab->session != BROWSER_NOBODY ? &browser->sessions[tab->session] : NULL;
    if (session != NULL && --session->tabs == 0)
        session->quiet_ms = turn->now_ms;
    browser_log_close(&browser->logs, tab->own.log);
    bool was_follower = tab->is_follower && session != NULL;
    memset(tab, 0, sizeof *tab);
    if (was_follower)
        browser_follow_session(turn, session);
}

void browser_hang_up(const struct browser_turn *turn, uint64_t route)
{
    struct browser_tab *tab = browser_tab_of(turn->browser, route);
    if (tab != NULL)
        browser_tab_free(turn, tab);
}

/* Messages there will be when one comes back as told: a look, its move, and one more. */
#define AGAIN 3u

/* Thousandths of a message come back with time. Milliseconds until there are some again; 0: there is one. */
static uint64_t pay(const struct browser_turn *turn, struct browser_tab *tab)
{
    const struct browser_settings *settings = &turn->browser->settings;
    uint64_t                       most = UINT64_C(1000) * settings->burst;
    uint64_t                       more = (turn->now_ms - tab->credit_ms) * settings->per_10_s / 10;
    if (more > 0)
        tab->credit_ms = turn->now_ms;
    tab->credit = tab->credit + more > most ? most : tab->credit + more;
    uint64_t again = most < AGAIN * 1000 ? most : AGAIN * 1000;
    if (tab->credit < 1000)
        return (again - tab->credit) * 10 / settings->per_10_s + 1;
    tab->credit -= 1000;
    tab->overdrawn = 0;
    return 0;
}

static void hear(const struct browser_turn *turn, struct browser_tab *tab,
                 const Arbiter__Browser__Up *up, const uint8_t *ask, size_t size)
{
    uint32_t    request = up->has_request ? up->request : 0;
    struct down down;
    switch (up->kind_case) {
    case ARBITER__BROWSER__UP__KIND_ASK: browser_ask(turn, tab, request, up->ask, ask, size); break;
    case ARBITER__BROWSER__UP__KIND_PLAY: browser_play(turn, tab, request, up->play); break;
    case ARBITER__BROWSER__UP__KIND_LOOK: browser_look(turn, tab, request, up->look); break;
    case ARBITER__BROWSER__UP__KIND_WATCH: browser_watch(turn, tab, request, up->watch); break;
    case ARBITER__BROWSER__UP__KIND_UNWATCH:
        if (up->unwatch->match_id.len == CLIENT_ID_SIZE)
            browser_unwatch(turn, tab, up->unwatch->match_id.data);
        break;
    case ARBITER__BROWSER__UP__KIND_DEVICE: browser_device(turn, tab, request); break;
    case ARBITER__BROWSER__UP__KIND_WHOSE:
        browser_whose(turn, tab, request, up->whose->code);
        break;
    case ARBITER__BROWSER__UP__KIND_LEAVE: browser_leave(turn, tab); break;
    case ARBITER__BROWSER__UP__KIND_CONTRIBUTE:
        browser_contribute(turn, tab, request, up->contribute);
        break;
    case ARBITER__BROWSER__UP__KIND_PING:
        down = down_begin(turn->browser->scratch);
        browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_PONG, request, BROWSER_NO_GAME);
        break;
    default:
        browser_refuse(turn, tab, request, REFUSAL(MALFORMED), "This message says nothing.", 0);
    }
}

/* The ask's own bytes, as they are to go on. */
static struct reader ask_in(const uint8_t *bytes, size_t size)
{
    struct reader     in = reader_of(bytes, size), none = { bytes, bytes };
    struct wire_field field;
    while (wire_field(&in, &field))
        if (field.number == FIELD_BROWSER_UP_ASK)
            return field.body;
    return none;
}

void browser_hear(const struct browser_turn *turn, uint64_t route, const Arbiter__Browser__Up *up,
                  const uint8_t *bytes, size_t size)
{
    struct browser_tab *tab = browser_tab_of(turn->browser, route);
    uint32_t            request = up->has_request ? up->request : 0;
    turn->browser->stirs++;
    if (tab == NULL || tab->is_closing)
        return;
    uint64_t wait_ms = pay(turn, tab);
    if (wait_ms != 0) {
        browser_refuse(turn, tab, request, REFUSAL(TOO_MUCH),
                       "That is too much at once: say it again in a moment.", wait_ms);
        if (++tab->overdrawn > OVERDRAWN_MAX)
            browser_close(turn, tab, "This connection said far more than it may.");
    } else if (up->kind_case == ARBITER__BROWSER__UP__KIND_HELLO) {
        browser_hello(turn, tab, request, up->hello);
    } else if (tab->state == TAB_NEW || tab->state == TAB_ASKS) {
        browser_refuse(turn, tab, request, REFUSAL(AGAIN), "Say hello first, and wait for Welcome.",
                       0);
    } else {
        struct reader ask = ask_in(bytes, size);
        hear(turn, tab, up, ask.at, (size_t) (ask.end - ask.at));
    }
}

/* Whether a record of a match's log is not for this reader. Such are views for others, acts it does
 * not want, and how many watched before it came. */
static bool is_passed_by(const struct browser_reading *reading, const struct browser_record *record)
{
    if (record->facts.is_shown)
        return reading->follows ? record->number < reading->shown
                                : record->number != reading->shown;
    if (record->facts.act != 0)
        return record->facts.act < reading->from;
    return record->number < reading->shown;
}

/* What a reader of a match's log has next. A reader does without what is no longer kept from before
 * its view. */
static enum browser_read read_match(struct browser *browser, struct browser_reading *reading,
                                    struct browser_record *record)
{
    if (reading->watch == BROWSER_NOBODY || !reading->is_placed)
        return BROWSER_AT_END;
    const struct browser_log *log = &browser->logs.logs[reading->cursor.log];
    if (log->serial == reading->cursor.serial && reading->cursor.next < log->first_number &&
        log->first_number <= reading->shown)
        reading->cursor =
            browser_cursor_behind(&browser->logs, reading->cursor.log, log->first_number - 1);
    for (;;) {
        enum browser_read read = browser_cursor_read(&browser->logs, &reading->cursor, record);
        if (read != BROWSER_READ || !is_passed_by(reading, record))
            return read;
        browser_cursor_pass(&reading->cursor, record);
    }
}

/* What a tab is told next of a seat's past. It ends where the player's stream goes on, and when the seat is no more. */
static bool read_past(struct browser *browser, struct browser_past *past,
                      struct browser_record *record)
{
    while (past->is_used) {
        enum browser_read read = browser_cursor_read(&browser->logs, &past->cursor, record);
        if (read == BROWSER_AT_END && past->read < past->to)
            return false;
        past->is_used = read == BROWSER_READ && record->facts.act <= past->to;
        if (past->is_used)
            past->read = record->facts.act;
        if (past->is_used && past->read >= past->from)
            return true;
        if (past->is_used)
            browser_cursor_pass(&past->cursor, record);
    }
    return false;
}

/* The oldest of what waits for a tab, so that it hears everything in the order in which it
 * happened. Its own log comes first until it has heard who it is. NULL: nothing waits. `is_lost`:
 * it is too late. */
static struct browser_cursor *oldest(struct browser *browser, struct browser_tab *tab,
                                     struct browser_record *record, bool *is_lost)
{
    struct browser_cursor *found = NULL;
    struct browser_record  other;
    enum browser_read      read = browser_cursor_read(&browser->logs, &tab->own, record);
    *is_lost = read == BROWSER_NOT_KEPT;
    if (read == BROWSER_READ)
        found = &tab->own;
    if (*is_lost || tab->is_closing || tab->welcome == 0 || tab->own.next <= tab->welcome)
        return found;
    if (tab->follows) {
        read = browser_cursor_read(&browser->logs, &tab->player, &other);
        *is_lost = read == BROWSER_NOT_KEPT;
        if (read == BROWSER_READ && (found == NULL || other.place < record->place)) {
            found = &tab->player;
            *record = other;
        }
    }
    for (uint32_t i = 0; i < BROWSER_PASTS; i++) {
        if (read_past(browser, &tab->past[i], &other) &&
            (found == NULL || other.place < record->place)) {
            found = &tab->past[i].cursor;
            *record = other;
        }
    }
    for (uint32_t i = 0; i < BROWSER_WATCHES; i++) {
        read = read_match(browser, &tab->reading[i], &other);
        *is_lost = *is_lost || read == BROWSER_NOT_KEPT;
        if (read == BROWSER_READ && (found == NULL || other.place < record->place)) {
            found = &tab->reading[i].cursor;
            *record = other;
        }
    }
    return found;
}

/* "Closing: you did not read." As bytes, since there may be no room to keep them. */
static void too_slow(struct browser_down *down)
{
    static const uint8_t bytes[] = "\x82\x01\x38\x0a\x36"
                                   "Too slow: not all is kept any more. Come back at once.";
    static_assert(sizeof bytes == 5 + 54 + 1, "its lengths say how long it is");
    *down = (struct browser_down){
        .bytes = bytes, .size = sizeof bytes - 1, .game = BROWSER_NO_GAME, .is_last = true
    };
}

bool browser_next(struct browser *browser, uint64_t route, struct browser_down *down)
{
    struct browser_record  record;
    bool                   is_lost;
    struct browser_tab    *tab = browser_tab_of(browser, route);
    struct browser_cursor *cursor = tab != NULL ? oldest(browser, tab, &record, &is_lost) : NULL;
    if (tab != NULL && is_lost) {
        tab->is_closing = true;
        too_slow(down);
        return true;
    }
    if (cursor == NULL)
        return false;
    browser_cursor_pass(cursor, &record);
    bool is_anothers = record.facts.tail != 0 && record.facts.route != route;
    *down = (struct browser_down){ .bytes = record.bytes,
                                   .size = record.size - (is_anothers ? record.facts.tail : 0),
                                   .place = record.place,
                                   .game = record.facts.game,
                                   .is_last = record.facts.is_last };
    return true;
}

bool browser_has_next(struct browser *browser, uint64_t route)
{
    struct browser_record record;
    bool                  is_lost = false;
    struct browser_tab   *tab = browser_tab_of(browser, route);
    return tab != NULL && (oldest(browser, tab, &record, &is_lost) != NULL || is_lost);
}

void browser_misread(struct browser *browser, uint64_t route, const char *sentence)
{
    browser_misread_request(browser, route, 0, sentence);
}

void browser_misread_request(struct browser *browser, uint64_t route, uint32_t request,
                             const char *sentence)
{
    const struct browser_turn turn = { .browser = browser };
    struct browser_tab       *tab = browser_tab_of(browser, route);
    if (tab == NULL)
        return;
    browser->stirs++;
    browser_refuse(&turn, tab, request, REFUSAL(MALFORMED), sentence, 0);
    if (++tab->overdrawn > OVERDRAWN_MAX)
        browser_close(&turn, tab, "This connection said far more than it may.");
}

void browser_is_slow(struct browser *browser, uint64_t route)
{
    struct browser_tab *tab = browser_tab_of(browser, route);
    if (tab == NULL)
        return;
    browser->slow++;
    tab->own.next = 0; /* What it has not read is not kept for it any more. */
}
