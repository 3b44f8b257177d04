/* lobby_operator.c: what the operator may ask, and some of it a helper: keys, bans, forgetting, ending a match. Pure. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "services/lobby/lobby_parts.h"

#define PLAYERS_LISTED 50u

/* A place for a new key: a free one, or one whose admission was taken back and that has no player. */
static uint32_t place_for_key(const struct lobby *lobby)
{
    uint32_t found = NOBODY;
    for (uint32_t i = 0; i < lobby->settings.keys_max; i++) {
        const struct key *key = key_of(lobby, i);
        if (!key->used)
            return i;
        if (found == NOBODY && !key->admitted && key->player == NOBODY)
            found = i;
    }
    return found;
}

static uint32_t admit_key(struct lobby *lobby, const uint8_t *bytes, uint32_t role,
                          const char *name, bool is_helper)
{
    uint32_t place = lobby_find_key(lobby, bytes);
    if (place == NOBODY) {
        place = place_for_key(lobby);
        if (place == NOBODY)
            return NOBODY;
        memset(touch_key(lobby, place), 0, sizeof(struct key));
        key_of(lobby, place)->player = NOBODY;
        memset(&lobby->routes[place], 0, sizeof lobby->routes[place]);
    }
    struct key *key = touch_key(lobby, place);
    key->used = key->admitted = 1;
    memcpy(key->key, bytes, CALLER_KEY_SIZE);
    key->role = role;
    key->helper = is_helper;
    if (name != NULL)
        text_copy(key->name, sizeof key->name, name);
    lobby_remember_key(lobby, place);
    lobby->is_news = true;
    return place;
}

/* NULL: the settings do not name it. */
static const struct lobby_seed *seed_of(const struct lobby *lobby, const uint8_t *key)
{
    for (uint32_t i = 0; i < lobby->settings.seed_count; i++)
        if (memcmp(lobby->settings.seeds[i].key, key, CALLER_KEY_SIZE) == 0)
            return &lobby->settings.seeds[i];
    return NULL;
}

/* Who is let in as something stays that; else a slip would take the operator, or an engine, out of the house. */
static bool may_be(const struct lobby *lobby, const uint8_t *key, uint32_t role)
{
    const struct lobby_seed *seed = seed_of(lobby, key);
    uint32_t                 place = lobby_find_key(lobby, key);
    if (memcmp(lobby->settings.key, key, CALLER_KEY_SIZE) == 0)
        return false;
    return seed != NULL ? seed->role == role
                        : place == NOBODY || !key_of(lobby, place)->admitted ||
                              key_of(lobby, place)->role == role;
}

void lobby_admit_seeds(struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.seed_count; i++) {
        const struct lobby_seed *seed = &lobby->settings.seeds[i];
        uint32_t                 place = lobby_find_key(lobby, seed->key);
        if (place == NOBODY) {
            admit_key(lobby, seed->key, seed->role, seed->name, false);
        } else if (key_of(lobby, place)->role != seed->role) {
            touch_key(lobby, place)->role = seed->role;
            lobby->is_news = true; /* Doors judge by the role that they were told. */
        }
    }
}

static void take_back(struct lobby *lobby, uint32_t place)
{
    struct key *key = touch_key(lobby, place);
    key->admitted = key->helper = 0;
    lobby->routes[place].is_known = false;
    lobby->is_news = true;
}

void lobby_on_admit(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__Admit *admit = asking->ask->admit;
    bool                         is_admitted = !admit->has_admitted || admit->admitted;
    if (!admit->has_key || admit->key.len != CALLER_KEY_SIZE ||
        (is_admitted && (!admit->has_role || admit->role == ROLE(UNSPECIFIED))) ||
        (admit->name != NULL && text_length(admit->name) > LOBBY_NAME_MAX)) {
        lobby_malformed(asking,
                        "An admission needs a key of 32 bytes, a role, and a name of at most 32 "
                        "bytes.");
        return;
    }
    bool is_helper = admit->has_helper && admit->helper;
    if (is_admitted && is_helper && admit->role != ROLE(CLIENT)) {
        lobby_malformed(asking, "A helper is let in as a client.");
        return;
    }
    if (is_admitted && !may_be(lobby, admit->key.data, admit->role)) {
        lobby_refuse(asking, VERDICT(NOT_ALLOWED));
        asking->sentence = "This key is let in as something else. What is no part of the "
                           "installation can be revoked, and let in anew.";
        return;
    }
    if (is_admitted) {
        if (admit_key(lobby, admit->key.data, admit->role, admit->name, is_helper) == NOBODY)
            lobby_refuse(asking, VERDICT(LOBBY_FULL));
        return;
    }
    uint32_t place = lobby_find_key(lobby, admit->key.data);
    bool     is_own =
        place == asking->key || memcmp(lobby->settings.key, admit->key.data, CALLER_KEY_SIZE) == 0;
    if (is_own && seed_of(lobby, admit->key.data) != NULL) {
        lobby_refuse(asking, VERDICT(NOT_ALLOWED)); /* A locked-out operator cannot undo it. */
    } else if (place == NOBODY) {
        lobby_refuse(asking, VERDICT(NO_SUCH_PLAYER));
        asking->sentence = "This key was never let in.";
    } else {
        take_back(lobby, place);
    }
}

