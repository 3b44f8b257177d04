/* browser_place.c: places for the seats of players, of which there are so many: who gets one, and who waits. Pure.
 *
 * When all are taken, a player who is here takes those of the player who has been away longest.
 * That player begins anew after coming back. So nobody shuts the door by sitting down and going.
 * When nobody is away, the player is told to wait. As soon as there is a place, the lobby is asked
 * for the player's seats: only the lobby knows them. */
#include <string.h>

#include "contract/browser_fields.h"
#include "services/gateway/browser/browser_parts.h"

#define SEEK_MS 1000u /* Before we ask about the player (again). */

static const char no_place[] =
    "So much is played through this door just now that you have to wait: your seat is shown to you "
    "as soon as there is a place.";

static uint32_t free_places(const struct browser *browser)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < browser->settings.seats_max; i++)
        count += !browser->seats[i].is_used;
    return count;
}

static struct browser_seat *free_place(const struct browser *browser)
{
    for (uint32_t i = 0; i < browser->settings.seats_max; i++)
        if (!browser->seats[i].is_used)
            return &browser->seats[i];
    return NULL;
}

/* Who has been away longest of all who hold places; NULL: they are all here. */
static struct browser_session *longest_away(const struct browser *browser)
{
    struct browser_session *longest = NULL;
    for (uint32_t i = 0; i < browser->settings.seats_max; i++) {
        struct browser_session *holder = &browser->sessions[browser->seats[i].session];
        if (browser->seats[i].is_used && holder->tabs == 0 && !holder->is_asking &&
            (longest == NULL || holder->quiet_ms < longest->quiet_ms))
            longest = holder;
    }
    return longest;
}

struct browser_seat *browser_place_for(const struct browser_turn    *turn,
                                       const struct browser_session *session)
{
    struct browser_seat    *place = free_place(turn->browser);
    struct browser_session *away = NULL;
    if (place == NULL && session->tabs > 0)
        away = longest_away(turn->browser);
    if (away == NULL)
        return place;
    browser_session_free(turn, away);
    return free_place(turn->browser);
}

static struct down gone(const struct browser_turn *turn, const uint8_t *match_id, uint32_t seat)
{
    struct down down = down_begin(turn->browser->scratch);
    down_match(&down, match_id, seat);
    down_text(&down, FIELD_BROWSER_GONE_SENTENCE, no_place);
    return down;
}

/* Whether the player was told so before; a match that begins is heard of more than once. */
static bool was_told(struct browser_session *session, const uint8_t *match_id, uint32_t seat)
{
    uint64_t bit = seat < 64 ? UINT64_C(1) << seat : 0;
    if (memcmp(session->told_match, match_id, CLIENT_ID_SIZE) != 0) {
        memcpy(session->told_match, match_id, CLIENT_ID_SIZE);
        session->told_seats = 0;
    }
    bool was = (session->told_seats & bit) != 0;
    session->told_seats |= bit;
    return was;
}

void browser_place_wait(const struct browser_turn *turn, struct browser_session *session,
                        const uint8_t *match_id, uint32_t seat)
{
    if (!session->is_seatless)
        session->seatless_ms = turn->now_ms;
    session->is_seatless = true;
    if (was_told(session, match_id, seat))
        return;
    const struct down down = gone(turn, match_id, seat);
    turn->browser->seats_full++;
    outbox_full(turn->out, BOUND_SEATS);
    browser_tell_player(turn, session, &down, FIELD_BROWSER_DOWN_GONE, BROWSER_NO_GAME, 0, 0);
}

void browser_place_none(const struct browser_turn *turn, struct browser_tab *tab, uint32_t request,
                        const uint8_t *match_id, uint32_t seat)
{
    const struct down down = gone(turn, match_id, seat);
    browser_tell(turn, tab, &down, FIELD_BROWSER_DOWN_GONE, request, BROWSER_NO_GAME);
}

/* Who has waited longest of those who are here, and is not asked about yet; NULL: nobody waits. */
static struct browser_session *longest_waiting(const struct browser *browser, uint64_t now_ms)
{
    struct browser_session *longest = NULL;
    for (uint32_t i = 0; i < browser->settings.sessions_max; i++) {
        struct browser_session *session = &browser->sessions[i];
        if (session->is_used && session->is_seatless && !session->is_sought && session->tabs > 0 &&
            now_ms >= session->seatless_ms + SEEK_MS &&
            (longest == NULL || session->seatless_ms < longest->seatless_ms))
            longest = session;
    }
    return longest;
}

void browser_places_tick(const struct browser_turn *turn)
{
    struct browser_session *waiting = longest_waiting(turn->browser, turn->now_ms);
    if (waiting == NULL || browser_place_for(turn, waiting) == NULL)
        return;
    for (uint32_t i = free_places(turn->browser); i > 0 && waiting != NULL; i--) {
        if (!browser_seek_seats(turn, waiting))
            return;
        waiting = longest_waiting(turn->browser, turn->now_ms);
    }
}
