/* lobby_asks.c: an ask's way: who speaks, has it been answered, do it, remember, answer. Pure.
 *
 * Asks are numbered for each key, and for each player that a gateway or a bot service speaks for.
 * The last answer, also a refusal, is stored with whatever the ask changed. So a resent ask is told
 * the same and done once, by this lobby or the one after it. Two devices with one key may give two
 * asks one number: the digest tells the second from a copy of the first. */
#include <assert.h>
#include <string.h>

#include "contract/lobby_fields.h"
#include "services/lobby/lobby_parts.h"

enum ask_flags {
    NEEDS_NAME = 1, /* There must be a player.                                                 */
    ONLY_LOOKS = 2, /* It changes nothing, so its answer is not kept.                           */
    MAKES_NAME = 4  /* An unknown guest may ask it.                                            */
};

typedef void asked(struct lobby *lobby, struct asking *asking);

#define RANKED(name, function, flags, rank)                                                        \
    [ARBITER__LOBBY__ASK__KIND_##name] = { function, flags, rank }
#define ASK(name, function, flags) RANKED(name, function, flags, RANK_NONE)

static const struct {
    asked    *handle;
    uint32_t  flags;
    enum rank rank; /* Who may ask it: whoever has this one, or a higher one. */
} asks[] = {
    ASK(BIND_NAME, lobby_on_bind_name, MAKES_NAME),
    ASK(LIST_TABLES, lobby_on_list_tables, ONLY_LOOKS),
    ASK(CREATE_TABLE, lobby_on_create_table, NEEDS_NAME),
    ASK(JOIN_TABLE, lobby_on_join_table, NEEDS_NAME),
    ASK(LEAVE_TABLE, lobby_on_leave_table, NEEDS_NAME),
    ASK(TAKE_SEAT, lobby_on_take_seat, NEEDS_NAME),
    ASK(INVITE, lobby_on_invite, NEEDS_NAME),
    ASK(START_TABLE, lobby_on_start_table, NEEDS_NAME),
    ASK(FILL_WITH_BOTS, lobby_on_fill_with_bots, NEEDS_NAME),
    ASK(QUICK_PLAY, lobby_on_quick_play, NEEDS_NAME),
    ASK(REMATCH, lobby_on_rematch, NEEDS_NAME),
    ASK(REJOIN, lobby_on_rejoin, NEEDS_NAME | ONLY_LOOKS),
    ASK(SPECTATE, lobby_on_spectate, NEEDS_NAME),
    ASK(SAY, lobby_on_say, NEEDS_NAME),
    ASK(CHAT, lobby_on_chat, NEEDS_NAME),
    ASK(MUTE, lobby_on_mute, NEEDS_NAME),
    ASK(VOTE, lobby_on_vote, NEEDS_NAME),
    ASK(ASK_TICKET, lobby_on_ask_ticket, 0),
    RANKED(ADMIT, lobby_on_admit, 0, RANK_CONSOLE),
    RANKED(ABORT_MATCH, lobby_on_abort_match, 0, RANK_OPERATOR),
    RANKED(ACCEPT_MATCH, lobby_on_accept_match, 0, RANK_CONSOLE),
    ASK(DEPART, lobby_on_depart, NEEDS_NAME),
    RANKED(DRAIN_ENGINE, lobby_on_drain_engine, 0, RANK_CONSOLE),
    RANKED(BAN_PLAYER, lobby_on_ban_player, 0, RANK_HELPER),
    RANKED(MUTE_PLAYER, lobby_on_mute_player, 0, RANK_HELPER),
    RANKED(FORGET_PLAYER, lobby_on_forget_player, 0, RANK_OPERATOR),
    RANKED(ANNOUNCE, lobby_on_announce, 0, RANK_OPERATOR),
    RANKED(LIST_PLAYERS, lobby_on_list_players, ONLY_LOOKS, RANK_HELPER),
    RANKED(LIST_AUDIT, lobby_on_list_audit, ONLY_LOOKS, RANK_HELPER),
    ASK(LIST_RESULTS, lobby_on_list_results, ONLY_LOOKS),
};

void lobby_refuse(struct asking *asking, uint32_t why)
{
    assert(why != VERDICT(DONE) && why != VERDICT(UNSPECIFIED));
    asking->verdict = why;
}

void lobby_malformed(struct asking *asking, const char *sentence)
{
    outbox_refuse(asking->out, asking->event, REFUSAL(MALFORMED), sentence);
    asking->verdict = VERDICT(UNSPECIFIED);
}

static const char *sentence_of(const struct lobby *lobby, const struct asking *asking)
{
    if (asking->sentence != NULL)
        return asking->sentence;
    if (asking->verdict == VERDICT(RULES) && asking->game < lobby->settings.game_count) {
        const struct game *game = lobby->settings.games[asking->game].game;
        if (asking->detail > 0 && asking->detail < game->reason_kinds)
            return game->reasons[asking->detail].sentence;
    }
    if (asking->verdict == VERDICT(BANNED) && asking->player != NOBODY &&
        player_of(lobby, asking->player)->reason[0] != '\0')
        return player_of(lobby, asking->player)->reason;
    if (asking->verdict == VERDICT(MUTED) && asking->player != NOBODY &&
        lobby_is_muted(lobby, asking->player) &&
        player_of(lobby, asking->player)->mute_reason[0] != '\0')
        return player_of(lobby, asking->player)->mute_reason;
    return lobby_verdict_sentences[asking->verdict];
}

static void attach(struct lobby *lobby, struct asking *asking, Arbiter__Lobby__Answer *answer)
{
    struct outbox *out = asking->out;
    answer->kind_case = (Arbiter__Lobby__Answer__KindCase) asking->answer;
    switch (asking->answer) {
    case ANSWER(PLAYER): answer->player = lobby_player_message(lobby, asking->player, out); break;
    case ANSWER(TABLE):
        if (asking->table != NOBODY)
            answer->table = lobby_table_message(lobby, asking->table, asking->player, true, out);
        else
            answer->kind_case = ARBITER__LOBBY__ANSWER__KIND__NOT_SET;
        break;
    case ANSWER(TICKET):
        lobby_sign_ticket(lobby, player_of(lobby, asking->player)->id, asking->key, asking->number,
                          out, &answer->ticket);
        break;
    case FIELD_LOBBY_ANSWER_NUMBER:
        answer->kind_case = ARBITER__LOBBY__ANSWER__KIND__NOT_SET;
        SET(answer, number, (uint32_t) asking->number);
        break;
    case ANSWER(TABLES): answer->tables = asking->list; break;
    case ANSWER(PLAYERS): answer->players = asking->list; break;
    case ANSWER(RESULTS): answer->results = asking->list; break;
    case ANSWER(AUDIT): answer->audit = asking->list; break;
    default: break;
    }
}

/* BindName without a name only looks: who is this, and which request was the last? */
static bool asks_who(const Arbiter__Lobby__Ask *ask)
{
    return ask->kind_case == ARBITER__LOBBY__ASK__KIND_BIND_NAME && ask->bind_name->name == NULL;
}

/* Where the last answer stands to whoever speaks. */
static struct kept *kept_of(struct lobby *lobby, const struct asking *asking)
{
    bool is_guest = asking->ask->has_player;
    if (!is_guest)
        return &key_of(lobby, asking->key)->kept;
    return asking->player == NOBODY ? NULL : &player_of(lobby, asking->player)->kept;
}

static void send_answer(struct lobby *lobby, struct asking *asking)
{
    Arbiter__Lobby__Answer *answer = MAKE(asking->out, lobby, answer);
    SET(answer, request, asking->event->header.request);
    SET(answer, verdict, (Arbiter__Lobby__Verdict) asking->verdict);
    if (asking->verdict == VERDICT(DONE))
        attach(lobby, asking, answer);
    else
        answer->sentence = lobby_string_in(asking->out, sentence_of(lobby, asking));
    const struct kept *kept = asks_who(asking->ask) ? kept_of(lobby, asking) : NULL;
    if (kept != NULL)
        SET(answer, last, kept->request);
    outbox_answer(asking->out, asking->event, KIND(LOBBY_ANSWER), answer);
}

static uint64_t digest_of(const struct asking *asking)
{
    return lobby_digest(asking->event->bytes, asking->event->size);
}

static void keep(struct lobby *lobby, const struct asking *asking)
{
    if (kept_of(lobby, asking) == NULL)
        return;
    if (asking->ask->has_player)
        touch_player(lobby, asking->player);
    else
        touch_key(lobby, asking->key);
    struct kept *kept = kept_of(lobby, asking);
    *kept = (struct kept){ .request = asking->event->header.request,
                           .verdict = asking->verdict,
                           .detail = asking->detail,
                           .game = asking->game,
                           .answer = asking->answer,
                           .number = asking->number,
                           .digest = digest_of(asking) };
    const uint8_t *id = NULL;
    if (asking->verdict != VERDICT(DONE))
        return;
    if (asking->answer == ANSWER(TABLE))
        id = table_of(lobby, asking->table)->id;
    if (asking->answer == ANSWER(PLAYER) || asking->answer == ANSWER(TICKET))
        id = player_of(lobby, asking->player)->id;
    if (id != NULL)
        memcpy(kept->id, id, ID_SIZE);
}

/* The same answer as before. Faults of a set-up are found again; a table is shown as it is now. */
static void answer_again(struct lobby *lobby, struct asking *asking, const struct kept *kept)
{
    struct table judged;
    asking->verdict = kept->verdict;
    asking->detail = kept->detail;
    asking->game = kept->game;
    asking->answer = kept->answer;
    asking->number = kept->number;
    if (kept->answer == ANSWER(TABLE))
        asking->table = lobby_find_table(lobby, kept->id, ID_SIZE);
    if (kept->answer == ANSWER(PLAYER) || kept->answer == ANSWER(TICKET)) {
        asking->player = lobby_find_player(lobby, kept->id, ID_SIZE);
        if (asking->player == NOBODY)
            asking->answer = 0;
    }
    if (kept->verdict == VERDICT(SETUP_FAULTY) &&
        asking->ask->kind_case == ARBITER__LOBBY__ASK__KIND_CREATE_TABLE)
        lobby_setup_judge(lobby, asking, &judged);
    asking->verdict = kept->verdict;
    send_answer(lobby, asking);
}

static void refuse_gap(const struct asking *asking, uint32_t last)
{
    Arbiter__Wire__Refused *refused = MAKE(asking->out, wire, refused);
    SET(refused, refusal, REFUSAL(GAP));
    SET(refused, request, last);
    refused->sentence =
        lobby_string_in(asking->out, "This number, or a later one, was another ask's: "
                                     "go on behind the last.");
    outbox_answer(asking->out, asking->event, KIND(REFUSED), refused);
}

/* True: this ask has been dealt with, because it is not the next one. */
static bool is_old(struct lobby *lobby, struct asking *asking)
{
    const struct kept *kept = kept_of(lobby, asking);
    uint32_t           request = asking->event->header.request;
    uint32_t           last = kept == NULL ? 0 : kept->request;
    if (request > last)
        return false;
    bool is_copy =
        request == last && last != 0 && (kept->digest == 0 || kept->digest == digest_of(asking));
    if (is_copy) {
        struct kept copy = *kept;
        answer_again(lobby, asking, &copy);
    } else {
        refuse_gap(asking, last);
    }
    return true;
}

/* May this caller ask this at all? The verdict says why not. */
static void judge_asker(const struct lobby *lobby, struct asking *asking, uint32_t flags,
                        enum rank rank)
{
    static const char *const sentences[] = {
        [RANK_HELPER] = "A helper may not do this; the operator may.",
        [RANK_OPERATOR] = "Only the operator's own key may do this, and no page.",
    };
    if (asking->rank < rank) {
        lobby_refuse(asking, VERDICT(NOT_ALLOWED));
        if (asking->rank != RANK_NONE)
            asking->sentence = sentences[asking->rank];
    } else if (asking->rank < RANK_OPERATOR && asking->player != NOBODY &&
               player_of(lobby, asking->player)->banned)
        lobby_refuse(asking, VERDICT(BANNED));
    else if ((flags & NEEDS_NAME) != 0 && asking->player == NOBODY)
        lobby_refuse(asking, VERDICT(NO_NAME));
}

static bool is_service_of_guests(uint32_t role)
{
    return role == ROLE(GATEWAY) || role == ROLE(BOT);
}

/* The id is the first half of a hash of the secret, which gateways show to nobody else (browser_session.c). */
static bool proves(const struct lobby *lobby, uint32_t player, const ProtobufCBinaryData *proof)
{
    static const char label[] = "arbiter session";
    uint8_t           hash[CRYPTO_HASH_SIZE];
    if (proof == NULL || proof->len != CRYPTO_KEY_SIZE)
        return false;
    const struct piece pieces[] = { { label, sizeof label - 1 }, { proof->data, proof->len } };
    lobby->settings.helpers->crypto->hash(hash, pieces, 2);
    return lobby_same_id(hash, player_of(lobby, player)->id);
}

bool lobby_is_here(struct lobby *lobby, uint32_t player, uint32_t key,
                   const ProtobufCBinaryData *proof)
{
    if (player_of(lobby, player)->key == key)
        return true;
    if (!proves(lobby, player, proof))
        return false;
    touch_player(lobby, player)->key = key;
    return true;
}

/* A bot that was called at several services is its who first sits down with it: the engine knows the seat by that key. */
static const char *may_speak(struct lobby *lobby, uint32_t player, uint32_t key, bool is_bots,
                             const ProtobufCBinaryData *proof)
{
    const struct player *guest = player_of(lobby, player);
    if (!guest->guest || (guest->bot != 0) != is_bots)
        return "This player speaks for himself.";
    if (!is_bots)
        return lobby_is_here(lobby, player, key, proof) ? NULL
                                                        : "Another gateway speaks for this player.";
    if (guest->key != key && guest->table != NOBODY)
        return "Another bot service plays here for it.";
    if (guest->key != key)
        touch_player(lobby, player)->key = key;
    return NULL;
}

bool lobby_who_speaks(struct lobby *lobby, const struct event *event, uint32_t key,
                      struct speaking speaking, uint32_t *player, struct outbox *out)
{
    const ProtobufCBinaryData *id = speaking.player;
    *player = key_of(lobby, key)->player;
    if (!speaking.has_player)
        return true;
    if (!is_service_of_guests(event->caller.role) || id->len != ID_SIZE) {
        outbox_refuse(out, event, REFUSAL(NOT_YOURS),
                      "Only gateways and bot services speak for "
                      "others, and name them by 16 bytes.");
        return false;
    }
    *player = lobby_find_player(lobby, id->data, id->len);
    const char *why =
        *player == NOBODY
            ? NULL
            : may_speak(lobby, *player, key, event->caller.role == ROLE(BOT), speaking.proof);
    if (why != NULL) {
        outbox_refuse(out, event, REFUSAL(NOT_YOURS), why);
        return false;
    }
    lobby_bot_speaks(lobby, *player, event);
    if (*player != NOBODY)
        lobby_guest_speaks(lobby, *player);
    return true;
}

uint32_t lobby_key_of_caller(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    uint32_t key = lobby_find_key(lobby, event->caller.key);
    if (key == NOBODY || !key_of(lobby, key)->admitted) {
        outbox_refuse(out, event, REFUSAL(NOT_YOURS), "This key is not admitted here.");
        return NOBODY;
    }
    lobby->routes[key] = (struct route){ .is_known = true,
                                         .protocol = lobby->routes[key].protocol,
                                         .door = event->caller.door,
                                         .route = event->caller.route,
                                         .heard_ms = lobby->now_ms };
    return key;
}

/* Asks, and keeps what was done by who looks after the house. */
static void handle(struct lobby *lobby, struct asking *asking)
{
    uint32_t       flags = asks[asking->ask->kind_case].flags;
    struct audited audited;
    asking->rank = lobby_rank_of(lobby, asking);
    bool is_deed = lobby_audit_begin(lobby, asking, &audited);
    judge_asker(lobby, asking, flags, asks[asking->ask->kind_case].rank);
    if (asking->verdict == VERDICT(DONE))
        asks[asking->ask->kind_case].handle(lobby, asking);
    if (is_deed && asking->verdict != VERDICT(UNSPECIFIED))
        lobby_audit_end(lobby, asking, &audited);
}

static bool is_whole(const struct event *event, const Arbiter__Lobby__Ask *ask)
{
    const Arbiter__Lobby__Deputy *deputy = ask->deputy;
    if (ask->kind_case == ARBITER__LOBBY__ASK__KIND__NOT_SET)
        return false;
    return deputy == NULL ||
           (event->caller.role == ROLE(GATEWAY) && !ask->has_player && deputy->name != NULL &&
            deputy->name[0] != '\0' && text_length(deputy->name) <= LOBBY_NAME_MAX);
}

void lobby_on_ask(struct lobby *lobby, const struct event *event, struct outbox *out)
{
    const Arbiter__Lobby__Ask *ask = BODY(Arbiter__Lobby__Ask, event);
    struct asking              asking = { .event = event,
                                          .ask = ask,
                                          .out = out,
                                          .verdict = VERDICT(DONE),
                                          .game = NOBODY,
                                          .table = NOBODY };
    if (!is_whole(event, ask)) {
        outbox_refuse(out, event, REFUSAL(MALFORMED),
                      ask->deputy != NULL ? "A gateway alone has deputies, for nobody else, and "
                                            "names them by 1 to 32 bytes."
                                          : "The ask asks nothing.");
        return;
    }
    asking.key = lobby_key_of_caller(lobby, event, out);
    const struct speaking speaking = { ask->has_player, &ask->player,
                                       ask->has_proof ? &ask->proof : NULL };
    if (asking.key == NOBODY ||
        !lobby_who_speaks(lobby, event, asking.key, speaking, &asking.player, out))
        return;
    assert((size_t) ask->kind_case < sizeof asks / sizeof asks[0]);
    if (ask->has_bytes && asking.player != NOBODY)
        touch_player(lobby, asking.player)->origin = ask->bytes;
    lobby_source_speaks(lobby, &asking);
    uint32_t flags = asks[ask->kind_case].flags;
    bool     is_looking = (flags & ONLY_LOOKS) != 0 || asks_who(ask);
    if (!is_looking && is_old(lobby, &asking))
        return;
    handle(lobby, &asking);
    if (asking.verdict == VERDICT(LOBBY_FULL) && asking.sentence == NULL)
        lobby_say_full(lobby, out);
    if (asking.verdict == VERDICT(UNSPECIFIED))
        return; /* Refused as malformed: that is no answer to be kept. */
    if (!is_looking)
        keep(lobby, &asking);
    send_answer(lobby, &asking);
}