void lobby_on_abort_match(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__AbortMatch *abort = asking->ask->abort_match;
    uint32_t                          place = abort->has_match_id && abort->match_id.len == ID_SIZE
                                                  ? lobby_find_match(lobby, abort->match_id.data)
                                                  : NOBODY;
    if (abort->reason != NULL && text_length(abort->reason) > REASON_MAX) {
        lobby_malformed(asking, "The reason may have 120 bytes.");
        return;
    }
    if (place == NOBODY || table_of(lobby, place)->phase != PHASE(PLAYING)) {
        lobby_refuse(asking, VERDICT(NO_SUCH_MATCH));
        return;
    }
    struct table *table = touch_table(lobby, place);
    table->abort = ABORT_HELD;
    text_copy(table->abort_reason, sizeof table->abort_reason,
              abort->reason != NULL ? abort->reason : "The operator has ended this match.");
    lobby_send_abort(lobby, place, asking->out);
}

/* Said once: whether the match goes on then, everybody sees. A match of no table may be held, too. */
void lobby_on_accept_match(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__AcceptMatch *accept = asking->ask->accept_match;
    if (!accept->has_match_id || accept->match_id.len != ID_SIZE)
        lobby_malformed(asking, "A match's id has 16 bytes.");
    else
        lobby_send_accept(lobby, accept->match_id.data, asking->out);
}

/* Everybody reads it in the directory; the watchdogs then give its slots to others. It is forgotten with the engine's
 * process, and not with ours. */
void lobby_on_drain_engine(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__DrainEngine *drain = asking->ask->drain_engine;
    for (uint32_t i = 0; drain->name != NULL && i < lobby->settings.services_max; i++) {
        const struct service *service = &lobby->services[i];
        uint32_t              key = service->used && service->role == ROLE(ENGINE)
                                        ? lobby_find_key(lobby, service->key)
                                        : NOBODY;
        if (key == NOBODY || !text_is(service->name, text_length(service->name), drain->name))
            continue;
        touch_key(lobby, key)->drained_ms =
            drain->has_undo && drain->undo ? 0 : service->started_ms;
        lobby->is_news = true;
        return;
    }
    lobby_refuse(asking, VERDICT(NO_SUCH_ENGINE));
}

/* A banned player gets up everywhere; the seat in a match is voted on. */
static void remove_from_tables(struct lobby *lobby, uint32_t player, struct outbox *out)
{
    for (uint32_t i = 0; i < lobby->settings.tables_max; i++)
        if (table_of(lobby, i)->used && lobby_member_of(table_of(lobby, i), player) != NOBODY)
            lobby_get_up(lobby, i, player, out);
}

static uint32_t bans(const struct lobby *lobby)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.players_max; i++)
        count += player_of(lobby, i)->used && player_of(lobby, i)->banned;
    return count;
}

void lobby_on_ban_player(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__BanPlayer *ban = asking->ask->ban_player;
    bool                             is_banned = !ban->has_banned || ban->banned;
    uint32_t                         place = lobby_find_name(lobby, ban->name);
    if (ban->reason != NULL && text_length(ban->reason) > REASON_MAX) {
        lobby_malformed(asking, "The reason may have 120 bytes.");
        return;
    }
    if (place == NOBODY) {
        lobby_refuse(asking, VERDICT(NO_SUCH_PLAYER));
        return;
    }
    if (!lobby_helper_may_ban(lobby, asking, place))
        return;
    if (is_banned && !player_of(lobby, place)->banned && bans(lobby) >= lobby->settings.bans_max) {
        lobby_refuse(asking, VERDICT(LOBBY_FULL));
        return;
    }
    struct player *player = touch_player(lobby, place);
    player->banned = is_banned;
    player->until_ms = is_banned && ban->has_until_ms ? ban->until_ms : 0;
    text_copy(player->reason, sizeof player->reason, is_banned ? ban->reason : NULL);
    if (is_banned)
        remove_from_tables(lobby, place, asking->out);
    lobby->is_news = true;
}

