/* browser_look.c: views and lists: who waits for one, and how it is told. Pure. */
#include <string.h>

#include "contract/browser_fields.h"
#include "contract/engine_fields.h"
#include "services/gateway/browser/browser_parts.h"
#include "wire/field.h"

void browser_wait_for(struct browser_pending *pending, enum browser_wait kind, uint32_t number,
                      uint64_t route, uint32_t request, const uint8_t *match_id, uint32_t seat)
{
    *pending = (struct browser_pending){
        .kind = kind, .number = number, .route = route, .request = request, .seat = seat
    };
    memcpy(pending->match_id, match_id, CLIENT_ID_SIZE);
}

void browser_look_for(const struct browser_turn *turn, struct browser_tab *tab,
                      const struct browser_seat *seat)
{
    struct browser_pending *pending = browser_pending_new(turn->browser);
    uint32_t                number = 0;
    if (pending != NULL)
        number = client_core_look(turn->browser->client, seat->match_id, seat->seat, turn->now_ms,
                                  turn->out);
    if (number != 0)
        browser_wait_for(pending, WAIT_LOOK, number, tab->route, 0, seat->match_id, seat->seat);
    pending = tab->is_follower ? browser_pending_new(turn->browser) : NULL;
    if (pending != NULL)
        number = client_core_legal(turn->browser->client, seat->match_id, seat->seat,
                                   tab->wish.luck, tab->wish.best, turn->now_ms, turn->out);
    if (pending != NULL && number != 0)
        browser_wait_for(pending, WAIT_LEGAL, number, tab->route, 0, seat->match_id, seat->seat);
    browser_crowd_for(turn, tab, seat->match_id);
}

static void copy_rest(const struct browser *browser, struct down *down,
                      const struct client_event *event)
{
    struct wire_field field;
    size_t            hint_size;
    const uint8_t    *hint = browser_hint_for(browser, event, &hint_size);
    if (hint != NULL)
        down_bytes(down, FIELD_BROWSER_LEGAL_BEST, hint, hint_size);
    for (struct reader in = { event->bytes, event->bytes + event->size };
         wire_field(&in, &field);) {
        size_t size = (size_t) (field.body.end - field.body.at);
        if (field.number == FIELD_ENGINE_LEGAL_ANSWER_PROPOSAL)
            down_bytes(down, FIELD_BROWSER_LEGAL_PROPOSAL, field.body.at, size);
        if (field.number == FIELD_ENGINE_LEGAL_ANSWER_BEST && hint == NULL)
            down_bytes(down, FIELD_BROWSER_LEGAL_BEST, field.body.at, size);
        if (field.number == FIELD_ENGINE_LEGAL_ANSWER_CUT)
            down_number(down, FIELD_BROWSER_LEGAL_CUT, field.value);
    }
}

static void put_legal(const struct browser_turn *turn, struct down *down,
                      const struct client_event *event, uint32_t game)
{
    const struct browser_settings *settings = &turn->browser->settings;
    struct wire_field              field;
    bool                           to_act = false;
    for (struct reader in = { event->bytes, event->bytes + event->size }; wire_field(&in, &field);)
        to_act = to_act || field.number == FIELD_ENGINE_LEGAL_ANSWER_WAIT;
    down_match(down, event->match_id, event->seat);
    down_number(down, FIELD_BROWSER_LEGAL_NUMBER, event->number);
    down_number(down, FIELD_BROWSER_LEGAL_TO_ACT, to_act);
    if (settings->put_patterns != NULL && game != BROWSER_NO_GAME)
        down->at += settings->put_patterns(settings->asked, game, event->bytes, event->size,
                                           down->at, (size_t) (down->end - down->at));
    copy_rest(turn->browser, down, event);
}

void browser_look_tell(const struct browser_turn *turn, struct browser_tab *tab,
                       const struct client_event *event, uint32_t request, uint32_t game)
{
    struct down down = down_begin(turn->browser->scratch);
    bool        is_view = event->kind == CLIENT_VIEW;
    if (is_view)
        down_shown(&down, event);
    else
        put_legal(turn, &down, event, game);
    browser_tell(turn, tab, &down, is_view ? FIELD_BROWSER_DOWN_SHOWN : FIELD_BROWSER_DOWN_LEGAL,
                 request, game);
}

/* Whether this waits for what was told: views are always of now, so one does for all who want it. */
static bool waits_for(const struct browser_pending *pending, const uint8_t *match_id, uint32_t seat,
                      enum browser_wait kind)
{
    return pending->kind == kind && pending->seat == seat &&
           memcmp(pending->match_id, match_id, CLIENT_ID_SIZE) == 0;
}

void browser_looked(const struct browser_turn *turn, const struct client_event *event,
                    uint32_t game)
{
    struct browser *browser = turn->browser;
    bool            is_view = event->kind == CLIENT_VIEW;
    /* Lists are cut where they do not fit; only a view is refused for that. */
    bool is_too_large = event->kind == CLIENT_REFUSED && event->refusal == REFUSAL(TOO_MUCH);
    enum browser_wait kind = is_view || is_too_large ? WAIT_LOOK : WAIT_LEGAL;
    for (uint32_t i = 0; i < browser->pendings_max; i++) {
        struct browser_pending *pending = &browser->pendings[i];
        struct browser_tab     *tab;
        if (!waits_for(pending, event->match_id, event->seat, kind))
            continue;
        pending->kind = WAIT_NOTHING;
        tab = browser_tab_of(browser, pending->route);
        if (tab == NULL)
            continue;
        if (event->kind == CLIENT_REFUSED) {
            browser_refuse(
                turn, tab, pending->request, is_too_large ? REFUSAL(TOO_MUCH) : REFUSAL(AGAIN),
                is_too_large ? "The match is too large to be shown." : "There is no such list.", 0);
            continue;
        }
        browser_look_tell(turn, tab, event, pending->request, game);
    }
    browser_hint_seen(turn, event); /* Behind the lists, whose command it is. */
}

void browser_look_lost(const struct browser_turn *turn, const uint8_t *match_id, uint32_t seat)
{
    struct browser *browser = turn->browser;
    for (uint32_t i = 0; i < browser->pendings_max; i++) {
        struct browser_pending *pending = &browser->pendings[i];
        if (!waits_for(pending, match_id, seat, WAIT_LOOK) &&
            !waits_for(pending, match_id, seat, WAIT_HINT) &&
            !waits_for(pending, match_id, seat, WAIT_LEGAL))
            continue;
        struct browser_tab *tab = browser_tab_of(browser, pending->route);
        pending->kind = WAIT_NOTHING;
        if (tab != NULL)
            browser_refuse(turn, tab, pending->request, REFUSAL(NO_SUCH_MATCH),
                           "The match is over, or not here any more.", 0);
    }
}
