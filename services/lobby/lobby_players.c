/* lobby_players.c: names, and the right of a gateway to speak for whom it named. Pure. */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "contract/envelope_fields.h"
#include "services/lobby/lobby_parts.h"
#include "wire/field_write.h"
#include "wire/utf8.h"

/* Who said nothing for so long is not called online any more. */
#define ONLINE_MS (10u * 60 * 1000)

#define SAYS(name, sentence) [VERDICT(name)] = (sentence)
const char *const lobby_verdict_sentences[] = {
    SAYS(UNSPECIFIED, ""),
    SAYS(DONE, ""),
    SAYS(NO_NAME, "You have no name yet: bind one to your key first."),
    SAYS(NAME_TAKEN, "Somebody else has this name: choose another one."),
    SAYS(NAME_UNFIT, "A name has 1 to 32 bytes: visible characters, each accent on a letter, no "
                     "space around it."),
    SAYS(NO_SUCH_TABLE, "There is no such table, or you are not at it."),
    SAYS(NO_SUCH_GAME, "This game, or this version of it, is not played here."),
    SAYS(SETUP_FAULTY, "There is no set-up of this name."),
    SAYS(WRONG_CODE, "This is not the table's code."),
    SAYS(TABLE_FULL, "The table is full."),
    SAYS(SEATED_ELSEWHERE, "You are seated at a table: rejoin it, or leave it first."),
    SAYS(SEAT_TAKEN, "This seat is taken, or there is none of this number."),
    SAYS(NOT_SEATED, "You have no seat at this table: join it first."),
    SAYS(NOT_HOST, "Only the table's host may do that."),
    SAYS(TOO_FEW, "Too few seats are taken to begin: wait, invite, or fill with bots."),
    SAYS(BEGUN, "The match has begun."),
    SAYS(NOT_BEGUN, "There is no match at this table that this could be about."),
    SAYS(RULES, "The game's registration refuses this."),
    SAYS(MUTED, "Talking is switched off at this table, or for you."),
    SAYS(NO_VOTE, "This seat is not being voted on, or you have no vote."),
    SAYS(NOT_ALLOWED, "You may not do that."),
    SAYS(NO_SUCH_PLAYER, "There is no player of this name."),
    SAYS(LOBBY_FULL, "The lobby has no room for that now: try again later."),
    SAYS(NO_BOTS, "No bot service is running: start one, or play with people."),
    SAYS(BANNED, "The operator has banned you."),
    SAYS(NO_SUCH_MATCH, "No such match is going on."),
    SAYS(NO_SUCH_ENGINE, "No engine of this name is there: \"arbiter top\" lists them."),
};

static bool is_name(const char *name)
{
    size_t size = name == NULL ? 0 : text_length(name);
    if (size == 0 || size > LOBBY_NAME_MAX || name[0] == ' ' || name[size - 1] == ' ')
        return false;
    return utf8_is_name((const uint8_t *) name, size);
}

bool lobby_is_online(const struct lobby *lobby, const struct player *player)
{
    if (player->key == NOBODY)
        return false;
    const struct route *route = &lobby->routes[player->key];
    return route->is_known && lobby->now_ms - route->heard_ms < ONLINE_MS;
}

uint32_t lobby_add_player(struct lobby *lobby, const uint8_t *id, const char *name, uint32_t key)
{
    uint32_t place = 0;
    while (place < lobby->settings.players_max && player_of(lobby, place)->used)
        place++;
    if (place == lobby->settings.players_max)
        return NOBODY;
    struct player *player = touch_player(lobby, place);
    memset(player, 0, sizeof *player);
    player->used = 1;
    memcpy(player->id, id, ID_SIZE);
    text_copy(player->name, sizeof player->name, name);
    player->key = key;
    player->table = player->promised = NOBODY;
    player->seen_ms = lobby->wall_ms;
    player->results_before = meta_of(lobby)->results;
    lobby->sources[place] = (struct source){ .from = 0 };
    lobby_remember_player(lobby, place);
    return place;
}

static uint32_t add_named(struct lobby *lobby, struct asking *asking, const char *name)
{
    uint8_t id[ID_SIZE];
    bool    is_guest = asking->ask->has_player;
    if (is_guest)
        memcpy(id, asking->ask->player.data, ID_SIZE);
    else
        lobby_draw_id(lobby, id);
    bool is_strangers = is_guest && asking->event->caller.role == ROLE(GATEWAY);
    if (is_strangers &&
        (!lobby_source_may(lobby, asking, TAKEN_NAME) || !lobby_names_make_way(lobby, asking)))
        return NOBODY;
    uint32_t place = lobby_add_player(lobby, id, name, asking->key);
    if (place == NOBODY)
        return NOBODY;
    lobby->sources[place] = asking->source;
    touch_player(lobby, place)->guest = is_guest;
    touch_player(lobby, place)->bot = asking->event->caller.role == ROLE(BOT);
    if (!is_guest)
        touch_key(lobby, asking->key)->player = place;
    return place;
}

