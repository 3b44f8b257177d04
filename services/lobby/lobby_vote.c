/* lobby_vote.c: a seat is vacant in a running match, and those who play on say who shall have it. Pure. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

void lobby_vacate(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    assert(table->phase == PHASE(PLAYING) && !table->seat[seat].vacant);
    table->seat[seat].vacant = 1;
    memset(table->ballot[seat], 0, sizeof table->ballot[seat]);
    for (uint32_t i = 0; i < SEATS_MAX; i++)
        memset(&table->ballot[i][seat], 0, sizeof table->ballot[i][seat]);
    lobby->clocks[place].vote_ms[seat] = lobby->now_ms + lobby->settings.vote_ms;
    struct table_event *event = lobby_add_event(lobby, place, EVENT(SEAT_VACATED));
    event->seat = seat;
    event->figure = lobby->settings.vote_ms;
    lobby_send_event(lobby, place, event, out);
}

/* Persons who still play may vote; the house's programs have no wishes. */
static bool may_vote(const struct lobby *lobby, const struct table *table, uint32_t seat)
{
    const struct seat *voter = &table->seat[seat];
    return seat < table->match_seats && voter->player != NOBODY && !voter->vacant &&
           !player_of(lobby, voter->player)->bot;
}

/* For so many votes a choice counts: those for friends only if it is the same one. */
static uint32_t votes_for(const struct lobby *lobby, const struct table *table, uint32_t seat,
                          const struct ballot *choice)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->match_seats; i++)
        count += may_vote(lobby, table, i) &&
                 memcmp(&table->ballot[seat][i], choice, sizeof *choice) == 0;
    return count;
}

static void promise_to_friend(struct lobby *lobby, uint32_t place, uint32_t seat, uint32_t player,
                              struct outbox *out)
{
    touch_table(lobby, place)->seat[seat].promised = player;
    struct table_event *event = lobby_add_event(lobby, place, EVENT(INVITED));
    event->player = player;
    event->other = table_of(lobby, place)->host; /* All have voted; he speaks for them. */
    event->seat = seat;
    lobby_send_event(lobby, place, event, out);
    lobby_send_invitation(lobby, place, event, player, out);
}

/* Most votes win, and of as many the one that was given by the lowest seat. Waiting leaves all as it is,
 * until somebody votes again. */
void lobby_count_votes(struct lobby *lobby, uint32_t place, uint32_t seat, struct outbox *out)
{
    struct table *table = touch_table(lobby, place);
    struct ballot best = { .choice = CHOICE(WAIT), .friend_player = NOBODY };
    uint32_t      most = 0;
    for (uint32_t i = 0; i < table->match_seats; i++) {
        const struct ballot *ballot = &table->ballot[seat][i];
        if (!may_vote(lobby, table, i) || ballot->choice == 0)
            continue;
        uint32_t votes = votes_for(lobby, table, seat, ballot);
        if (votes > most) {
            most = votes;
            best = *ballot;
        }
    }
    memset(table->ballot[seat], 0, sizeof table->ballot[seat]);
    lobby->clocks[place].vote_ms[seat] = NO_WAKE;
    lobby_withdraw_promise(lobby, place, seat);
    if (best.choice == CHOICE(BOT))
        lobby_promise_to_bot(lobby, place, seat, 0, out);
    if (best.choice == CHOICE(FRIEND))
        promise_to_friend(lobby, place, seat, best.friend_player, out);
}

static bool all_have_voted(const struct lobby *lobby, const struct table *table, uint32_t seat)
{
    for (uint32_t i = 0; i < table->match_seats; i++)
        if (may_vote(lobby, table, i) && table->ballot[seat][i].choice == 0)
            return false;
    return true;
}

/* The friend must be somebody who is not at play already; NOBODY: the verdict is set. */
static uint32_t friend_named(struct lobby *lobby, struct asking *asking)
{
    uint32_t player = lobby_find_name(lobby, asking->ask->vote->friend_name);
    if (player == NOBODY || player_of(lobby, player)->bot || player_of(lobby, player)->banned) {
        lobby_refuse(asking, VERDICT(NO_SUCH_PLAYER));
        return NOBODY;
    }
    if (player_of(lobby, player)->table != NOBODY) {
        lobby_refuse(asking, VERDICT(SEATED_ELSEWHERE));
        return NOBODY;
    }
    return player;
}

/* True: this is a vote that can be cast; else the verdict says why not. */
static bool judge_vote(struct lobby *lobby, struct asking *asking, const struct table *table)
{
    const Arbiter__Lobby__Vote *ask = asking->ask->vote;
    uint32_t                    seat = ask->has_seat ? ask->seat : NOBODY;
    uint32_t                    voter = lobby_seat_of(table, asking->player);
    if (table->phase != PHASE(PLAYING))
        lobby_refuse(asking, VERDICT(NOT_BEGUN));
    else if (seat >= table->match_seats || !table->seat[seat].vacant || voter == NOBODY ||
             !may_vote(lobby, table, voter))
        lobby_refuse(asking, VERDICT(NO_VOTE));
    else if (!ask->has_choice || ask->choice == CHOICE(UNSPECIFIED))
        lobby_malformed(asking, "The vote is for nothing.");
    else if (ask->choice == CHOICE(BOT) && !lobby_has_bots(lobby))
        lobby_refuse(asking, VERDICT(NO_BOTS));
    return asking->verdict == VERDICT(DONE);
}

void lobby_on_vote(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Vote *ask = asking->ask->vote;
    uint32_t                    place = lobby_own_table(lobby, asking, ask->has_table, &ask->table);
    if (place == NOBODY || !judge_vote(lobby, asking, table_of(lobby, place)))
        return;
    struct ballot ballot = { .choice = ask->choice, .friend_player = NOBODY };
    if (ask->choice == CHOICE(FRIEND)) {
        ballot.friend_player = friend_named(lobby, asking);
        if (ballot.friend_player == NOBODY)
            return;
    }
    struct table *table = touch_table(lobby, place);
    table->ballot[ask->seat][lobby_seat_of(table, asking->player)] = ballot;
    if (lobby->clocks[place].vote_ms[ask->seat] == NO_WAKE)
        lobby->clocks[place].vote_ms[ask->seat] = lobby->now_ms + lobby->settings.vote_ms;
    struct table_event *event = lobby_add_event(lobby, place, EVENT(VOTED));
    event->seat = ask->seat;
    event->player = asking->player;
    event->choice = ask->choice;
    lobby_send_event(lobby, place, event, asking->out);
    if (all_have_voted(lobby, table, ask->seat))
        lobby_count_votes(lobby, place, ask->seat, asking->out);
}
