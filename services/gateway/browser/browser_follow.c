/* browser_follow.c: tabs that hear view and list behind each act, unasked. Pure.
 *
 * A tab says so in its hello. Its player's seats then follow at the engine, with the wishes of all its tabs
 * joined. What comes is told to those tabs alone: it is of now, and no part of the player's stream. */
#include <string.h>

#include "services/gateway/browser/browser_parts.h"

void browser_follow_wish(struct browser_tab *tab, const Arbiter__Browser__Hello *hello)
{
    const Arbiter__Browser__Follow *follow = hello->follow;
    tab->is_follower = follow != NULL;
    memset(&tab->wish, 0, sizeof tab->wish);
    if (follow == NULL)
        return;
    tab->wish.best = follow->has_best && follow->best;
    tab->wish.has_luck = follow->has_luck;
    tab->wish.luck = follow->luck;
}

static void join(struct client_wish *all, const struct client_wish *one)
{
    all->best = all->best || one->best;
    if (one->has_luck)
        all->luck = one->luck;
    all->has_luck = all->has_luck || one->has_luck;
}

/* Who follows now, and with which wishes. */
static void count(const struct browser *browser, struct browser_session *session)
{
    uint32_t index = (uint32_t) (session - browser->sessions);
    session->followers = 0;
    memset(&session->wish, 0, sizeof session->wish);
    for (uint32_t i = 0; i < browser->settings.tabs_max; i++) {
        const struct browser_tab *tab = &browser->tabs[i];
        if (tab->route == 0 || tab->state != TAB_IN || tab->session != index || !tab->is_follower ||
            session->followers == BROWSER_TABS)
            continue;
        session->follower[session->followers++] = tab->route;
        join(&session->wish, &tab->wish);
    }
}

void browser_follow_seat(const struct browser_turn *turn, const struct browser_seat *seat)
{
    const struct browser_session *session = &turn->browser->sessions[seat->session];
    if (session->followers > 0)
        client_core_follow(turn->browser->client, seat->match_id, seat->seat, &session->wish,
                           turn->now_ms, turn->out);
}

void browser_follow_session(const struct browser_turn *turn, struct browser_session *session)
{
    struct browser          *browser = turn->browser;
    uint32_t                 index = (uint32_t) (session - browser->sessions);
    uint32_t                 before = session->followers;
    const struct client_wish old = session->wish;
    count(browser, session);
    bool is_same = (before > 0) == (session->followers > 0) && old.best == session->wish.best &&
                   old.has_luck == session->wish.has_luck;
    for (uint32_t i = 0; i < browser->settings.seats_max && !is_same; i++) {
        const struct browser_seat *seat = &browser->seats[i];
        if (seat->is_used && seat->session == index)
            client_core_follow(browser->client, seat->match_id, seat->seat,
                               session->followers > 0 ? &session->wish : NULL, turn->now_ms,
                               turn->out);
    }
}

void browser_followed(const struct browser_turn *turn, const struct browser_seat *seat,
                      const struct client_event *event)
{
    const struct browser_session *session = &turn->browser->sessions[seat->session];
    for (uint32_t i = 0; i < session->followers; i++) {
        struct browser_tab *tab = browser_tab_of(turn->browser, session->follower[i]);
        if (tab != NULL && tab->session == seat->session)
            browser_look_tell(turn, tab, event, 0, seat->game);
    }
}