/* A picture is one of the page's own, by name: whatever else somebody says is none. */
static bool is_avatar(const char *avatar)
{
    size_t size = avatar == NULL ? 0 : text_length(avatar);
    for (size_t i = 0; i < size; i++)
        if (!(avatar[i] >= 'a' && avatar[i] <= 'z') && !(avatar[i] >= '0' && avatar[i] <= '9') &&
            avatar[i] != '-')
            return false;
    return size > 0 && size <= LOBBY_AVATAR_MAX;
}

/* A gateway that binds a name may say `player` in the ask, or in the binding; both mean the ask's. */
void lobby_on_bind_name(struct lobby *lobby, struct asking *asking)
{
    const char *name = asking->ask->bind_name->name;
    uint32_t    owner = lobby_find_name(lobby, name);
    if (name == NULL && asking->player != NOBODY) { /* Who am I? */
        asking->answer = ANSWER(PLAYER);
        return;
    }
    if (name == NULL && asking->ask->has_player) {
        lobby_refuse(asking, VERDICT(NO_NAME));
        return;
    }
    if (!is_name(name)) {
        lobby_refuse(asking, VERDICT(NAME_UNFIT));
        return;
    }
    if (owner != NOBODY && owner != asking->player) {
        lobby_refuse(asking, VERDICT(NAME_TAKEN));
        return;
    }
    if (asking->player == NOBODY) {
        asking->player = add_named(lobby, asking, name);
    } else {
        text_copy(touch_player(lobby, asking->player)->name, LOBBY_NAME_MAX + 1, name);
        lobby_remember_player(lobby, asking->player);
    }
    if (asking->player == NOBODY) {
        lobby_refuse(asking, VERDICT(LOBBY_FULL));
    } else if (is_avatar(asking->ask->bind_name->avatar)) {
        struct player *player = touch_player(lobby, asking->player);
        text_copy(player->avatar, sizeof player->avatar, asking->ask->bind_name->avatar);
    }
    asking->answer = ANSWER(PLAYER);
}

/* The id is the hash of a secret that somebody else may have by now. Another id is nobody's: tables and results still speak
 * of the player, and nobody comes back as it. */
void lobby_on_depart(struct lobby *lobby, struct asking *asking)
{
    if (!player_of(lobby, asking->player)->guest || !asking->ask->has_player) {
        lobby_refuse(asking, VERDICT(NOT_ALLOWED));
        return;
    }
    lobby_draw_id(lobby, touch_player(lobby, asking->player)->id);
    lobby_remember_player(lobby, asking->player);
}

/* The ticket is signed as bytes, so it is written here, byte for byte as any protobuf library would. */
void lobby_sign_ticket(struct lobby *lobby, const uint8_t player[ID_SIZE], uint32_t key,
                       uint64_t expires_ms, struct outbox *out,
                       Arbiter__Wire__SignedTicket **ticket)
{
    static const char prefix[] = "arbiter ticket";
    uint8_t          *bytes = outbox_take(out, 2 + ID_SIZE + 2 + CALLER_KEY_SIZE + 1 + VARINT_MAX);
    uint8_t          *signature = outbox_take(out, 64);
    uint8_t          *at = field_bytes(bytes, FIELD_WIRE_TICKET_PLAYER, player, ID_SIZE);
    at = field_bytes(at, FIELD_WIRE_TICKET_GATEWAY, key_of(lobby, key)->key, CALLER_KEY_SIZE);
    at = field_number(at, FIELD_WIRE_TICKET_EXPIRES_MS, expires_ms);
    size_t       size = (size_t) (at - bytes);
    struct piece pieces[2] = { { prefix, sizeof prefix - 1 }, { bytes, size } };
    lobby->settings.helpers->sign(signature, lobby->settings.ticket_secret, pieces, 2);
    *ticket = MAKE(out, wire, signed_ticket);
    SET_BYTES(*ticket, ticket, bytes, size);
    SET_BYTES(*ticket, signature, signature, 64);
}

/* The gateway names the player in the question; the answer is kept with the gateway's key. */
void lobby_on_ask_ticket(struct lobby *lobby, struct asking *asking)
{
    const Arbiter__Lobby__AskTicket *ask = asking->ask->ask_ticket;
    if (asking->event->caller.role != ROLE(GATEWAY)) {
        lobby_refuse(asking, VERDICT(NOT_ALLOWED));
        return;
    }
    if (ask->has_player)
        asking->player = lobby_find_player(lobby, ask->player.data, ask->player.len);
    const ProtobufCBinaryData *proof = asking->ask->has_proof ? &asking->ask->proof : NULL;
    if (asking->player == NOBODY || !player_of(lobby, asking->player)->guest ||
        !lobby_is_here(lobby, asking->player, asking->key, proof)) {
        asking->player = NOBODY;
        lobby_refuse(asking, VERDICT(NO_SUCH_PLAYER));
        return;
    }
    if (player_of(lobby, asking->player)->bot)
        lobby_refuse(asking, VERDICT(NOT_ALLOWED));
    else if (player_of(lobby, asking->player)->banned)
        lobby_refuse(asking, VERDICT(BANNED));
    asking->answer = ANSWER(TICKET);
    asking->number = lobby->wall_ms + lobby->settings.ticket_ms;
}