void lobby_lift_bans(struct lobby *lobby)
{
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        const struct player *player = player_of(lobby, i);
        if (!player->used || !player->banned || player->until_ms == 0 ||
            player->until_ms > lobby->wall_ms)
            continue;
        touch_player(lobby, i)->banned = 0;
        touch_player(lobby, i)->until_ms = 0;
        lobby->is_news = true;
    }
}

/* A player on this very machine was let in under the name they play by. */
static void forget_on_key(struct lobby *lobby, const struct player *player)
{
    if (player->guest || player->key == NOBODY ||
        memcmp(key_of(lobby, player->key)->name, player->name, sizeof player->name) != 0)
        return;
    struct key *key = touch_key(lobby, player->key);
    memset(key->name, 0, sizeof key->name);
}

/* The player's id stays where it stands, without a name. The key may bind a new name, and is
 * somebody else then. */
void lobby_on_forget_player(struct lobby *lobby, struct asking *asking)
{
    uint32_t place = lobby_find_name(lobby, asking->ask->forget_player->name);
    if (place == NOBODY) {
        lobby_refuse(asking, VERDICT(NO_SUCH_PLAYER));
        return;
    }
    if (player_of(lobby, place)->banned) {
        lobby_refuse(asking, VERDICT(NOT_ALLOWED));
        asking->sentence =
            "He is banned, and without a name that could never be lifted: unban first.";
        return;
    }
    remove_from_tables(lobby, place, asking->out);
    struct player *player = touch_player(lobby, place);
    forget_on_key(lobby, player);
    memset(player->name, 0, sizeof player->name);
    memset(player->reason, 0, sizeof player->reason);
    memset(player->mute_reason, 0, sizeof player->mute_reason);
    memset(player->avatar, 0, sizeof player->avatar);
    player->muted = 0;
    player->muted_until_ms = 0;
    lobby_forget_person(lobby, place);
    if (!player->guest && player->key != NOBODY && key_of(lobby, player->key)->player == place)
        touch_key(lobby, player->key)->player = NOBODY;
}

/* Below 0, 0 or above it: names in the order of their bytes. */
static int compare(const char *one, const char *other)
{
    for (; *one == *other; one++, other++)
        if (*one == '\0')
            return 0;
    return (uint8_t) *one < (uint8_t) *other ? -1 : 1;
}

static bool begins_with(const char *name, const char *prefix)
{
    for (; prefix != NULL && *prefix != '\0'; name++, prefix++)
        if (*name != *prefix)
            return false;
    return true;
}

/* The next names behind `after`, in order; returns how many, with one more than `limit` if there is. */
static uint32_t next_names(const struct lobby *lobby, const char *prefix, const char *after,
                           uint32_t limit, uint32_t *found)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lobby->settings.players_max; i++) {
        const char *name = player_of(lobby, i)->name;
        if (!player_of(lobby, i)->used || name[0] == '\0' || !begins_with(name, prefix) ||
            (after != NULL && compare(name, after) <= 0))
            continue;
        uint32_t at = count;
        while (at > 0 && compare(name, player_of(lobby, found[at - 1])->name) < 0)
            at--;
        if (at > limit)
            continue;
        if (count <= limit)
            count++;
        for (uint32_t k = count - 1; k > at; k--)
            found[k] = found[k - 1];
        found[at] = i;
    }
    return count;
}

/* With what only those hear who look after the house. */
static Arbiter__Lobby__Player *listed(const struct lobby *lobby, uint32_t place,
                                      const struct asking *asking)
{
    Arbiter__Lobby__Player *to = lobby_player_message(lobby, place, asking->out);
    const struct player    *player = player_of(lobby, place);
    if (asking->event->header.version < PROTOCOL_NEWEST)
        return to;
    if (lobby_is_muted(lobby, place))
        SET(to, muted, true);
    if (player->banned && player->until_ms != 0)
        SET(to, until_ms, player->until_ms);
    if (lobby_is_muted(lobby, place) && player->muted_until_ms != 0)
        SET(to, muted_until_ms, player->muted_until_ms);
    return to;
}

void lobby_on_list_players(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__ListPlayers *ask = asking->ask->list_players;
    uint32_t                           found[PLAYERS_LISTED + 1];
    uint32_t limit = ask->has_limit && ask->limit < PLAYERS_LISTED ? ask->limit : PLAYERS_LISTED;
    uint32_t count = next_names(lobby, ask->prefix, ask->after, limit, found);
    Arbiter__Lobby__Players *players = MAKE(asking->out, lobby, players);
    SET(players, more, count > limit);
    players->n_players = count < limit ? count : limit;
    players->players = outbox_take(asking->out, (limit + 1) * sizeof players->players[0]);
    for (size_t i = 0; i < players->n_players; i++)
        players->players[i] = listed(lobby, found[i], asking);
    asking->answer = ANSWER(PLAYERS);
    asking->list = players;
}
