/* lobby_guests.c: guests who come no more make room for others. Pure.
 *
 * Whoever types a name at a gateway is a player from then on, and most never come back. When few
 * places are left, those guests go who sit nowhere and have said nothing for longest. Some of them
 * go each second, and their names are free again. A guest stays while a table still speaks of them.
 * Results speak of more people than there are places, so they do not hold anybody. `results_before`
 * keeps a new guest from being taken for an earlier one at the same place. */
#include <assert.h>
#include <string.h>

#include "services/lobby/lobby_parts.h"

/* Room is scarce when no more than this part of it is left. */
#define SCARCE 16u
#define AT_ONCE 64u

/* Written down once in a quarter of the time that counts, so that who only looks costs the store little. */
void lobby_guest_speaks(struct lobby *lobby, uint32_t place)
{
    const struct player *player = player_of(lobby, place);
    uint64_t             seen_ms = player->seen_ms;
    if (!player->guest || player->bot)
        return;
    if (lobby->wall_ms < seen_ms || lobby->wall_ms - seen_ms >= lobby->settings.guest_silent_ms / 4)
        touch_player(lobby, place)->seen_ms = lobby->wall_ms;
}

/* A store from before it was written down: as if all of them had been there at the start. */
static uint64_t seen_ms(const struct lobby *lobby, uint32_t place)
{
    uint64_t seen = player_of(lobby, place)->seen_ms;
    return seen == 0 ? lobby->started_ms : seen;
}

static bool is_scarce(const struct lobby *lobby)
{
    uint32_t left = lobby->settings.players_max;
    for (uint32_t i = 0; i < lobby->settings.players_max; i++)
        left -= player_of(lobby, i)->used != 0;
    return left <= lobby->settings.players_max / SCARCE;
}

static void speak_of(struct lobby *lobby, uint32_t player)
{
    if (player != NOBODY)
        lobby->spoken_of[player] = true;
}

static void look_at_seats(struct lobby *lobby, const struct table *table)
{
    for (uint32_t i = 0; i < table->seat_count; i++) {
        speak_of(lobby, table->seat[i].player);
        speak_of(lobby, table->seat[i].promised);
        for (uint32_t voter = 0; voter < SEATS_MAX; voter++)
            if (table->ballot[i][voter].choice != 0)
                speak_of(lobby, table->ballot[i][voter].friend_player);
    }
}

static void look_at_table(struct lobby *lobby, uint32_t place)
{
    const struct table *table = table_of(lobby, place);
    speak_of(lobby, table->host);
    look_at_seats(lobby, table);
    for (uint32_t i = 0; i < INVITED_MAX; i++)
        speak_of(lobby, table->invited[i]);
    for (uint32_t i = 0; i < MEMBERS_MAX; i++)
        speak_of(lobby, table->member[i].player);
    for (uint32_t i = 0; i < lobby->settings.events_kept; i++) {
        const struct table_event *event =
            record_of(lobby, RECORD_EVENT, place * lobby->settings.events_kept + i);
        if (event->number == 0)
            continue;
        speak_of(lobby, event->player);
        speak_of(lobby, event->other);
    }
}

static void look_who_is_spoken_of(struct lobby *lobby)
{
    memset(lobby->spoken_of, 0, lobby->settings.players_max * sizeof *lobby->spoken_of);
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        if (table_of(lobby, i)->used)
            look_at_table(lobby, i);
    for (uint32_t i = 0; i < lobby->settings.persons_max; i++)
        if (registrant_of(lobby, i)->number != 0)
            speak_of(lobby, registrant_of(lobby, i)->player);
}

/* Bots are few, and are called again. Banned players must be recognised when they come back. */
static bool is_free_to_go(const struct lobby *lobby, uint32_t place)
{
    const struct player *player = player_of(lobby, place);
    return player->used && player->guest && !player->bot && !player->banned &&
           !lobby->spoken_of[place];
}

/* `above`: of sources with more names than so many; 0: of all who were silent for long. */
static bool may_go(const struct lobby *lobby, uint32_t place, uint32_t above)
{
    if (!is_free_to_go(lobby, place))
        return false;
    return above != 0 ? lobby_names_from(lobby, place) > above
                      : lobby->wall_ms >= seen_ms(lobby, place) + lobby->settings.guest_silent_ms;
}

/* Those who have been silent longest, the first of them first; returns how many. */
static uint32_t find_oldest(const struct lobby *lobby, uint32_t above, uint32_t found[AT_ONCE])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        uint32_t at = count;
        if (!may_go(lobby, i, above))
            continue;
        while (at > 0 && seen_ms(lobby, i) < seen_ms(lobby, found[at - 1]))
            at--;
        if (at == AT_ONCE)
            continue;
        count += count < AT_ONCE;
        memmove(found + at + 1, found + at, (count - 1 - at) * sizeof *found);
        found[at] = i;
    }
    return count;
}

static void tell(struct lobby *lobby, uint32_t above, uint32_t count, struct outbox *out)
{
    struct text text;
    if (!lobby_may_tell(lobby, &lobby->guests_told_ms))
        return;
    text_clear(&text);
    text_put(&text, "nearly players_max names are taken: guests ");
    text_put(&text, above != 0 ? "from where most came" : "who were silent longest");
    text_put(&text, " are forgotten, now ");
    text_put_number(&text, count);
    outbox_say(out, SAY_INFO, &text);
}

static uint32_t forget(struct lobby *lobby, uint32_t above, struct outbox *out)
{
    uint32_t found[AT_ONCE];
    look_who_is_spoken_of(lobby);
    uint32_t count = find_oldest(lobby, above, found);
    for (uint32_t i = 0; i < count; i++)
        memset(touch_player(lobby, found[i]), 0, sizeof(struct player));
    if (count > 0)
        tell(lobby, above, count, out);
    return count;
}

void lobby_guests_make_room(struct lobby *lobby, struct outbox *out)
{
    if (is_scarce(lobby))
        (void) forget(lobby, 0, out);
}

bool lobby_guests_of_greedy_go(struct lobby *lobby, uint32_t above, struct outbox *out)
{
    return lobby->most > above && forget(lobby, above, out) > 0;
}
